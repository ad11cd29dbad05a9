# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# Builds with a sanitizer, to be sourced after packages.sh; $root is the checkout. Each sanitizer has one folder, for the
# suites and for programs in C. Reports name functions; for their lines, leave `-debug-info-format none` out.

sanitized=$root/Tests/Sanitizers/.build
build_with_sanitizer() {  # SANITIZER [ARGUMENT…]
  swift build --package-path "$root" --scratch-path "$sanitized/$1" --sanitize="$1" -Xcc -fsanitize="$1" \
    "${build_flags[@]}" "${@:2}"
}

# All suites with a library that a sanitizer's build compiled: $sanitized/SANITIZER/tests. The suites' own objects are
# those of the part `swift`, which call the library by its functions. Small functions that the compiler writes into both
# are the library's, which comes first. What is in swiftmodule.o is for debuggers.
link_with_sanitizer() {  # SANITIZER
  local list=$builds/debug/DecantPackageTests.product/Objects.LinkFileList objects=$sanitized/$1/objects-of-tests
  swift_build --package-path "$root" --build-tests && build_with_sanitizer "$1" || return
  {
    grep -vE 'Tests\.build/|\.swiftmodule\.o' "$list" | sed "s#^.*/debug/#$sanitized/$1/debug/#"
    grep 'Tests\.build/' "$list" | grep -v '\.swiftmodule\.o'
  } > "$objects"
  swiftc -emit-executable -module-name DecantPackageTests -gnone -sanitize="$1" -o "$sanitized/$1/tests" \
    -L "$builds/debug" "@$objects"
}
