// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Links libjansson if it is installed. A module map or a package manifest can only request a library unconditionally. An
// object file can request it if its compiler found the header. This is the entry that the Swift compiler writes for a
// `link` line of a module map.

#if __has_include(<jansson.h>) && !defined(DECANT_JANSSON_MISSING)

#if defined(__ELF__)
__asm__(
    ".section .swift1_autolink_entries,\"e\",@progbits\n"
    ".asciz \"-ljansson\"\n"
    ".previous");
#elif defined(__APPLE__)
__asm__(".linker_option \"-ljansson\"");
#elif defined(_WIN32)
#pragma comment(lib, "jansson")
#endif

#endif

// ISO C requires a declaration in each file.
typedef int decant_jansson_link;
