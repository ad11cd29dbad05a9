#!/usr/bin/env python3
# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# Draws the arrows between the modules, and between DecantCore's folders, from the code, and fails on an arrow that
# runs up. An arrow A -> B means that code in A uses a name that B alone declares.
#
# Modules: `import` lines. Folders: names of types and global functions, and of members that one folder alone adds to
# types of others. Names that the standard library has too prove nothing and are left out.
#
#   layers.py [--why FROM TO]    with --why, the names behind one arrow

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# From the bottom to the top. A layer uses those below it, and itself.
MODULES = [
    ["CJansson", "CDecantIndex", "CDecantSystem", "CDecant", "DecantMacros"],
    ["DecantCore"],
    ["DecantJansson", "DecantCodable", "DecantOperators", "DecantVocabulary"],
    ["DecantFoundation", "DecantLines", "DecantC", "DecantOptionalOperators"],
    ["DecantColumns", "DecantHeader", "Decant"],
    ["GenerateHeaders"],
]
FOLDERS = [
    ["Layouts"],
    ["View", "Strings", "Numbers"],
    ["Reading"],
    # The words are written when an error is resolved, and they are words about an error: one layer.
    ["Errors", "Wording"],
    ["Explaining"],
    ["Decoding"],
    ["Writing", "Value", "Conversions", "Streams"],
    ["Printing"],
]
# Members that have the name of one in the standard library, of a case or of a parameter.
COMMON = set("""
append apply bool bytes capacity code count decode description double element elements end error exists failure field fields
first hash index init int integer isEmpty key keys kind last length limit map members name next node offset part path range read
remove reserve rest start step storage string take text tokens update value values view width words
write
""".split())

DECLARATION = re.compile(
    r"^(?P<indent> {0,2})(?:@\w+(?:\([^)]*\))? +)*(?P<words>(?:(?:public|package|internal|private|fileprivate|static|"
    r"final|mutating|nonmutating|consuming|borrowing|nonisolated(?:\(unsafe\))?|unsafe|indirect|convenience|"
    r"private\(set\)|package\(set\)|fileprivate\(set\)) +)*)"
    r"(?P<kind>struct|class|enum|protocol|typealias|actor|func|var|let) +`?(?P<name>\w+)")


def plain(text):
    """The code without comments and without what is in string literals."""
    text = re.sub(r'"""(?:\\.|[^\\])*?"""', '""', text, flags=re.S)
    text = re.sub(r'#"[^\n]*?"#', '""', text)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    return re.sub(r"//[^\n]*", "", text)


def sources(folder):
    for place, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(".swift"):
                path = os.path.join(place, name)
                with open(path, encoding="utf-8") as file:
                    yield path, plain(file.read())


def type_names(text):
    """Names of types and global functions that other files can see."""
    names = set()
    for line in text.split("\n"):
        match = DECLARATION.match(line)
        if not match or re.search(r"\b(?:private|fileprivate) ", match["words"]):
            continue
        if not match["indent"] or match["kind"] in ("struct", "class", "enum", "protocol"):
            names.add(match["name"])
    return names


def member_names(text, own_types):
    """Members of extensions of types that another folder declares; functions with their parenthesis."""
    names, is_foreign = set(), False
    for line in text.split("\n"):
        block = re.match(r"(private |fileprivate )?(?:@\w+ )*extension (\w+)", line)
        if block:
            is_foreign = not block[1] and block[2] not in own_types
        elif line[:1] not in (" ", "}", ""):
            is_foreign = False
        match = DECLARATION.match(line)
        if is_foreign and match and match["indent"] and match["kind"] in ("func", "var", "let"):
            if not re.search(r"\b(?:private|fileprivate) ", match["words"]):
                names.add(match["name"] + ("(" if match["kind"] == "func" else ""))
    return names


def used(text):
    names = set(re.findall(r"\b[A-Z]\w+\b", text)) | set(re.findall(r"(?<![.\w])([a-z]\w+)\(", text))
    members = set(re.findall(r"\.([a-z]\w+\(?)", text)) | set(re.findall(r"(?<![.\w])([a-z]\w+\()", text))
    return names, members


def folder_arrows():
    core = os.path.join(ROOT, "Sources", "DecantCore")
    files = [(os.path.relpath(path, core).split(os.sep)[0], path, text) for path, text in sources(core)]
    owners_of_type, owners_of_member, arrows = {}, {}, {}
    for folder, _, text in files:
        for name in type_names(text):
            owners_of_type.setdefault(name, set()).add(folder)
    for folder, _, text in files:
        own_types = {name for name, owners in owners_of_type.items() if folder in owners}
        for name in member_names(text, own_types):
            if name.rstrip("(") not in COMMON:
                owners_of_member.setdefault(name, set()).add(folder)
    for folder, path, text in files:
        names, members = used(text)
        hits = [(name, owners_of_type.get(name)) for name in names]
        hits += [(name, owners_of_member.get(name)) for name in members]
        for name, owners in hits:
            if owners is not None and len(owners) == 1 and folder not in owners:
                reason = f"{name.rstrip('(')} ({os.path.basename(path)})"
                arrows.setdefault((folder, next(iter(owners))), set()).add(reason)
    return {folder for folder, _, _ in files}, arrows


def module_arrows():
    modules = {name for layer in MODULES for name in layer}
    found, arrows = set(), {}
    for module in sorted(os.listdir(os.path.join(ROOT, "Sources"))):
        for path, text in sources(os.path.join(ROOT, "Sources", module)):
            found.add(module)
            for name in re.findall(r"^\s*(?:@_exported |public |internal |package )*import (\w+)", text, re.M):
                if name in modules and name != module:
                    arrows.setdefault((module, name), set()).add(os.path.basename(path))
    return found, arrows


def check(title, layers, found, arrows):
    """Prints the arrows, layer by layer; returns the faults."""
    height = {name: number for number, layer in enumerate(layers) for name in layer}
    faults = [f"{title}: {name} has no layer" for name in sorted(found - set(height))]
    print(title)
    for layer in reversed(layers):
        for name in layer:
            targets = sorted(to for source, to in arrows if source == name)
            if name in found or targets:
                print(f"  {name:24} -> {', '.join(targets) or '-'}")
    for (source, to), why in sorted(arrows.items()):
        if height.get(source, 0) < height.get(to, 0):
            faults.append(f"{title}: {source} -> {to} runs up: {', '.join(sorted(why))}")
    return faults


def main(arguments):
    folders, between_folders = folder_arrows()
    if arguments[:1] == ["--why"]:
        print("\n".join(sorted(between_folders.get((arguments[1], arguments[2]), set()))))
        return 0
    faults = check("modules", MODULES, *module_arrows())
    faults += check("DecantCore", FOLDERS, folders, between_folders)
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
