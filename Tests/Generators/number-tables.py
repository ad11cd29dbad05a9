# Writes the tables of Sources/CDecantIndex/numbers_tables.c. Run in the repository's root:
#
#   python3 Tests/Generators/number-tables.py > Sources/CDecantIndex/numbers_tables.c
#
# Exact integer arithmetic only, so that the output is the same on every machine.

SMALLEST, LARGEST = -342, 324


def power_of_five(exponent):
    """The 128 leading bits of 5^exponent, the first of them set.

    Rounded down for exponent >= 0 and for exponent < -27. From -27 to -1 rounded up: there
    5^-exponent fits in 64 bits, a product can be exact, and the method needs the upper neighbour
    (see BinaryFormat.swift).
    """
    if exponent >= 0:
        power = 5**exponent
        excess = power.bit_length() - 128
        return power >> excess if excess > 0 else power << -excess
    divisor = 5**-exponent
    # 2^(n + 127) / divisor, where 2^(n-1) < divisor < 2^n, lies between 2^127 and 2^128.
    quotient = (1 << (divisor.bit_length() + 127)) // divisor
    return quotient + 1 if exponent >= -27 else quotient


def rows(values, width):
    for start in range(0, len(values), width):
        yield "  " + ", ".join(values[start:start + width]) + ","


def main():
    print("""// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Written by Tests/Generators/number-tables.py; do not edit. The rows' meaning: decant_numbers.h.

#include "decant_numbers.h"
""")
    mask = (1 << 64) - 1
    print(f"const decant_power_of_five decant_powers_of_five[{LARGEST - SMALLEST + 1}] = {{")
    entries = []
    for exponent in range(SMALLEST, LARGEST + 1):
        bits = power_of_five(exponent)
        assert bits.bit_length() == 128
        entries.append(f"{{0x{bits >> 64:016x}u, 0x{bits & mask:016x}u}}")
    print("\n".join(rows(entries, 2)))
    print("};\n")
    print("const uint64_t decant_powers_of_ten[20] = {")
    print("\n".join(rows([f"{10**exponent}u" for exponent in range(20)], 4)))
    print("};\n")
    print("const double decant_exact_powers_of_ten[23] = {")
    print("\n".join(rows([f"1e{exponent}" for exponent in range(23)], 12)))
    print("};\n")
    print("const uint8_t decant_digit_window[32] = {")
    print("\n".join(rows(["0"] * 16 + ["0xFF"] * 16, 16)))
    print("};")


main()
