# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# Checks for test scripts, to be sourced. Every script closes with the same line, which Tests/run adds up:
#
#   . "$(dirname "$0")/../Support/checks.sh"
#   check "it builds" make thing           # passes if the command does; shows its output if not
#   check_status 2 "no file" ./thing none  # passes if the command ends with status 2
#   skip "the slow half" "no valgrind here"
#   finish                                 # "N passed, N failed[, N skipped]"; exits

passed=0 failed=0 skipped=0

check() { check_status 0 "$@"; }

check_status() {
  local expected=$1 name=$2 output status=0
  shift 2
  output=$("$@" 2>&1 < /dev/null) || status=$?
  if [ "$status" = "$expected" ]; then
    passed=$((passed + 1))
    echo "  passed: $name"
  else
    failed=$((failed + 1))
    echo "  FAILED: $name (status $status, expected $expected)"
    tail -n 60 <<< "$output" | cut -c 1-300 | sed 's/^/    /'
    return 1
  fi
}

skip() {
  skipped=$((skipped + 1))
  echo "  skipped: $1: $2"
}

# Adds the counts of a line "N passed, N failed[, N skipped]"; fails if it is none.
add_counts() {
  local pattern='^([0-9]+) passed, ([0-9]+) failed(, ([0-9]+) skipped)?$'
  [[ $1 =~ $pattern ]] || return 1
  passed=$((passed + BASH_REMATCH[1]))
  failed=$((failed + BASH_REMATCH[2]))
  skipped=$((skipped + ${BASH_REMATCH[4]:-0}))
}

finish() {
  local skipped_part=
  [ "$skipped" = 0 ] || skipped_part=", $skipped skipped"
  echo "$passed passed, $failed failed$skipped_part"
  [ "$failed" = 0 ]
  exit
}
