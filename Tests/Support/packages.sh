# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# Set-up for scripts, to be sourced: what Debian 12 and a Swift toolchain lack is installed.
#
#   . "$(dirname "$0")/../Tests/Support/packages.sh"
#   need_swift
#   need_packages libjansson-dev cmake
#
# Where that is not possible, the script names what is missing and ends with status 2.

stop() {
  echo "$(basename "$0"): $*" >&2
  exit 2
}

need_swift() {
  [ ! -x /opt/swift/usr/bin/swift ] || PATH=$PATH:/opt/swift/usr/bin
  command -v swift > /dev/null || stop "put Swift 6.3 or later on the PATH (https://swift.org/install)"
}

# Whether what a package is needed for is there, from wherever it came.
has_package() {
  case $1 in
    cmake | g++ | gcc | pkg-config | python3 | valgrind | wrk) command -v "$1" > /dev/null ;;
    binutils) command -v nm > /dev/null ;;
    libc6-dev) [ -e /usr/include/stdio.h ] ;;
    libjansson-dev) [ -e /usr/include/jansson.h ] || pkg-config --exists jansson 2> /dev/null ;;
    libmicrohttpd-dev) [ -e /usr/include/microhttpd.h ] ;;
    ninja-build) command -v ninja > /dev/null ;;
    *) dpkg -s "$1" > /dev/null 2>&1 ;;
  esac
}

# Builds the library, whose checkout is $root (needed for this alone), or a package that depends on it. All of them build
# into one folder and with the same flags, so that the library is compiled once for each configuration. The plan of a
# build is each package's own, and so is not cached. Packages name the checkout by one path: by another, a link's too, the
# library would be compiled again, twice.
#
# Debug builds have no debug information, which valgrind cannot read, and no zeroed copies of variables for debuggers,
# which take a quarter of the time under AddressSanitizer. Modules are compiled as wholes, their interfaces written by the
# same run of the compiler, with an index of the package's own sources, by which SwiftPM finds tests. A clean build of the
# tests takes little more than half as long as by SwiftPM's own flags. Release builds are compiled as a user's, since
# Tests/Cost/run measures the first of them there, and linked without debug information.
builds=${root-}/.build/clients
build_flags=(-debug-info-format none --disable-build-manifest-caching -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 1
  -Xswiftc -no-emit-module-separately-wmo -Xswiftc -index-ignore-system-modules
  -Xswiftc -Xfrontend -Xswiftc -disable-debugger-shadow-copies)
swift_build() {
  case " $* " in
    *' release '*) env -u DECANT_WARNINGS_ARE_ERRORS swift build --scratch-path "$builds" \
      --disable-build-manifest-caching -Xlinker --strip-debug "$@" ;;
    *) swift build --scratch-path "$builds" "${build_flags[@]}" "$@" ;;
  esac
}

# Installs what is missing; one script at a time, since several may run.
need_packages() {
  local package missing=() sudo=
  for package; do
    has_package "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get > /dev/null ||
    stop "install ${missing[*]} (these are Debian's names) and run again"
  if [ "$(id -u)" != 0 ]; then
    sudo -n true 2> /dev/null || stop "install ${missing[*]} and run again"
    sudo='sudo -n'
  fi
  echo "Installing ${missing[*]}"
  {
    flock 9
    $sudo apt-get update -q &&
      $sudo env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "${missing[@]}"
  } > /dev/null 9> "${TMPDIR:-/tmp}/decant-packages.lock" || stop "could not install ${missing[*]}"
}
