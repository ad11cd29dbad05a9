# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# A binding by ctypes: its structs are those of the page "Bindings", and calls through them work.
#
#   bindings.py PAGE LIBRARY

import re
import sys
from ctypes import (
    CDLL, POINTER, Structure, byref, c_char, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint16,
    c_uint32, c_uint64, c_void_p, create_string_buffer, sizeof)

page, library = open(sys.argv[1]).read(), CDLL(sys.argv[2])


def structure(name, /, **members):
    return type(name, (Structure,), {"_fields_": list(members.items())})


error = structure(
    "error", size=c_size_t, code=c_int32, error_count=c_int32, offset=c_int64, line=c_int64, column=c_int64,
    path=c_char * 256, message=c_char * 1024, details=c_char * 2048)
memory = structure("memory", allocate=c_void_p, deallocate=c_void_p, state=c_void_p)
options = structure(
    "options", size=c_size_t, engine=c_int32, duplicate_keys=c_int32, maximum_depth=c_size_t, maximum_bytes=c_size_t,
    maximum_errors=c_size_t, source_name=c_char_p, memory=POINTER(memory), buffer=c_void_p, buffer_size=c_size_t,
    relaxations=c_uint32, redacts_input=c_int32, first_line=c_int64, first_offset=c_int64, batch_rows=c_int64,
    columns=c_uint32, rejects_unknown=c_int32, framing=c_int32, skips_byte_order_mark=c_int32, elements_at=c_char_p,
    release=c_void_p, release_context=c_void_p, maximum_memory=c_size_t, maximum_rejects=c_size_t, pretty=c_int32,
    tells_left_out=c_int32, maximum_rows=c_int64)
text = structure("text", bytes=c_char_p, length=c_size_t)
decimal = structure("decimal", low=c_uint64, high=c_int64)
name = structure("name", name=c_char_p, value=c_int64)
conversion = structure(
    "conversion", decode=c_void_p, encode=c_void_p, context=c_void_p, takes_text=c_int32, reserved=c_int32)
bounds = structure(
    "bounds", minimum=c_int64, maximum=c_int64, least=c_double, most=c_double, shortest=c_size_t, longest=c_size_t,
    ends=c_uint32, reserved=c_uint32)
field = structure(
    "field", key=c_char_p, key_length=c_uint32, kind=c_uint16, element=c_uint16, flags=c_uint32, length_kind=c_uint16,
    scale=c_uint16, offset=c_uint32, length_offset=c_uint32, presence_offset=c_uint32, capacity=c_uint32,
    record=c_void_p, names=POINTER(name), bounds=POINTER(bounds), default_value=c_void_p, column=c_char_p,
    other_keys=POINTER(c_char_p), member=c_char_p, zone=c_char_p, null_texts=POINTER(c_char_p), records=c_void_p,
    extent=c_uint32, left_out_offset=c_uint32, conversion=POINTER(conversion))
record = structure(
    "record", size=c_size_t, fields=POINTER(field), field_count=c_size_t, storage_offset=c_size_t, field_size=c_uint32,
    flags=c_uint32, defaults=c_void_p)
array = structure("array", items=c_void_p, count=c_size_t, storage=c_void_p)
piece = structure("piece", json=c_char_p, length=c_size_t, first_line=c_int64, first_offset=c_int64)
value = structure("value", document=c_void_p, node=c_uint64)
iterator = structure(
    "iterator", value=value, key=c_char_p, key_length=c_size_t, container=value, position=c_uint64)
writer = structure("writer", state=c_uint64 * 384)

known = [error, memory, options, text, decimal, name, conversion, bounds, field, record, array, piece, value, iterator, writer]
tables = page.split("```")[1::2]
rows = re.sub(r",\n +", ", ", tables[0]).strip().splitlines()
ours = [
    f"{one.__name__} {sizeof(one)}: " + ", ".join(f"{member} {getattr(one, member).offset}" for member, _ in one._fields_)
    for one in known]
assert ours == rows, "\n".join(f"{a}\n{b}" for a, b in zip(ours, rows) if a != b)
constants = {key: int(number) for key, number in re.findall(r"(\w+) (\d+)", tables[1])}

user = structure("user", id=c_int64, name=c_char_p, storage=c_void_p)
fields = (field * 2)(
    field(key=b"id", kind=constants["INT64"], offset=user.id.offset),
    field(key=b"name", kind=constants["STRING"], offset=user.name.offset))
table = record(
    size=sizeof(user), fields=fields, field_count=2, storage_offset=user.storage.offset, field_size=sizeof(field))
library.decant_options_init.restype = c_size_t
library.decant_options_init.argtypes = [c_void_p, c_size_t]
ask, failure, ann = options(), error(), user()
assert library.decant_options_init(None, 0) == sizeof(options)
assert library.decant_options_init(byref(ask), sizeof(ask)) == sizeof(options) == ask.size
ask.source_name = b"ann.json"


def decode(json):
    return library.decant_decode_with(byref(table), json, c_size_t(len(json)), byref(ann), byref(ask), byref(failure))


assert decode(b'{"id":5,"name":"Ann"}') == constants["OK"] and (ann.id, ann.name) == (5, b"Ann")
out, length = create_string_buffer(64), c_size_t()
assert library.decant_encode(byref(table), byref(ann), out, c_size_t(64), byref(length), byref(failure)) == 0
assert out.raw[:length.value] == b'{"id":5,"name":"Ann"}'
library.decant_free(byref(table), byref(ann))
assert decode(b'{"id":"5","name":"Ann"}') == constants["TYPE_MISMATCH"] == failure.code
assert failure.size == sizeof(error) and (failure.line, failure.column, failure.path) == (1, 7, b"/id")
assert failure.message.startswith(b'ann.json:1:7: /id: expected an integer, found the string "5"\n')
table.field_size -= 8
assert decode(b"{}") == constants["INVALID_RECORD"]
