# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""Several threads read what one reads: the same rows and rejects, in the same order."""

import gc
import io
import os
import random
import threading
import time
import weakref

import polars
import pyarrow as pa
import pytest

import decant
from support import EVENT, Bytes, in_a_process

FORMS = {
    "buffer": lambda data, path: data, "path": lambda data, path: path, "file": lambda data, path: io.BytesIO(data),
    "chunks": lambda data, path: (data[at:at + 100_003] for at in range(0, len(data), 100_003)),
}


def make(seed, size, bad=0.001):
    chance = random.Random(seed)
    parts, total, number = [], 0, 0
    while total < size:
        kind = chance.random()
        if kind < bad:
            line = chance.choice((b'{"id":"x"}', b"{", b'{"id":1,"name":"\xff"}', b"[]"))
        elif kind < bad + 0.001:
            line = b" \r"
        elif kind < bad + 0.0012:
            line = b'{"id":%d,"name":"%s"}' % (number, b"long" * 100_000)
        else:
            line = b'{"id":%d,"name":"%s"}' % (number, b"x" * chance.randrange(100))
            number += 1
        parts.append(line)
        total += len(line) + 1
    return b"\n".join(parts) + chance.choice((b"", b"\n"))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("threads", [2, 3, 7])
def test_rows_and_rejects_are_those_of_one_thread(form, threads, tmp_path):
    data = make(threads, 30 << 20)
    path = tmp_path / "events"
    path.write_bytes(data)
    one = decant.read(data, EVENT, line_numbers=True, first_line=5, first_offset=77)
    table, rejects = one.arrow(), list(one.rejects)
    assert len(rejects) > 100
    for rejects_first in (False, True):
        many = decant.read(FORMS[form](data, path), EVENT, line_numbers=True, first_line=5, first_offset=77, threads=threads)
        found = list(many.rejects) if rejects_first else None
        result = many.arrow()
        assert result.equals(table)
        result.validate(full=True)
        assert (found or list(many.rejects)) == rejects


def make_records(seed, size, between):
    chance = random.Random(seed)
    parts, total, number = [], 0, 0
    while total < size:
        name = "y" * 60_000 if chance.random() < 0.001 else chance.choice(("x" * chance.randrange(200), "\\n"))
        record = chance.choice((b'{"id":%d,"name":"%s"}', b'{\n"id":%d,\n"name":"%s"}')) % (number, name.encode())
        if chance.random() < 0.01:
            record = chance.choice((record[:-1], b'{"id":"x"}', b"", b" \n", b'{"id":1}\n{"id":2}', b'{"id":\n\n1.5}'))
        parts.append(b"\x1e" + record + chance.choice(between))
        total += len(parts[-1])
        number += 1
    return chance.choice((b"", b"junk\n")) + b"".join(parts)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("between", [(b"\n",), (b"\n", b"", b"\n\n"), (b"",)])
def test_records_are_those_of_one_thread(form, between, tmp_path):
    data = make_records(len(between), 20 << 20, between)
    (tmp_path / "events").write_bytes(data)
    options = dict(framing="records", line_numbers=True, first_line=5, first_offset=77)
    one = decant.read(data, EVENT, **options)
    table, rejects = one.arrow(), list(one.rejects)
    assert len(rejects) > 10 and table.num_rows > 1_000
    for threads in (2, 5):
        many = decant.read(FORMS[form](data, tmp_path / "events"), EVENT, threads=threads, **options)
        assert many.arrow().equals(table)
        assert list(many.rejects) == rejects
    counted = decant.read(data, EVENT, threads=2, rejects=1, **options)
    assert counted.arrow().equals(table) and [reject.count for reject in counted.rejects] == [1, len(rejects) - 1]


@pytest.mark.parametrize("most", [1, 2, 100, 5_000, None])
def test_rejects_beyond_the_most_are_counted(most):
    data = b'{"id":"a bad line with some text behind it, so that parts have few"}\n' * 300_000 + b'{"id":1}\n'
    one, many = (decant.read(data, EVENT, rejects=most, threads=threads) for threads in (1, 3))
    assert one.arrow()["id"].to_pylist() == many.arrow()["id"].to_pylist() == [1]
    again = decant.read(data, EVENT, rejects=most, threads=3)
    one, many = one.rejects.arrow(), many.rejects.arrow()
    many.validate(full=True)
    told = [(reject.line, reject.count) for reject in again.rejects]
    assert told == list(zip(one["line"].to_pylist(), one["count"].to_pylist()))
    assert one.num_rows == (most or 65_536) + 1
    assert one.equals(many) and one["count"][-1].as_py() == 300_000 - (most or 65_536)


def test_small_sources(tmp_path):
    for data in (b"", b"\n", b"{}", b'{"id":1}', b'{"id":1}\n{"id":2}', b"\xef\xbb\xbf" + b'{"id":3}'):
        for form in FORMS:
            (tmp_path / "events").write_bytes(data)
            one = decant.read(data, EVENT)
            many = decant.read(FORMS[form](data, tmp_path / "events"), EVENT, threads=2)
            assert one.arrow().equals(many.arrow()) and list(one.rejects) == list(many.rejects)


def test_a_line_of_many_parts():
    data = b'{"id":1}\n{"id":2,"name":"' + b"x" * (20 << 20) + b'"}\n{"id":3}'
    for form in ("buffer", "file"):
        table = decant.read(FORMS[form](data, None), EVENT, threads=2).arrow()
        assert table["id"].to_pylist() == [1, 2, 3] and len(table["name"][1].as_py()) == 20 << 20


class Ours(Exception):
    pass


def failing(good):
    for number in range(good):
        yield b'{"id":%d}\n' % number * 100_000
    yield b'{"id":1}\n{"id":'
    raise Ours("a text")


@pytest.mark.parametrize("good", [0, 1, 3, 40])
def test_what_a_source_raises_comes_behind_what_is_complete(good):
    rows = decant.read(failing(good), EVENT, threads=3)
    count = 0
    with pytest.raises(Ours):
        for batch in rows:
            count += len(pa.record_batch(batch))
    assert count == good * 100_000 + 1
    with pytest.raises(Ours):
        list(rows.rejects)
    with pytest.raises(Exception, match="Ours: a text"):
        pa.table(decant.read(failing(good), EVENT, threads=3))


def test_rows_and_rejects_by_two_threads():
    data = make(5, 20 << 20, bad=0.1)
    one = decant.read(data, EVENT)
    expected = one.arrow(), list(one.rejects)
    rows, found = decant.read(data, EVENT, threads=2), {}
    work = [threading.Thread(target=lambda: found.update(rows=polars.DataFrame(rows).height)),
            threading.Thread(target=lambda: found.update(rejects=list(rows.rejects)))]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join(60)
    assert found == {"rows": expected[0].num_rows, "rejects": expected[1]}


def test_streams_that_are_dropped():
    data = Bytes(make(6, 20 << 20))
    alive = weakref.ref(data)
    before = threading.active_count(), len(os.listdir("/proc/self/task"))
    for taken in range(4):
        rows = decant.read(data, EVENT, threads=4)
        batches = iter(rows)
        kept = [pa.record_batch(next(batches)) for _ in range(taken)]
        if taken % 2:
            rows.rejects.close()
        del rows, batches
        assert all(batch["id"][0].as_py() >= 0 for batch in kept)
    del data
    gc.collect()
    assert alive() is None
    for _ in range(100):
        if len(os.listdir("/proc/self/task")) == before[1]:
            break
        time.sleep(0.05)
    assert len(os.listdir("/proc/self/task")) == before[1], "threads that stay"


def test_other_framings_have_one_thread():
    assert decant.read(b'{"id":1}{"id":2}', EVENT, framing="documents", threads=4).arrow().num_rows == 2
    with pytest.raises(ValueError):
        decant.read(b"", EVENT, threads=0)


def test_a_fork_cannot_go_on():
    program = """if True:
        import decant, os, warnings
        warnings.simplefilter("ignore")  # from Python 3.12 on, fork() tells of threads
        rows = decant.read(b'{"id":1}\\n' * 1000000, {"id": "int64"}, threads=2)
        batches = iter(rows); next(batches)
        child = os.fork()
        if child == 0:
            try: next(batches)
            except RuntimeError as error: os._exit(7)
            os._exit(1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), sum(1 for _ in batches) > 10)
    """
    assert in_a_process(program) == "7 True\n"


def test_ctrl_c_and_exit():
    program = """if True:
        import decant, os, signal, threading
        def chunks():
            while True: yield b'{"id":1}\\n' * 100000
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        rows = decant.read(chunks(), {"id": "int64"}, threads=3)
        try:
            for batch in rows: pass
        except KeyboardInterrupt:
            print("interrupted")
        keep = iter(decant.read(chunks(), {"id": "int64"}, threads=3)); next(keep)
    """
    assert in_a_process(program) == "interrupted\n"
