#!/usr/bin/env python3
# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""Characters that each spelling of one model takes beyond its properties: of Typed/*.swift without comments and imports, a
run of white space as one character.

  typed.py           prints them, a spelling a line
  typed.py SPELLING  prints one number
"""
import os, re, sys

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Typed")
SPELLINGS = [("Codable", "ByCodable"), ("init(json:)", "ByHand"), ("build", "ByBuild"), ("@JSONModel", "ByDeclaration")]


def characters(name):
    with open(f"{folder}/{name}.swift") as file: text = file.read()
    text = re.sub(r"^\s*(//|import ).*$", "", text, flags=re.M)
    # The namespace is of the test.
    return len(re.sub(r"\s+", " ", text).strip()) - len(f"enum {name}")


beyond = {title: characters(file) - characters("Properties") for title, file in SPELLINGS}
if len(sys.argv) > 1: print(beyond[sys.argv[1]])
else:
    for title, count in beyond.items(): print(f"{title:<24} {count:>12}")
