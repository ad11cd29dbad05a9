# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""python -m decant: writes a description of a file, and checks files against a description."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any

from . import Reject, Schema, __version__, infer, read


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m decant", description="JSON Lines, and what is wrong with them.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)

    command = commands.add_parser("infer", help="write a description of a file, to look at and to change")
    command.add_argument("file", help="- for standard input")
    command.add_argument("--rows", type=int, default=10_000, help="look at so many rows, 0 for all (default: 10,000)")
    add_framing(command)
    command.set_defaults(run=run_infer)

    command = commands.add_parser(
        "check", help="print every bad line", description="Prints every bad line with its place. Exit status: 0; 1 if a line "
        "is bad; 2 if something cannot be read.")
    command.add_argument("files", nargs="+", metavar="file", help="- for standard input")
    command.add_argument("--schema", required=True, help="a description, such as infer writes, or a file with one")
    command.add_argument("--redact", action="store_true", help="print nothing of the input")
    add_framing(command)
    command.set_defaults(run=run_check)

    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except failures() as error:
        print(f"decant: {error}", file=sys.stderr)
        return 2


def failures() -> tuple[type[Exception], ...]:
    """The exceptions that a description or a file may raise. DecantError is a ValueError."""
    try:
        from lzma import LZMAError
    except ImportError:  # a Python without it
        return ValueError, OSError, EOFError, ImportError
    return ValueError, OSError, EOFError, ImportError, LZMAError


def add_framing(command: argparse.ArgumentParser) -> None:
    command.add_argument("--framing", choices=("lines", "records", "documents"), default="lines")
    command.add_argument("--elements", metavar="POINTER", help="the rows are the elements of the array at a JSON Pointer")


def source_of(name: str) -> Any:
    return 0 if name == "-" else name


def run_infer(options: argparse.Namespace) -> int:
    found = infer(source_of(options.file), rows=options.rows or None, framing=options.framing, elements=options.elements)
    sys.stdout.write(str(found))
    return 0


def run_check(options: argparse.Namespace) -> int:
    if "{" in options.schema and not os.path.lexists(options.schema):
        schema = Schema(options.schema)
    else:
        with open(options.schema, encoding="utf-8") as file:
            schema = Schema(file.read(), name=options.schema)
    status = 0
    for name in options.files:
        count, failure = 0, None
        try:
            rows = read(source_of(name), schema, framing=options.framing, elements=options.elements, rejects=(1 << 62),
                        redacts_input=options.redact)
            # The lines are checked alone.
            super(type(rows), rows).close()
            for reject in rows.rejects:
                count += reject.count
                sys.stdout.write(words(name, reject))
        except BrokenPipeError:
            raise
        except failures() as error:
            # The other files are checked, too.
            failure = error
        sys.stdout.flush()
        if failure is None or count > 0:
            print(f"{name}: {count:,} bad line{'' if count == 1 else 's'}", file=sys.stderr)
        if failure is not None:
            print(f"decant: {failure}", file=sys.stderr)
        status = max(status, 2 if failure is not None else int(count > 0))
    return status


def words(name: str, reject: Reject) -> str:
    """Formats a reject as compilers do, with a caret under the first offending byte."""
    column = reject.column
    place = f"{name}:{reject.line}" + (f":{column}" if column else "")
    text = f"{place}: {reject.path + ': ' if reject.path else ''}{reject.message}\n"
    if reject.text is None:
        return text
    shown, at = reject.text, column or 0
    # A window of a long line.
    if len(shown) > 100:
        start = max(0, min(at - 60, len(shown) - 100))
        shown, at = shown[start:start + 100], at - start
    shown = "".join(one if one.isprintable() else " " for one in shown)
    return text + f"  {shown}\n" + (f"  {' ' * (at - 1)}^\n" if 0 < at <= len(shown) + 1 else "")


if __name__ == "__main__":
    sys.exit(main())
