# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# Swift for Apple's systems, type-checked here, for scripts that have set `root`:
#
#   . "$root/Tests/Support/apple.sh"
#   apple_sdk FOLDER                # an SDK of the standard library alone, for the oldest macOS of Package.swift
#   apple_module FOLDER MODULE      # checks a module of Sources; those that it imports come before it
#
# The interfaces of the toolchain's standard library say since which system each declaration is there. A compiler for
# Linux does not heed that, but one for macOS does, whichever machine it runs on. So what is read here is the toolchain's
# own library with another target in its first lines: the system that the library is written for, which has all of it. No
# code is made, and nothing of Foundation or of Apple's libc is there: the headers of C say what the modules of Swift need
# of them.

apple_target() {
  local processor
  processor=$(uname -m)
  echo "${processor/aarch64/arm64}-apple-macosx$(sed -n 's/.*\.macOS(\.v\([0-9]*\)).*/\1/p' "$root/Package.swift").0"
}

apple_sdk() {
  local folder=$1 library module target
  target=$(apple_target)
  library=$(swift -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/linux
  for module in Swift SwiftOnoneSupport _Concurrency _StringProcessing Synchronization; do
    mkdir -p "$folder/sdk/usr/lib/swift/$module.swiftmodule"
    # Not compiled: bodies; those of declarations for older systems, which the library on Linux does not have.
    sed -E -e "/^\/\/ swift-module-flags:/{
        s/-target [^ ]+/-target ${target%%-macosx*}-macosx26.0/
        s/-target-min-inlining-version min|-library-level api//g
        s/\$/ -experimental-skip-all-function-bodies/
      }" -e 's/^( *)@backDeployed\([^)]*\)/\1/' \
      "$library/$module.swiftmodule/$(uname -m)"-unknown-linux-gnu.swiftinterface \
      > "$folder/sdk/usr/lib/swift/$module.swiftmodule/${target%%-macosx*}-macos.swiftinterface" || return
  done
  for module in CDecantIndex CDecantSystem; do
    mkdir -p "$folder/$module"
    echo "module $module { umbrella \"$root/Sources/$module/include\" export * }" > "$folder/$module/module.modulemap"
  done
  mkdir -p "$folder/libc" "$folder/modules"
  cat > "$folder/libc/string.h" <<'HEADER'
#include <stddef.h>
void *memchr(const void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
size_t strlen(const char *);
HEADER
  cat > "$folder/libc/stdlib.h" <<'HEADER'
#include <stddef.h>
void free(void *);
void *malloc(size_t);
void *realloc(void *, size_t);
HEADER
}

# Calls the compiler with an SDK of `apple_sdk`.
apple_swiftc() {
  local folder=$1
  shift
  swiftc -target "$(apple_target)" -sdk "$folder/sdk" -module-cache-path "$folder/cache" -swift-version 6 \
    -package-name decant -parse-as-library -Xfrontend -disable-objc-interop -I "$folder/modules" \
    -I "$folder/CDecantIndex" -I "$folder/CDecantSystem" -I "$root/Include" -Xcc -isystem -Xcc "$folder/libc" \
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
    -enable-upcoming-feature MemberImportVisibility -enable-experimental-feature Lifetimes "$@"
}

apple_module() {
  local folder=$1 module=$2 sources
  mapfile -t sources < <(find "$root/Sources/$module" -name '*.swift')
  apple_swiftc "$folder" -typecheck -wmo -module-name "$module" "${sources[@]}" &&
    apple_swiftc "$folder" -emit-module -wmo -module-name "$module" -o "$folder/modules/$module.swiftmodule" \
      -Xfrontend -experimental-skip-all-function-bodies "${sources[@]}"
}
