// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// SwiftPM makes the program's entry a function named after it, which libFuzzer does not provide.

int LLVMFuzzerRunDriver(int *count, char ***arguments,
                        int (*test)(const unsigned char *data, unsigned long size));
int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size);
int decant_fuzz_main(int count, char **arguments);

int decant_fuzz_main(int count, char **arguments) {
  return LLVMFuzzerRunDriver(&count, &arguments, LLVMFuzzerTestOneInput);
}
