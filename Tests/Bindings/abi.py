# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# The structs and constants of decant.h, as a binding for another language needs them, on platforms of 64 bits.
#
#   abi.py HEADERS           prints the table
#   abi.py HEADERS PAGE      compares it with the one of a page
#   abi.py HEADERS PAGE new  writes it there

import re
import subprocess
import sys
import tempfile

headers, page = sys.argv[1], sys.argv[2:]


def clang(source, *arguments):
    return subprocess.run(
        ["clang", "-std=c11", "-I", headers, "-x", "c", *arguments, "-"],
        input=source, text=True, check=True, capture_output=True).stdout


expanded = clang("#include <decant.h>\n", "-E", "-P")
structs = re.findall(r"typedef struct (decant_\w+) \{", expanded)
assert len(structs) == len(re.findall(r"\}\s*decant_\w+;", expanded)), "a struct that is not found"
uses = "".join(f"int v_{name}[sizeof({name})];\n" for name in structs)
layouts = {}
dump = clang("#include <decant.h>\n" + uses, "-fsyntax-only", "-Xclang", "-fdump-record-layouts")
for block in dump.split("*** Dumping AST Record Layout")[1:]:
    name = re.search(r"\| struct (\w+)", block)
    if not name or name[1] not in structs:
        continue
    members = re.findall(r"^ *(\d+) \|   \S.*?(\w+)$", block, re.MULTILINE)
    size = re.search(r"sizeof=(\d+)", block)[1]
    layouts[name[1]] = size + ": " + ", ".join(f"{member} {offset}" for offset, member in members)
assert set(layouts) == set(structs), set(structs) ^ set(layouts)

names = []
for body in re.findall(r"\benum \{(.*?)\};", expanded, re.DOTALL):
    names.append(re.findall(r"\b(DECANT_\w+)\b(?=\s*(?:=|,|$))", body))
program = "#include <decant.h>\n#include <stdio.h>\nint main(void) {\n"
for group in [["DECANT_VERSION_NUMBER"], *names]:
    for name in group:
        program += f'  printf("%s %lld, ", "{name[7:]}", (long long){name});\n'
    program += '  printf("\\n");\n'
program += "}\n"
with tempfile.TemporaryDirectory() as folder:
    clang(program, "-o", folder + "/values")
    values = subprocess.run([folder + "/values"], text=True, check=True, capture_output=True).stdout


def wrapped(text, indent):
    lines, line = [], ""
    for word in text.split(", "):
        if len(line) + len(word) > 108:
            lines.append(line.rstrip())
            line = indent
        line += word + ", "
    return "\n".join([*lines, line.rstrip().rstrip(",")])


table = "\n".join(wrapped(f"{name[7:]} {layouts[name]}", "  ") for name in structs)
constants = "\n".join(wrapped(line.rstrip().rstrip(","), "  ") for line in values.splitlines() if line)
text = f"```\n{table}\n```\n", f"```\n{constants}\n```\n"
if not page:
    print("\n".join(text))
elif page[1:] == ["new"]:
    beginning = open(page[0]).read().split("```")[0]
    open(page[0], "w").write(beginning + "\n".join(text))
else:
    written = open(page[0]).read()
    missing = [part for part in text if part not in written]
    if missing:
        sys.exit("the page does not have:\n" + "\n".join(missing))
