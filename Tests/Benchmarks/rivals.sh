# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# The rivals' sources, as new as PyPI and Debian have them, and a library of the rivals for each set of processor
# features. To be sourced in Tests/Benchmarks. Needs python3 with pip, clang and rapidjson-dev.
#
#   fetch_rivals              simdjson.h, simdjson.cpp, yyjson.h and yyjson.c into $rival_sources
#   build_simdjson FEATURES   $rival_folder/FEATURES/simdjson.o
#   build_rivals FEATURES     $rival_folder/FEATURES/rivals.so, for -march=FEATURES: native, haswell, ...
#   rival_features KERNEL     the features that a kernel of Decant is held against

rival_folder=$PWD/.build/rivals
rival_sources=$rival_folder/sources

fetch_rivals() {
  [ "$rival_sources/fetched" -nt Rivals/requirements.txt ] && return 0
  local scratch=$rival_folder/packages file
  rm -rf "$scratch" "$rival_sources" && mkdir -p "$scratch" "$rival_sources"
  python3 -m pip download -q --disable-pip-version-check --no-deps --no-binary :all: --require-hashes \
    -r Rivals/requirements.txt -d "$scratch" || return 1
  for file in "$scratch"/*.tar.gz; do tar -xzf "$file" -C "$scratch" || return 1; done
  find "$scratch" \( -name 'simdjson.h' -o -name 'simdjson.cpp' -o -name 'yyjson.h' -o -name 'yyjson.c' \) \
    -exec cp {} "$rival_sources" \;
  rm -rf "$scratch"
  touch "$rival_sources/fetched"
}

build_simdjson() {
  local folder=$rival_folder/$1
  mkdir -p "$folder"
  [ "$folder/simdjson.o" -nt "$rival_sources/fetched" ] ||
    clang++ -std=c++20 -O3 -DNDEBUG -fPIC "-march=$1" "-I$rival_sources" -c "$rival_sources/simdjson.cpp" \
      -o "$folder/simdjson.o"
}

build_rivals() {
  local folder=$rival_folder/$1 source
  local flags=(-O3 -DNDEBUG -fPIC "-march=$1" "-I$rival_sources" -ISources/BenchmarkModels/include
    -ISources/BenchmarkSupport/include)
  build_simdjson "$1" || return 1
  for source in "$rival_sources/yyjson.c" Sources/BenchmarkSupport/keep.c; do
    clang -std=c11 "${flags[@]}" -c "$source" -o "$folder/$(basename "$source" .c).o" || return 1
  done
  for source in Rivals/*.cpp; do
    clang++ -std=c++20 -Wall -Wextra "${flags[@]}" -c "$source" -o "$folder/$(basename "$source" .cpp).o" || return 1
  done
  echo '{ global: *_contender; *_writer; *_messages; *_features; local: *; };' > "$folder/exports"
  clang++ -shared -o "$folder/rivals.so" "$folder"/*.o -Wl,--version-script="$folder/exports"
}

rival_features() {
  case $1 in
    avx2) echo haswell ;;
    sse4.2) echo westmere ;;
    *) echo native ;;
  esac
}
