#!/usr/bin/env python3
# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# models.py FOLDER: writes the models that `run` type-checks, as FOLDER/SPELLING-FIELDS-MISTAKE.swift. They are
# spelled as README.md spells them. The lines with the mistake end in `// wrong`; where a field is forgotten,
# those are the lines that name `build` and the initializer.

import pathlib
import sys

FIELDS = [  # name, type, and how it is read: required, optional, array, default
    ("id", "Int", "r"), ("name", "String", "r"), ("email", "String?", "o"), ("color", "Color", "r"),
    ("admin", "Bool", "d"), ("score", "Double", "r"), ("tags", "[String]", "a"), ("city", "String?", "o"),
    ("zip", "String", "r"), ("country", "String", "r"), ("visits", "Int", "r"), ("ratio", "Double", "r"),
    ("nickname", "String?", "o"), ("verified", "Bool", "d"), ("friends", "[Int]", "a"), ("labels", "[String: String]", "r"),
    ("height", "Double?", "o"), ("weight", "Float", "r"), ("language", "String", "r"), ("active", "Bool", "r"),
    ("street", "String", "r"), ("floor", "Int?", "o"), ("level", "Int", "r"), ("rank", "Int", "r"),
]
MISTAKES = ["correct", "optional", "array", "default", "forgotten", "typo", "key", "conformance", "order"]


def named(name, kind, get="decode", lead=""):
    return lead + {
        "r": 'json.%s("%s")', "a": 'json.%s("%s")', "o": 'json.%sIfPresent("%s")', "d": 'json.%s("%s", default: false)',
    }[kind] % (get, name)


def operators(name, kind):
    return named(name, kind) if kind == "d" else 'json %s "%s"' % ({"r": "<|", "o": "<|?", "a": "<||"}[kind], name)


SPELLINGS = {
    "operators": operators,
    "build": named,
    "build with operators": operators,
    "init": lambda name, kind: named(name, kind, "get", "try "),
}
HEAD = {
    "operators": "extension Profile: JSONDecodable {\n  static func decode(_ json: JSON) -> Decoded<Profile> {\n",
    "init": "extension Profile: JSONInitializable {\n  init(json: JSON) throws(DecodeError) {\n",
}


def spoil(parts, mistake, read):
    """Puts the mistake into the parts, and marks its lines."""
    place = {name: index for index, (name, _) in enumerate(parts)}
    def replace(name, text): parts[place[name]] = (name, text + "@")
    if mistake == "optional": replace("visits", read("visits", "o"))
    if mistake == "array":
        text = read("name", "a")
        replace("name", text if "<||" in text else text.replace('"name"', '"name", as: [String].self'))
    if mistake == "default": replace("admin", read("admin", "d").replace("false", "0"))
    if mistake == "forgotten": del parts[place["visits"]]
    if mistake == "typo":
        text = read("visits", "r")
        replace("visits", text.replace("json <", "jsno <").replace("json.", "json.x"))
    if mistake == "key": replace("visits", read("visits", "r").replace('"visits"', "key"))
    if mistake == "conformance": replace("color", read("color", "r"))
    if mistake == "order":
        tags, city = place["tags"], place["city"]
        parts[tags], parts[city] = (parts[tags][0], parts[city][1] + "@"), (parts[city][0], parts[tags][1] + "@")


def model(spelling, count, mistake):
    read = SPELLINGS[spelling]
    fields = FIELDS[:count]
    parts = [(name, read(name, kind)) for name, _, kind in fields]
    spoil(parts, mistake, read)
    conformance = "" if mistake == "conformance" else ", JSONDecodable"
    text = "import Decant\n\nlet key = \"visits\" as String\n\nenum Color: String%s { case red, green }\n\n" % conformance
    text += "struct Profile {\n" + "".join("  let %s: %s\n" % field[:2] for field in fields) + "}\n\n"
    text += HEAD.get(spelling, HEAD["operators"])
    forgotten = "@" if mistake == "forgotten" else ""
    if spelling == "init":
        text += "".join("    %s = %s\n" % part for part in parts) + "  }%s\n}\n" % forgotten
    elif spelling == "operators":
        text += "    curry(Profile.init)\n"
        glyphs = ["<^>"] + ["<*>"] * (len(parts) - 1)
        lines = ["      %s %s\n" % (glyph, part) for glyph, (_, part) in zip(glyphs, parts)]
        lines[0] = lines[0].replace("\n", forgotten + "\n")
        text += "".join(lines) + "  }\n}\n"
    else:
        text += "    build(%s\n      Profile.init,%s\n" % (forgotten, forgotten)
        text += ",\n".join("      " + part for _, part in parts).replace("@,", ",@") + "\n    )\n  }\n}\n"
    return text.replace("@", "  // wrong")


def without(*forgotten):
    """A `build` of 24 fields, of six types by turns, that lacks some of them."""
    types = ["Int", "String", "Double?", "[String]", "Bool", "Int?"]
    fields = [("f%d" % number, types[number % len(types)]) for number in range(24)]
    text = "import Decant\n\nstruct Profile {\n" + "".join("  let %s: %s\n" % field for field in fields) + "}\n\n"
    text += HEAD["operators"] + "    build(\n      Profile.init,\n"
    text += ",\n".join("      " + named(name, "o" if kind.endswith("?") else "r")
                       for number, (name, kind) in enumerate(fields) if number not in forgotten)
    return text + "\n    )\n  }\n}\n"


folder = pathlib.Path(sys.argv[1])
for place in range(24): (folder / ("without-%02d.swift" % place)).write_text(without(place))
(folder / "without-three.swift").write_text(without(2, 12, 23))
for spelling in SPELLINGS:
    for count in (12, 16, 20, 24):
        for mistake in MISTAKES:
            (folder / ("%s-%d-%s.swift" % (spelling, count, mistake))).write_text(model(spelling, count, mistake))
