# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# Builds with a sanitizer, to be sourced after packages.sh; $root is the checkout. Each sanitizer has one folder, for the
# suites and for programs in C. Reports name functions; for their lines, leave `-debug-info-format none` out.

sanitized=$root/Tests/Sanitizers/.build
with_sanitizer() {  # build|test SANITIZER [ARGUMENT…]
  swift "$1" --package-path "$root" --scratch-path "$sanitized/$2" --sanitize="$2" -Xcc -fsanitize="$2" \
    "${build_flags[@]}" "${@:3}"
}
