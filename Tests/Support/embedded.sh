# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# The C interface as Embedded Swift for other processors, to be sourced. What is compiled stays in .build/embedded, for
# the next script and the next time.
#
#   embedded_library wasm32        # .build/embedded/wasm32/*.o, with the objects of the engine
#   embedded_engine aarch64        # .build/embedded/engine-aarch64/*.o, these alone
#   wasm_program out.wasm main.c   # a program for WASI
#   wasm_module out.wasm module.o  # functions for a page
#
# A row of `embedded_target` is a processor, or x86-64 with another libc: the triple of the toolchain's Embedded standard
# library, the compiler for C, where its libc's headers are, and optimisation. The standard library has no
# floating-point registers on 32-bit Arm, so that its libc is armel's.

embedded_target() {
  case $1 in
    aarch64) echo aarch64-none-none-elf aarch64-linux-gnu-gcc /usr/aarch64-linux-gnu/include -O ;;
    musl) echo x86_64-unknown-none-elf musl-gcc /usr/include/x86_64-linux-musl -Onone ;;
    arm) echo armv7-none-none-eabi arm-linux-gnueabi-gcc /usr/arm-linux-gnueabi/include -O ;;
    wasm32) echo wasm32-unknown-none-wasm "$(toolchain)/bin/clang" /usr/include/wasm32-wasi -Osize ;;
  esac
}

toolchain() {
  swift -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)\/lib\/swift".*/\1/p'
}

# Whether a folder has everything, and nothing in it is older than what it is made of.
embedded_is_fresh() {  # FOLDER SOURCE…
  [ -e "$1/complete" ] &&
    [ -z "$(find "${@:2}" "$root/Tests/Support/embedded.sh" -newer "$1/complete" -print -quit)" ]
}

# Parts of Tests/run may ask for the same folder at once: the second waits, and then has it.
one_at_a_time() {  # FOLDER COMMAND…
  mkdir -p "$root/.build/embedded" && (flock 9 && "${@:2}") 9> "$root/.build/embedded/$1.lock"
}
embedded_library() { one_at_a_time "$1" compile_library "$1"; }
embedded_engine() { one_at_a_time "engine-$1" compile_engine "$1"; }

compile_engine() {
  local triple compiler headers optimisation folder=$root/.build/embedded/engine-$1 source flags=()
  read -r triple compiler headers optimisation <<< "$(embedded_target "$1")"
  embedded_is_fresh "$folder" "$root/Sources/CDecantIndex" && return
  # From before the compilation, so that what changes during it is newer.
  rm -rf "$folder" && mkdir -p "$folder" && touch "$folder/begun" || return
  flags=(-std=c11 -O2 -Wall -Wextra -Werror -ffunction-sections -fdata-sections -I "$root/Sources/CDecantIndex/include")
  [ "$1" != arm ] || flags+=(-march=armv7-a)
  [ "$1" != wasm32 ] || flags+=(-Oz --target=wasm32-wasi -isystem "$headers")
  for source in "$root"/Sources/CDecantIndex/*.c; do
    "$compiler" "${flags[@]}" -c "$source" -o "$folder/$(basename "$source" .c).o" || return
  done
  mv "$folder/begun" "$folder/complete"
}

compile_library() {
  local triple compiler headers optimisation folder=$root/.build/embedded/$1 flags=() core c
  read -r triple compiler headers optimisation <<< "$(embedded_target "$1")"
  embedded_is_fresh "$folder" "$root"/Sources/{CDecantIndex,DecantCore,DecantC} "$root/Include" \
    "$root/Examples/Browser/random.c" && return
  rm -rf "$folder" && mkdir -p "$folder" && touch "$folder/begun" || return
  printf 'module CDecantIndex {\n  umbrella "%s"\n  export *\n}\n' "$root/Sources/CDecantIndex/include" \
    > "$folder/CDecantIndex.modulemap"
  flags=(-target "$triple" "$optimisation" -wmo -parse-as-library -package-name Decant -swift-version 6
    -strict-memory-safety -enable-experimental-feature Embedded -enable-experimental-feature Lifetimes
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
    -enable-upcoming-feature MemberImportVisibility -Xfrontend -function-sections
    -Xcc -isystem -Xcc "$headers" -Xcc -fmodule-map-file="$folder/CDecantIndex.modulemap"
    -I "$folder" -I "$root/Include")
  # Its libc has no stack protector.
  [ "$1" != wasm32 ] || flags+=(-Xfrontend -disable-stack-protector)
  mapfile -t core < <(find "$root/Sources/DecantCore" -name '*.swift')
  mapfile -t c < <(find "$root/Sources/DecantC" -name '*.swift')
  # The object of DecantC has all it calls of DecantCore, which is optimised there: the module need not be.
  (cd "$folder" &&
    swiftc "${flags[@]}" -Onone -module-name DecantCore -emit-module -emit-module-path DecantCore.swiftmodule \
      "${core[@]}" &&
    swiftc "${flags[@]}" -module-name DecantC -o DecantC.o -c "${c[@]}") &&
    embedded_engine "$1" && cp "$root/.build/embedded/engine-$1"/*.o "$folder" || return
  [ "$1" != wasm32 ] || wasm_compile "$folder/random.o" "$root/Examples/Browser/random.c" -Oz || return
  cp "$(toolchain)/lib/swift/embedded/$triple/libswiftUnicodeDataTables.a" "$folder" && mv "$folder/begun" "$folder/complete"
}

# A program in C with the library, for what is not WebAssembly.
embedded_program() {
  local processor=$1 output=$2 source=$3 folder=$root/.build/embedded/$1 triple compiler headers optimisation
  shift 3
  read -r triple compiler headers optimisation <<< "$(embedded_target "$processor")"
  [ "$processor" != arm ] || set -- -march=armv7-a "$@"
  # GNU ld of Debian 12 refuses protected data that the Swift compiler emits for 64-bit Arm, such as the empty array.
  [ "$processor" != aarch64 ] || set -- -fuse-ld=gold "$@"
  "$compiler" -std=c11 -O1 -Wall -Wextra -Wpedantic -Werror -D_DEFAULT_SOURCE -DWITHOUT_JANSSON \
    -DDECANT_FEWER_ROUNDS=8 -I "$root/Include" \
    -o "$output" "$source" "$@" -Wl,--gc-sections "$folder"/*.o "$folder/libswiftUnicodeDataTables.a" -lpthread -lm
}

# What clang has for 128-bit arithmetic, of whichever version of the package.
wasm_builtins() {
  find /usr/lib/llvm-*/lib/clang -name libclang_rt.builtins-wasm32.a 2> /dev/null | sort -V | tail -n 1
}
wasm_packages='wasi-libc libclang-rt-14-dev-wasm32'

wasm_compile() {  # OBJECT SOURCE FLAGS…
  local object=$1 source=$2
  shift 2
  "$(toolchain)/bin/clang" --target=wasm32-wasi -isystem /usr/include/wasm32-wasi -std=c11 -Wall -Wextra -Wpedantic \
    -Werror -ffunction-sections -I "$root/Include" "$@" -c "$source" -o "$object"
}

wasm_link() {  # OUTPUT OBJECTS AND FLAGS…
  local output=$1 folder=$root/.build/embedded/wasm32
  shift
  "$(toolchain)/bin/wasm-ld" --gc-sections --stack-first -L /usr/lib/wasm32-wasi "$@" "$folder"/*.o \
    "$folder/libswiftUnicodeDataTables.a" -lc "$(wasm_builtins)" -o "$output"
}

wasm_program() {  # OUTPUT SOURCE
  wasm_compile "$1.o" "$2" -O1 -D_DEFAULT_SOURCE -D_WASI_EMULATED_PROCESS_CLOCKS \
    -DWITHOUT_JANSSON -DDECANT_FEWER_ROUNDS=16 &&
    wasm_link "$1" -z stack-size=1048576 /usr/lib/wasm32-wasi/crt1-command.o "$1.o" -lwasi-emulated-process-clocks
}

# A library, not a program: functions to call, in any order. The stack is before the data, so that a stack that is too
# deep is a trap, not other data. wasm-opt takes a sixth off; older versions have to be told what clang has switched on.
wasm_module() {  # OUTPUT OBJECTS AND FLAGS…
  local output=$1
  shift
  wasm_link "$output" -s --no-entry -z stack-size=262144 /usr/lib/wasm32-wasi/crt1-reactor.o "$@" &&
    wasm-opt -Oz --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int --enable-mutable-globals \
      "$output" -o "$output"
}
