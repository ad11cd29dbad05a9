// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Strings as text: bytes are copied sixteen at a time and looked at on the way; those that RFC 8259 §7 does
// not allow in a string (quotation mark, reverse solidus, U+0000 to U+001F) are written as escapes, with a
// letter where there is one.
//
//   bytes    a  "  <LF>  <ESC>  é          é is two bytes, copied as they are
//   text     a  \" \n    \u001b é
//
// The vectors are those that every processor of the architecture has (SSE2, NEON), so that nothing has to be
// chosen at run time; elsewhere a word of eight bytes is looked at with ordinary arithmetic.
// DECANT_WITHOUT_VECTORS compiles that twin everywhere.

#include "decant_write.h"

#include <string.h>

#if defined(DECANT_WITHOUT_VECTORS)
#elif defined(__x86_64__)
#include <emmintrin.h>
#define DECANT_SSE2 1
#elif defined(__aarch64__)
#include <arm_neon.h>
#define DECANT_NEON 1
#endif

// What follows the reverse solidus; 'u' with four digits, 0 for bytes that are copied.
static const uint8_t letters[256] = {
    'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'b', 't', 'n', 'u', 'f', 'r', 'u', 'u', 'u', 'u', 'u',
    'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', ['"'] = '"', ['\\'] = '\\'};

static inline uint8_t letter_of(uint8_t byte, uint32_t flags) {
  return byte == '/' && (flags & DECANT_ESCAPE_SLASHES) != 0 ? '/' : letters[byte];
}

// Sixteen bytes that are looked at together. The copying functions write all of them and return how many,
// from the first on, need no escape.
#define WIDTH 16

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DECANT_LITTLE_ENDIAN 1
#endif

typedef struct {
  uint64_t low, high;
} words;

#if DECANT_SSE2
typedef __m128i block;

static inline block load(const uint8_t *text) { return _mm_loadu_si128((const __m128i *)(const void *)text); }

static inline block block_of(words bytes) { return _mm_set_epi64x((int64_t)bytes.high, (int64_t)bytes.low); }

static inline uint32_t copy_plain(uint8_t *out, block bytes, uint32_t flags) {
  _mm_storeu_si128((__m128i *)(void *)out, bytes);
  const char slash = flags & DECANT_ESCAPE_SLASHES ? '/' : '"';
  const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
  const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  const __m128i reverse = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  const __m128i other = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(slash));
  const __m128i all = _mm_or_si128(_mm_or_si128(control, quote), _mm_or_si128(reverse, other));
  return (uint32_t)__builtin_ctz((uint32_t)_mm_movemask_epi8(all) | 1u << WIDTH);
}
#elif DECANT_NEON
typedef uint8x16_t block;

static inline block load(const uint8_t *text) { return vld1q_u8(text); }

static inline block block_of(words bytes) {
  return vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(bytes.low), vcreate_u64(bytes.high)));
}

static inline uint32_t copy_plain(uint8_t *out, block bytes, uint32_t flags) {
  vst1q_u8(out, bytes);
  const uint8_t slash = flags & DECANT_ESCAPE_SLASHES ? '/' : '"';
  const uint8x16_t all =
      vorrq_u8(vorrq_u8(vcltq_u8(bytes, vdupq_n_u8(0x20)), vceqq_u8(bytes, vdupq_n_u8('"'))),
               vorrq_u8(vceqq_u8(bytes, vdupq_n_u8('\\')), vceqq_u8(bytes, vdupq_n_u8(slash))));
  // Four bits of each byte, in order.
  const uint64_t mask = vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(all), 4)), 0);
  return mask == 0 ? WIDTH : (uint32_t)__builtin_ctzll(mask) / 4;
}
#else
typedef words block;

static inline block load(const uint8_t *text) {
  block bytes;
  memcpy(&bytes, text, WIDTH);
  return bytes;
}

static inline block block_of(words bytes) { return bytes; }

#define ONES UINT64_C(0x0101010101010101)

// The top bit of each byte that is zero; right up to the first such byte, counted from the lowest.
static inline uint64_t zeros(uint64_t word) { return (word - ONES) & ~word & ONES << 7; }

static inline uint64_t escapes(uint64_t word, uint32_t flags) {
  const uint64_t slash = flags & DECANT_ESCAPE_SLASHES ? '/' : '"';
  const uint64_t control = (word - ONES * 0x20) & ~word & ONES << 7;
  return control | zeros(word ^ ONES * '"') | zeros(word ^ ONES * '\\') | zeros(word ^ ONES * slash);
}

static inline uint32_t copy_plain(uint8_t *out, block bytes, uint32_t flags) {
  memcpy(out, &bytes, WIDTH);
  const uint64_t low = escapes(bytes.low, flags), high = escapes(bytes.high, flags);
  if ((low | high) == 0) return WIDTH;
#if DECANT_LITTLE_ENDIAN
  return (uint32_t)(low != 0 ? __builtin_ctzll(low) / 8 : 8 + __builtin_ctzll(high) / 8);
#else
  uint32_t plain = 0;
  while (letter_of(out[plain], flags) == 0) plain++;
  return plain;
#endif
}
#endif

#if DECANT_LITTLE_ENDIAN
static inline uint64_t load_four(const uint8_t *text) {
  uint32_t word;
  memcpy(&word, text, sizeof word);
  return word;
}

static inline uint64_t load_eight(const uint8_t *text) {
  uint64_t word;
  memcpy(&word, text, sizeof word);
  return word;
}

// The last bytes of a text, 1 to 15, and zeros after them, which count as bytes to escape. Two loads that
// overlap agree where they do.
static inline block load_end(const uint8_t *text, size_t length) {
  if (length >= 8) {
    // In two steps: a shift by 64 has no meaning in C.
    return block_of((words){load_eight(text), load_eight(text + length - 8) >> 8 >> 8 * (15 - length)});
  }
  if (length >= 4) {
    return block_of((words){load_four(text) | load_four(text + length - 4) << 8 * (length - 4), 0});
  }
  const uint64_t middle = length / 2, last = length - 1;
  return block_of((words){text[0] | (uint64_t)text[middle] << 8 * middle | (uint64_t)text[last] << 8 * last, 0});
}
#else
static inline block load_end(const uint8_t *text, size_t length) {
  uint8_t bytes[WIDTH] = {0};
  memcpy(bytes, text, length);
  return load(bytes);
}
#endif

static inline size_t write_escape(uint8_t *out, uint8_t byte, uint8_t letter) {
  out[0] = '\\';
  out[1] = letter;
  if (letter != 'u') return 2;
  static const char digits[] = "0123456789abcdef";
  out[2] = '0';
  out[3] = '0';
  out[4] = (uint8_t)digits[byte >> 4];
  out[5] = (uint8_t)digits[byte & 15];
  return 6;
}

size_t decant_write_escaped(uint8_t *out, size_t capacity, const uint8_t *text, size_t length, size_t *consumed,
                            uint32_t flags) {
  size_t at = *consumed, written = 0;
  while (at < length && written + DECANT_ESCAPE_CAPACITY <= capacity) {
    const size_t rest = length - at;
    const uint32_t plain = copy_plain(out + written, rest < WIDTH ? load_end(text + at, rest) : load(text + at), flags);
    at += plain;
    written += plain;
    if (at == length || plain == WIDTH) continue;
    const uint8_t byte = text[at++];
    written += write_escape(out + written, byte, letter_of(byte, flags));
  }
  *consumed = at;
  return written;
}

size_t decant_escaped_length(const uint8_t *text, size_t length, uint32_t flags) {
  size_t result = length;
  for (size_t at = 0; at < length; at++) {
    const uint8_t letter = letter_of(text[at], flags);
    if (letter != 0) result += letter == 'u' ? 5 : 1;
  }
  return result;
}
