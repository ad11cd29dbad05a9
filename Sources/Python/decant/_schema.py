# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""Schemas: a dictionary, a class, a pyarrow.Schema or JSON becomes the JSON description of `decant_schema_parse`."""

from __future__ import annotations

import datetime
import decimal
import difflib
import enum
import json
import os
import re
import types
import typing
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field as _dataclass_field
from typing import Any, Union

from . import _decant

SCALARS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double", "string",
           "raw", "kind", "time", "date", "decimal", "uuid", "base64", "fixed_base64")
_TYPES = {bool: "bool", int: "int64", float: "double", str: "string", datetime.datetime: "time", datetime.date: "date",
          decimal.Decimal: "decimal", uuid.UUID: "uuid", bytes: "base64"}
#: The names of the kinds in other libraries.
_OTHER_NAMES = {
    "int": "int64", "integer": "int64", "long": "int64", "bigint": "int64", "uint": "uint64", "boolean": "bool",
    "float32": "float", "float64": "double", "real": "double", "number": "double", "str": "string", "text": "string",
    "utf8": "string", "varchar": "string", "json": "raw", "object": "raw", "any": "raw", "timestamp": "time", "datetime": "time",
    "timestamptz": "time", "date32": "date", "numeric": "decimal(18, 2)", "decimal128": "decimal(18, 2)", "bytes": "base64",
    "binary": "base64"}
_DECIMAL = re.compile(r"decimal\( *([0-9]+) *, *([0-9]+) *\)")
_MISSING: Any = object()


@dataclass(frozen=True)
class Field:
    """A kind with options. Made by `field()`."""

    kind: Any
    options: Mapping[str, Any] = _dataclass_field(default_factory=dict)


def field(
    kind: Any, *, optional: bool = _MISSING, default: Any = _MISSING, key: str = _MISSING, pointer: str = _MISSING,
    from_text: bool = _MISSING, minimum: Any = _MISSING, maximum: Any = _MISSING, shortest: int = _MISSING,
    longest: int = _MISSING, unit: str = _MISSING, epoch: bool = _MISSING, zone: str = _MISSING,
    zoneless: bool = _MISSING, as_text: bool = _MISSING, null_texts: Iterable[str] = _MISSING, precision: int = _MISSING,
    scale: int = _MISSING, capacity: int = _MISSING, leave_out: bool = _MISSING, rest: bool = _MISSING,
) -> Field:
    """Returns a field with options in addition to its kind.

        {"age": decant.field("int32", minimum=0, maximum=150), "city": decant.field("string", pointer="/user/city")}

    optional: an absent or null member is null in the column; otherwise its line is a reject.
    default: the value for an absent or null member.
    key: the member's key, if it is not the column's name.
    pointer: the JSON Pointer (RFC 6901) of the value, instead of a key.
    from_text: the value may also be a string that contains a number.
    minimum, maximum: bounds of a number, decimal, time or date.
    shortest, longest: bounds of the length: the bytes of a string, the elements of a list or map.
    unit: the unit of a "time": "s", "ms", "us" or "ns".
    epoch: the "time" is an integer, the number of units since 1970, instead of RFC 3339 text.
    zone: the time zone of the column's type; "UTC" by default.
    zoneless: times have no zone, such as "2026-11-27T01:02:03".
    as_text: the value of a "string" may also be a number or a boolean; the column has its text.
    null_texts: strings that count as null, such as "" and "NA", if the field or its elements may be null.
    precision, scale: the digits of a "decimal", and how many of them follow the point; also "decimal(18, 2)".
    capacity: the bytes of a "fixed_base64".
    leave_out: elements of a list or members of a map that do not fit are left out.
    rest: a "raw" column with all members that no other column has, as one object; null if there are none.
    """
    given = {"optional": optional, "default": default, "key": key, "pointer": pointer, "from_text": from_text,
             "minimum": minimum, "maximum": maximum, "shortest": shortest, "longest": longest, "unit": unit, "epoch": epoch,
             "zone": zone, "zoneless": zoneless, "as_text": as_text, "null_texts": null_texts,
             "precision": precision, "scale": scale, "capacity": capacity, "leave_out": leave_out, "rest": rest}
    if null_texts is not _MISSING:
        if isinstance(null_texts, str):
            raise TypeError("null_texts is a list of texts, not a text")
        given["null_texts"] = list(null_texts)
    return Field(kind, {name: value for name, value in given.items() if value is not _MISSING})


class Schema:
    """A parsed schema, for many calls of `read`.

    description: a dictionary of names and kinds, the JSON text of a description, a pyarrow.Schema, or a class with
        annotations.
    name: the name of the description in errors, such as its path.
    null_texts: strings that count as null, such as "" and "NA", in every field that may be null and has no `null_texts`
        of its own.

    Raises DecantError for an invalid description, TypeError or ValueError for other arguments.
    """

    __slots__ = ("_handle", "_text", "_is_view")

    _handle: object
    _text: str
    _is_view: bool

    def __init__(self, description: Any, *, name: str | None = None, null_texts: Iterable[str] = ()) -> None:
        if isinstance(null_texts, str):
            raise TypeError("null_texts is a list of texts, not a text")
        texts = list(null_texts)
        self._is_view = False
        if isinstance(description, Schema):
            self._text, self._is_view = description._text, description._is_view
        elif isinstance(description, (str, bytes, bytearray)):
            self._text = description if isinstance(description, str) else description.decode()
            if "{" not in self._text and "\0" not in self._text and os.path.lexists(self._text):
                raise ValueError(f"a str is the JSON of a schema, not a path: open({self._text!r}).read() reads it from the file")
        else:
            self._is_view = _has_view(description)
            self._text = _text_of({"fields": _fields(description)})
        self._handle = _decant.parse_schema(self._text, name)
        if texts:
            described = json.loads(_decant.describe(self._handle))
            _add_null_texts(described["fields"], texts)
            self._text = _text_of(described)
            self._handle = _decant.parse_schema(self._text, name)

    @property
    def _is_closed(self) -> bool:
        """Whether all columns are needed to check a row: other members are refused, or one column has them."""
        described = json.loads(_decant.describe(self._handle))
        return bool(described.get("closed")) or any(field.get("rest") for field in described["fields"])

    @property
    def _names(self) -> list[str]:
        """The names of the columns."""
        fields = json.loads(_decant.describe(self._handle))["fields"]
        return [field.get("column", field.get("key", field.get("pointer") or "value")) for field in fields]

    def _only(self, columns: Iterable[str]) -> Schema:
        """Returns a schema with some of the columns, in this schema's order. Raises ValueError for an unknown column, and if
        all columns are needed to check a row."""
        if self._is_closed:
            raise ValueError("a schema that is closed, or has a rest, is read with all of its columns")
        described, names = json.loads(_decant.describe(self._handle)), self._names
        wanted = {columns} if isinstance(columns, str) else set(columns)
        if not wanted:
            raise ValueError("columns has no column")
        if missing := sorted(wanted - set(names)):
            raise ValueError(f"columns: there is no {missing[0]!r}; the columns are {', '.join(names)}")
        described["fields"] = [field for field, name in zip(described["fields"], names) if name in wanted]
        return _schema_again(_text_of(described), self._is_view)

    @property
    def json(self) -> str:
        """The description as JSON, in the format that decant_columns.h documents."""
        return self._text

    def __repr__(self) -> str:
        return f"decant.Schema({self._text!r})"

    def __reduce__(self) -> Any:
        return _schema_again, (self._text, self._is_view)


_EXACT = re.compile(r'"\\u0000([-0-9.]+)"')


def _text_of(description: dict[str, Any]) -> str:
    """Writes a description as JSON. Bounds and defaults may be Decimal, datetime, date or UUID objects."""

    def value_of(value: Any) -> str:
        if isinstance(value, decimal.Decimal) and value.is_finite():
            return f"\0{value:f}"  # a number of all its digits, below
        if isinstance(value, datetime.datetime):
            return value.isoformat()
        if isinstance(value, (datetime.date, uuid.UUID)):
            return str(value)
        raise TypeError(f"{value!r} is no bound and no default")

    return _EXACT.sub(r"\1", json.dumps(description, ensure_ascii=False, default=value_of))


def _schema_again(text: str, is_view: bool) -> Schema:
    schema = Schema(text)
    schema._is_view = is_view
    return schema


def _add_null_texts(fields: list[dict[str, Any]], texts: list[str]) -> None:
    for made in fields:
        if made["kind"] != "key" and ({"optional", "default", "null_elements"} & set(made)):
            made.setdefault("null_texts", texts)
        _add_null_texts(made.get("fields", []), texts)


def _fields(description: Any, within: str = "") -> list[dict[str, Any]]:
    """Returns the descriptions of a record's fields. Errors name a column by `within` and its name."""
    if isinstance(description, Mapping):
        if set(description) == {"fields"} and isinstance(description["fields"], list):
            return description["fields"]
        if not description:
            raise ValueError(f"{within.rstrip('.') or 'a schema'} has no columns")
        return [_named(name, kind, within) for name, kind in description.items()]
    if hasattr(description, "__arrow_c_schema__"):
        return [_of_arrow(field) for field in _pyarrow_schema(description)]
    if isinstance(description, type):
        return _of_class(description, within)
    raise TypeError(f"a schema is a dictionary, a class, a pyarrow.Schema or JSON text, not {type(description).__name__}")


def _named(name: Any, kind: Any, within: str, **more: Any) -> dict[str, Any]:
    if not isinstance(name, str):
        raise TypeError(f"{within}{name!r}: the name of a column is text, not {type(name).__name__}")
    made = {**_kind(kind, within + name), **more}
    if "pointer" not in made:
        made.setdefault("key", name)
    if name != made.get("pointer", made.get("key")):
        made["column"] = name
    return made


def _kind(kind: Any, name: str) -> dict[str, Any]:
    """Returns the description of a field without its key. Errors call the field `name`."""
    if isinstance(kind, Field):
        made = {**_kind(kind.kind, name), **kind.options}
        if made.get("optional") is False:
            del made["optional"]
        return made
    if isinstance(kind, str):
        if kind.endswith("?"):
            return {**_kind(kind[:-1], name), "optional": True}
        if digits := _DECIMAL.fullmatch(kind):
            return {"kind": "decimal", "precision": int(digits[1]), "scale": int(digits[2])}
        if kind not in SCALARS:
            raise ValueError(f"{name}: {kind!r} is no kind of a column{_meant(kind)}; the kinds are {', '.join(SCALARS)}, each "
                             "with a ? behind it if it may be absent or null; [kind] is a list, and a dictionary a record")
        return {"kind": kind}
    if kind in _TYPES if isinstance(kind, type) else False:
        return {"kind": _TYPES[kind]}
    if isinstance(kind, list):
        if len(kind) != 1:
            raise ValueError(f"{name}: a list has one kind of elements, not {len(kind)}")
        return _list(kind[0], name)
    if isinstance(kind, Mapping):
        return {"kind": "record", "fields": _fields(kind, name + ".")}
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        notes = [note for note in arguments[1:] if isinstance(note, (str, Field))]
        if not notes:
            return _kind(arguments[0], name)
        note = notes[0]
        base = {key: value for key, value in _kind(arguments[0], name).items() if key == "optional"}
        if isinstance(note, Field):
            return {**base, **_kind(note, name)}
        return {**base, **_kind(note, name)}
    if origin in (Union, types.UnionType):
        others = [argument for argument in arguments if argument is not type(None)]
        if len(others) == 1:
            return {**_kind(others[0], name), "optional": True} if len(others) < len(arguments) else _kind(others[0], name)
        raise TypeError(f"{name}: a column has one type; {kind} are several")
    if origin is typing.Literal:
        return _enum(arguments, name)
    if origin in (typing.Required, typing.NotRequired):
        inner = _kind(arguments[0], name)
        return {**inner, "optional": True} if origin is typing.NotRequired else inner
    if origin in (list, tuple, set, frozenset) and arguments:
        return _list(arguments[0], name)
    if origin is dict and len(arguments) == 2 and arguments[0] is str:
        return _map(arguments[1], name)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return _enum([member.value for member in kind], name)
    if isinstance(kind, type) and typing.get_type_hints(kind):
        return {"kind": "record", "fields": _of_class(kind, name + ".")}
    raise TypeError(f"{name}: {kind!r} is no type of a column")


def _meant(kind: str) -> str:
    """Suggests the nearest kind for a misspelled one; empty if none is near."""
    word = kind.strip().lower()
    near = difflib.get_close_matches(word, [*SCALARS, *_OTHER_NAMES], 1)
    if not near:
        return ""
    return f"; is {_OTHER_NAMES.get(near[0], near[0])!r} meant?"


def _list(element: Any, name: str) -> dict[str, Any]:
    return {"kind": "array", **_element(_kind(element, name))}


def _element(inner: dict[str, Any]) -> dict[str, Any]:
    """Returns the part of a list's description that is about its elements. Elements that have parts are a record of one
    field with the pointer ""."""
    if inner["kind"] in ("array", "fixed_array", "map", "chars", "fixed_base64") or "precision" in inner:
        return {"element": "record", "fields": [{"pointer": "", **inner}]}
    made = {name: value for name, value in inner.items() if name not in ("kind", "optional")}
    if inner.get("optional"):
        made["null_elements"] = True
    return {"element": inner["kind"], **made}


def _map(value: Any, name: str) -> dict[str, Any]:
    return {"kind": "map", "fields": [{"kind": "key"}, {"pointer": "", **_kind(value, name)}]}


def _enum(names: Iterable[Any], name: str) -> dict[str, Any]:
    names = list(names)
    for member in names:
        if not isinstance(member, str):
            raise TypeError(f"{name}: {member!r} is not text: an enum has names")
    return {"kind": "enum", "names": names}


def _of_class(type_: type, within: str = "") -> list[dict[str, Any]]:
    hints = typing.get_type_hints(type_, include_extras=True)
    if not hints:
        raise TypeError(f"{type_.__name__} has no annotations")
    optional: frozenset[str] = getattr(type_, "__optional_keys__", frozenset())
    fields = []
    for name, kind in hints.items():
        more: dict[str, Any] = {"optional": True} if name in optional else {}
        default = _default(type_, name)
        made = _named(name, kind, within, **more)
        # A default of None is what an optional field is without a value.
        if default is not _MISSING and not (default is None and made.get("optional")):
            made["default"] = default.value if isinstance(default, enum.Enum) else default
            made.pop("optional", None)
        fields.append(made)
    return fields


def _default(type_: type, name: str) -> Any:
    default = getattr(type_, name, _MISSING)
    if isinstance(default, types.MemberDescriptorType):  # of __slots__
        default = _MISSING
    if hasattr(type_, "_field_defaults"):  # of a NamedTuple
        return type_._field_defaults.get(name, _MISSING)
    return default


# --- pyarrow -----------------------------------------------------------------------------------------------------

def _pyarrow_schema(description: Any) -> Any:
    import pyarrow  # type: ignore[import-untyped,unused-ignore]

    return description if isinstance(description, pyarrow.Schema) else pyarrow.schema(description)


def _has_view(description: Any) -> bool:
    """Whether a pyarrow.Schema has columns of `string_view`."""
    if isinstance(description, (Mapping, type)) or not hasattr(description, "__arrow_c_schema__"):
        return False
    import pyarrow.types as pt  # type: ignore[import-untyped,unused-ignore]

    def has(type_: Any) -> bool:
        if pt.is_dictionary(type_):
            return False
        if type_.num_fields > 0:
            return any(has(type_.field(place).type) for place in range(type_.num_fields))
        return bool(pt.is_string_view(type_))

    return any(has(field.type) for field in _pyarrow_schema(description))


def _of_arrow(field: Any) -> dict[str, Any]:
    made = {**_of_arrow_type(field.type, field.name), "key": field.name}
    if field.nullable:
        made["optional"] = True
    return made


def _of_arrow_type(type_: Any, name: str) -> dict[str, Any]:
    import pyarrow.types as pt  # type: ignore[import-untyped,unused-ignore]

    if pt.is_boolean(type_):
        return {"kind": "bool"}
    if pt.is_integer(type_):
        return {"kind": str(type_)}
    if pt.is_float32(type_):
        return {"kind": "float"}
    if pt.is_float64(type_):
        return {"kind": "double"}
    if pt.is_date32(type_):
        return {"kind": "date"}
    if pt.is_timestamp(type_):
        zone = {"zoneless": True} if type_.tz is None else {} if type_.tz == "UTC" else {"zone": type_.tz}
        return {"kind": "time", "unit": type_.unit, **zone}
    if getattr(type_, "extension_name", None) in ("arrow.json", "arrow.uuid"):
        return {"kind": "raw" if type_.extension_name == "arrow.json" else "uuid"}
    if pt.is_decimal128(type_) and type_.scale >= 0:
        return {"kind": "decimal", "precision": type_.precision, "scale": type_.scale}
    if pt.is_fixed_size_binary(type_):
        return {"kind": "fixed_base64", "capacity": type_.byte_width}
    if pt.is_binary(type_) or pt.is_large_binary(type_):
        return {"kind": "base64"}
    if pt.is_string(type_) or pt.is_large_string(type_) or pt.is_string_view(type_):
        return {"kind": "string"}
    if pt.is_struct(type_):
        return {"kind": "record", "fields": [_of_arrow(type_.field(place)) for place in range(type_.num_fields)]}
    if pt.is_list(type_) or pt.is_large_list(type_) or pt.is_fixed_size_list(type_):
        inner = _of_arrow_type(type_.value_type, name)
        if type_.value_field.nullable:
            inner["optional"] = True
        if pt.is_fixed_size_list(type_):
            return {"kind": "fixed_array", "capacity": type_.list_size, **_element(inner)}
        return {"kind": "array", **_element(inner)}
    if pt.is_map(type_) and pt.is_string(type_.key_type):
        value = _of_arrow_type(type_.item_type, name)
        return {"kind": "map", "fields": [{"kind": "key"}, {"pointer": "", **value, "optional": True}]}
    raise TypeError(f"{name}: {type_} is no type that Decant reads: bool, int8 to uint64, float, double, string, "
                    "timestamp, date32, decimal128, binary, fixed_size_binary, uuid, json, struct, list, fixed_size_list, and "
                    "map of string")
