# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# Files of events, some lines of which are bad: another type, or cut.
#
#   make.py FOLDER [FILES [LINES]]

import os
import sys


def line(number):
    kind = ("view", "purchase")[number % 2]
    text = f'{{"id":{number},"kind":"{kind}","user":{{"id":{number % 100},"name":"Ann"}},"score":{number / 8}}}'
    if number % 1000 == 500:
        return text.replace(f'"score":{number / 8}', '"score":"high"')
    return text[:40] if number % 1700 == 300 else text


def main(folder, files=4, lines=50_000):
    os.makedirs(folder, exist_ok=True)
    for file in range(int(files)):
        with open(os.path.join(folder, f"events-{file}.ndjson"), "w", encoding="utf-8") as out:
            for number in range(int(lines)):
                print(line(file * int(lines) + number), file=out)


main(*sys.argv[1:])
