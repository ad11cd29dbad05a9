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
#
# With DECANT_CHECK_SECONDS=1, each check says how many seconds of processors were used since the one before it.

passed=0 failed=0 skipped=0

# ` (N s)`, or nothing. `times` must not run in a subshell, which has used nothing.
used_before=0
used_since() {
  used=
  [ -n "${DECANT_CHECK_SECONDS:-}" ] || return 0
  local file now
  file=$(mktemp "${TMPDIR:-/tmp}/decant-times.XXXXXX")
  builtin times > "$file"
  now=$(awk '{ gsub("s", ""); for (i = 1; i <= 2; i++) { split($i, part, "m"); all += 60 * part[1] + part[2] } }
    END { printf "%.1f", all }' "$file")
  rm -f "$file"
  used=" ($(awk "BEGIN { printf \"%.1f\", $now - $used_before }") s)"
  used_before=$now
}

check() { check_status 0 "$@"; }

check_status() {
  local expected=$1 name=$2 output status=0
  shift 2
  output=$("$@" 2>&1 < /dev/null) || status=$?
  used_since
  if [ "$status" = "$expected" ]; then
    passed=$((passed + 1))
    echo "  passed: $name$used"
  else
    failed=$((failed + 1))
    echo "  FAILED: $name (status $status, expected $expected)$used"
    tail -n 100 <<< "$output" | cut -c 1-300 | sed 's/^/    /'
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

# What Swift tests that failed say, out of a log: at most 40 lines of their issues, and the seeds of random inputs. With
# DECANT_SEED, a test has the same ones again.
issues() {
  awk '/^[^A-Za-z]*(Test|Suite) / { left = / recorded an issue / ? 6 : 0 } left-- > 0' "$1" | cut -c 1-300 | head -n 40
  sed -n 's/^\(.*\): DECANT_SEED=/\1 /p' "$1" | tr '\n' ',' | sed 's/^\(.*\),$/DECANT_SEED: \1/; s/,/, /g' | fold -s -w 110
  echo
}

finish() {
  local skipped_part=
  [ "$skipped" = 0 ] || skipped_part=", $skipped skipped"
  echo "$passed passed, $failed failed$skipped_part"
  [ "$failed" = 0 ]
  exit
}
