// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The prologue of every header of this module.

#ifndef DECANT_HEADER_H
#define DECANT_HEADER_H

#ifdef __cplusplus
#define DECANT_LINKAGE_BEGIN extern "C" {
#define DECANT_LINKAGE_END   }
#else
#define DECANT_LINKAGE_BEGIN
#define DECANT_LINKAGE_END
#endif

#define DECANT_INLINE static inline __attribute__((always_inline))

// DECANT_NONNULL tells Swift that a pointer needs no test for NULL. Text is NULL only if its length is 0, and slots only
// before the index is built; neither is read then. Most pointers have no annotation, about which clang would warn.
#if defined(__clang__)
#define DECANT_NONNULL _Nonnull
#define DECANT_BEGIN                                                     \
  _Pragma("clang diagnostic push")                                       \
      _Pragma("clang diagnostic ignored \"-Wnullability-completeness\"") \
          _Pragma("clang diagnostic ignored \"-Wnullability-extension\"") DECANT_LINKAGE_BEGIN
#define DECANT_END DECANT_LINKAGE_END _Pragma("clang diagnostic pop")
#else
#define DECANT_NONNULL
#define DECANT_BEGIN DECANT_LINKAGE_BEGIN
#define DECANT_END   DECANT_LINKAGE_END
#endif

#endif
