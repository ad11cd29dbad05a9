// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Where each n_ file of JSONTestSuite stops being JSON: the offset of the first byte that no valid document
// could have there, or the length if the input ends too soon. Read off the files by hand. Where one could
// argue, the rule is:
//
//   UTF-8             the first byte of the sequence that is broken
//   surrogates        the backslash of the half that lacks the other, also where what follows it begins
//                     like the other and is none: ["\uD800\u1x"] at the first backslash, not at the 1;
//                     a pair is one character (RFC 8259 §7), broken where it begins, like one of UTF-8
//   literal, number   a character right behind one belongs to it: [012] at the 1, [1.2a-3] at the a
//   nesting           the bracket beyond the 512th level
//   byte order mark   0

import Decant
import DecantTestSupport
import Testing

extension JSONTestSuiteTests {
  private static let firstOffences = #"""
    array_1_true_without_comma 3
    array_a_invalid_utf8 1
    array_colon_instead_of_comma 3
    array_comma_after_close 4
    array_comma_and_number 1
    array_double_comma 3
    array_double_extra_comma 5
    array_extra_close 5
    array_extra_comma 4
    array_incomplete 4
    array_incomplete_invalid_value 1
    array_inner_array_no_comma 2
    array_invalid_utf8 1
    array_items_separated_by_semicolon 2
    array_just_comma 1
    array_just_minus 2
    array_missing_value 4
    array_newlines_unclosed 11
    array_number_and_comma 3
    array_number_and_several_commas 3
    array_spaces_vertical_tab_formfeed 2
    array_star_inside 1
    array_unclosed 3
    array_unclosed_trailing_comma 3
    array_unclosed_with_new_lines 8
    array_unclosed_with_object_inside 3
    incomplete_false 5
    incomplete_null 4
    incomplete_true 4
    multidigit_number_then_00 3
    number_++ 1
    number_+1 1
    number_+Inf 1
    number_-01 3
    number_-1.0. 5
    number_-2. 4
    number_-NaN 2
    number_.-1 1
    number_.2e-3 1
    number_0.1.2 4
    number_0.3e+ 6
    number_0.3e 5
    number_0.e1 3
    number_0_capital_E+ 4
    number_0_capital_E 3
    number_0e+ 4
    number_0e 3
    number_1.0e+ 6
    number_1.0e- 6
    number_1.0e 5
    number_1_000 3
    number_1eE2 3
    number_2.e+3 3
    number_2.e-3 3
    number_2.e3 3
    number_9.e+ 3
    number_Inf 1
    number_NaN 1
    number_U+FF11_fullwidth_digit_one 1
    number_expression 2
    number_hex_1_digit 2
    number_hex_2_digits 2
    number_infinity 1
    number_invalid+- 4
    number_invalid-negative-real 9
    number_invalid-utf-8-in-bigger-int 4
    number_invalid-utf-8-in-exponent 4
    number_invalid-utf-8-in-int 2
    number_minus_infinity 2
    number_minus_sign_with_trailing_garbage 2
    number_minus_space_1 2
    number_neg_int_starting_with_zero 3
    number_neg_real_without_int_part 2
    number_neg_with_garbage_at_end 3
    number_real_garbage_after_e 3
    number_real_with_invalid_utf8_after_e 3
    number_real_without_fractional_part 3
    number_starting_with_dot 1
    number_with_alpha 4
    number_with_alpha_char 19
    number_with_leading_zero 2
    object_bad_value 9
    object_bracket_key 1
    object_comma_instead_of_colon 4
    object_double_colon 5
    object_emoji 1
    object_garbage_at_end 9
    object_key_with_single_quotes 1
    object_lone_continuation_byte_in_key_and_trailing_comma 2
    object_missing_colon 5
    object_missing_key 1
    object_missing_semicolon 5
    object_missing_value 5
    object_no-colon 4
    object_non_string_key 1
    object_non_string_key_but_huge_number_instead 1
    object_repeated_null_null 1
    object_several_trailing_commas 8
    object_single_quote 1
    object_trailing_comma 8
    object_trailing_comment 9
    object_trailing_comment_open 9
    object_trailing_comment_slash_open 9
    object_trailing_comment_slash_open_incomplete 9
    object_two_commas_in_a_row 9
    object_unquoted_key 1
    object_unterminated-value 7
    object_with_single_string 21
    object_with_trailing_garbage 9
    single_space 1
    string_1_surrogate_then_escape 2
    string_1_surrogate_then_escape_u 2
    string_1_surrogate_then_escape_u1 2
    string_1_surrogate_then_escape_u1x 2
    string_accentuated_char_no_quotes 1
    string_backslash_00 3
    string_escape_x 3
    string_escaped_backslash_bad 7
    string_escaped_ctrl_char_tab 3
    string_escaped_emoji 3
    string_incomplete_escape 5
    string_incomplete_escaped_character 7
    string_incomplete_surrogate 2
    string_incomplete_surrogate_escape_invalid 2
    string_invalid-utf-8-in-escape 4
    string_invalid_backslash_esc 3
    string_invalid_unicode_escape 4
    string_invalid_utf8_after_escape 3
    string_leading_uescaped_thinspace 1
    string_no_quotes_with_bad_escape 1
    string_single_doublequote 1
    string_single_quote 1
    string_single_string_no_double_quotes 0
    string_start_escape_unclosed 3
    string_unescaped_ctrl_char 3
    string_unescaped_newline 5
    string_unescaped_tab 2
    string_unicode_CapitalU 2
    string_with_trailing_garbage 2
    structure_100000_opening_arrays 512
    structure_U+2060_word_joined 1
    structure_UTF8_BOM_no_data 0
    structure_angle_bracket_. 0
    structure_angle_bracket_null 1
    structure_array_trailing_garbage 3
    structure_array_with_extra_array_close 3
    structure_array_with_unclosed_string 6
    structure_ascii-unicode-identifier 0
    structure_capitalized_True 1
    structure_close_unopened_array 1
    structure_comma_instead_of_closing_brace 11
    structure_double_array 2
    structure_end_array 0
    structure_incomplete_UTF8_BOM 0
    structure_lone-invalid-utf-8 0
    structure_lone-open-bracket 1
    structure_no_data 0
    structure_null-byte-outside-string 1
    structure_number_with_trailing_garbage 1
    structure_object_followed_by_closing_object 2
    structure_object_unclosed_no_value 4
    structure_object_with_comment 5
    structure_object_with_trailing_garbage 12
    structure_open_array_apostrophe 1
    structure_open_array_comma 1
    structure_open_array_object 1280
    structure_open_array_open_object 2
    structure_open_array_open_string 3
    structure_open_array_string 4
    structure_open_object 1
    structure_open_object_close_array 1
    structure_open_object_comma 1
    structure_open_object_open_array 1
    structure_open_object_open_string 3
    structure_open_object_string_with_apostrophes 1
    structure_open_open 3
    structure_single_eacute 0
    structure_single_star 0
    structure_trailing_# 9
    structure_uescaped_LF_before_string 1
    structure_unclosed_array 2
    structure_unclosed_array_partial_null 12
    structure_unclosed_array_unfinished_false 12
    structure_unclosed_array_unfinished_true 12
    structure_unclosed_object 12
    structure_unicode-identifier 0
    structure_whitespace_U+2060_word_joiner 1
    structure_whitespace_formfeed 1
    """#

  @Test("native: the first offending byte of every n_ file")
  func firstOffences() throws {
    guard let files = try files("n_") else { return }
    var expected: [String: Int] = [:]
    for line in Self.firstOffences.split(separator: "\n") {
      let words = line.split(separator: " ")
      expected["n_\(words[0]).json"] = Int(words[1])
    }
    #expect(expected.count == 188)
    var right = 0
    for file in files {
      let offset = JSONValue.parse(file.bytes).error?.location?.offset
      #expect(offset == expected[file.name], "\(file.name)")
      if offset == expected[file.name] { right += 1 }
    }
    print("JSONTestSuite, first offending byte: \(right)/188")
  }
}
