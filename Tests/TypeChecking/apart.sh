# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# Packages that Tests/run does not build, because they measure, attack or fuzz for as long as they may: their sources are
# type-checked, so that a name that has changed is noticed. To be sourced by `run`, after the library's modules are built.

# The modules of a package in C, which have headers and no module maps.
read_package() {  # PACKAGE
  local include name
  package=$root/Tests/$1/Sources own=() headers=(-I "$root/Include")
  for include in "$package"/*/include; do
    name=$(basename "$(dirname "$include")")
    printf 'module %s { umbrella "%s" export * }\n' "$name" "$include" > "$models/$name.modulemap"
    own+=(-Xcc "-fmodule-map-file=$models/$name.modulemap" -Xcc "-I$include")
    headers+=(-I "$include")
  done
}
check_swift() {  # MODULE OPTIONS…
  local files
  mapfile -t files < <(find "$package/$1" -name '*.swift')
  swiftc -module-name "${1//-/_}" "${files[@]}" -I "$models" -I "$bin/Modules" -I "$root/Sources/CJansson" -I "$root/Include" \
    "${maps[@]}" "${own[@]}" -load-plugin-executable "$bin/DecantMacros-tool#DecantMacros" -warnings-as-errors "${@:2}"
}
check_library() { check_swift "$1" -parse-as-library -emit-module -o "$models/$1.swiftmodule" "${@:2}"; }
check_program() { check_swift "$1" -typecheck "${@:2}"; }
check_c() { clang -std=c11 -fsyntax-only -Wall -Werror "${headers[@]}" "$@"; }

check_benchmarks() {
  read_package Benchmarks
  check_library Corpora -swift-version 6 && check_library Contenders -swift-version 6 &&
    check_program decant-benchmarks -swift-version 6 &&
    check_program decant-allocations -swift-version 6 && check_c "$package"/*/*.c "$package"/../{Linking,Lines}/*.c
}
check_fuzz() {
  read_package Fuzz
  check_library CodableShapes -swift-version 5 && check_program codable-shapes -swift-version 5 -parse-as-library &&
    check_program decant-fuzz -swift-version 5 && check_c "$package"/*/*.c
}
check_attack() {
  read_package Attack
  check_program decant-attack -swift-version 6 && check_program decant-stacks -swift-version 6 && check_c "$package"/*/*.c
}

for name in benchmarks fuzz attack; do
  problem=
  check_$name > "$log" 2>&1 || { problem="does not compile" && cat "$log"; }
  count "the sources of Tests/${name^}" "$problem"
done
