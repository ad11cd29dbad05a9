# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# The fenced blocks of a Markdown file, to be sourced.

# Prints the blocks whose fence has exactly these words: blocks README.md "text swift"
blocks() {
  awk -v fence='```'"$2" '$0 == fence { inside = 1; next } $0 == "```" { inside = 0 } inside' "$1"
}
