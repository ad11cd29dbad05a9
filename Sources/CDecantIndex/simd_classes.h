// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What the kernels of all instruction sets do to the bytes of one register: they are classified by two look-ups of
// nibbles, and checked to be UTF-8 by three (simd_types.h). A kernel file defines before, most of it by simd_vectors.h:
//
//   vec                         a register of bytes; &, | and ^ work on it
//   vec_all(byte)               that byte everywhere
//   vec_table(sixteen)          sixteen bytes, aligned to as many, in every sixteen bytes of the register
//   vec_look_up(table, nibbles) what the table has for each nibble
//   vec_class_index(bytes)      their low nibbles, and for a byte above 0x7F whatever is looked up then
//   vec_high(bytes)             the high nibble of each byte
//   vec_low(bytes)              the low nibble of each byte
//   vec_minus(a, b)             a - b, or zero

#ifndef SIXTEEN
#define SIXTEEN static const uint8_t __attribute__((aligned(16)))
#endif

// Behind them, what makes bit 7 of the bytes from E0 on, of those from F0 on, and that bit.
SIXTEEN decant_utf8_tables[51] = {UTF8_FIRST_HIGH, UTF8_FIRST_LOW, UTF8_SECOND_HIGH,
                                  0xE0 - 0x80,     0xF0 - 0x80,    UTF8_TWO_CONTINUATIONS};

// Where two successive bytes, and the two before them, cannot occur in UTF-8: `first`, `second` and `third` are the bytes
// moved up by one, two and three, behind the last of those before them.
DECANT_INLINE vec utf8_errors_of(const uint8_t *tables, vec bytes, vec first, vec second,
                                 vec third) {
  const vec high = vec_look_up(vec_table(tables), vec_high(first));
  const vec low = vec_look_up(vec_table(tables + 16), vec_low(first));
  const vec next = vec_look_up(vec_table(tables + 32), vec_high(bytes));
  // Bit 7 where the byte must be a third or a fourth: E0 or more two before, F0 or more three
  // before.
  const vec is_third = vec_minus(second, vec_byte(tables + 48));
  const vec is_fourth = vec_minus(third, vec_byte(tables + 49));
  const vec required = (is_third | is_fourth) & vec_byte(tables + 50);
  return required ^ (high & low & next);
}

SIXTEEN decant_class_low[16] = {CLASS_LOW};
SIXTEEN decant_class_high[16] = {CLASS_HIGH};

// Bytes that are not ASCII have no class: the upper half of CLASS_HIGH is zero.
DECANT_INLINE vec classes(vec bytes) {
  return vec_look_up(vec_table(decant_class_low), vec_class_index(bytes)) &
         vec_look_up(vec_table(decant_class_high), vec_high(bytes));
}
