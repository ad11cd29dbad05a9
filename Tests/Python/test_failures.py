# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""What a source raises, threads, signals, and the end of the process."""

import gzip
import io
import signal
import subprocess
import sys
import threading
import time

import duckdb
import nanoarrow
import polars
import pyarrow as pa
import pytest

import decant
from support import EVENT, in_a_process, lines

DATA = lines(20_000)


class Ours(Exception):
    pass


class OursToo(BaseException):
    pass


def readinto_source(error, good):
    class Source(io.RawIOBase):
        calls = 0

        def readinto(self, buffer):
            Source.calls += 1
            if Source.calls > good:
                raise error
            buffer[:9] = b'{"id":1}\n'
            return 9

    return Source()


def read_source(error, good):
    class Source:
        calls = 0

        def read(self, count):
            Source.calls += 1
            if Source.calls > good:
                raise error
            return b'{"id":1}\n'

    return Source()


def generator_source(error, good):
    for _ in range(good):
        yield b'{"id":1}\n'
    raise error


def iterator_source(error, good):
    class Source:
        calls = 0

        def __iter__(self):
            return self

        def __next__(self):
            Source.calls += 1
            if Source.calls > good:
                raise error
            return b'{"id":1}\n'

    return Source()


SOURCES = [readinto_source, read_source, generator_source, iterator_source]
ERRORS = [Ours("a text"), ValueError(), OSError(5, "Input/output error"), KeyError("x"), KeyboardInterrupt(), SystemExit(3),
          OursToo("x"), MemoryError(), RuntimeError("\udc80"), GeneratorExit()]
METHODS = {"arrow": lambda rows: rows.arrow(), "polars": lambda rows: rows.polars(), "pandas": lambda rows: rows.pandas(),
           "batches": lambda rows: list(rows), "reader": lambda rows: rows.reader().read_all()}


@pytest.mark.parametrize("make", SOURCES)
@pytest.mark.parametrize("error", ERRORS, ids=repr)
@pytest.mark.parametrize("how", METHODS)
def test_what_a_source_raises_comes_out_as_it_is(make, error, how):
    rows = decant.read(make(error, 3), EVENT)
    with pytest.raises((type(error), UnicodeEncodeError)) as caught:
        METHODS[how](rows)
    if how != "reader" or "\udc80" not in str(error):  # which pyarrow cannot carry
        assert caught.value is error
    assert rows.failure is error
    # Neither rows nor rejects go on.
    with pytest.raises(type(error)):
        list(rows.rejects)


@pytest.mark.parametrize("make", SOURCES)
def test_rows_before_a_failure_come_first(make):
    rows = decant.read(make(Ours("x"), 5), EVENT, batch_rows=2)
    found = []
    with pytest.raises(Ours):
        for batch in rows:
            found += pa.record_batch(batch)["id"].to_pylist()
    assert found == [1] * 5


CONSUMERS = {
    "pyarrow": lambda rows: pa.table(rows),
    "DuckDB": lambda rows: duckdb.sql("SELECT count(*) FROM rows").fetchall(),
    "Polars": lambda rows: polars.DataFrame(rows),
    "nanoarrow": lambda rows: nanoarrow.ArrayStream(rows).read_all(),
}


@pytest.mark.parametrize("consumer", CONSUMERS)
@pytest.mark.parametrize("make", SOURCES)
def test_consumers_raise_with_the_text_of_what_a_source_raised(consumer, make):
    rows = decant.read(make(Ours("the text of it"), 3), EVENT)
    with pytest.raises(Exception, match="Ours: the text of it"):
        CONSUMERS[consumer](rows)
    assert isinstance(rows.failure, Ours)


@pytest.mark.parametrize("consumer", CONSUMERS)
def test_an_interrupt_in_a_source_comes_out_of_every_consumer(consumer):
    rows = decant.read(readinto_source(KeyboardInterrupt(), 3), EVENT)
    with pytest.raises(KeyboardInterrupt):
        try:
            CONSUMERS[consumer](rows)
        except Exception:
            pass
        for _ in range(1000):
            time.sleep(0.001)


def test_a_cut_gz_is_an_error(tmp_path):
    whole = gzip.compress(DATA)
    for cut in (len(whole) // 2, len(whole) - 2, len(whole) - 9):
        path = tmp_path / "cut.gz"
        path.write_bytes(whole[:cut])
        for source in (path, gzip.open(path)):
            rows = decant.read(source, EVENT, batch_rows=100)
            found = 0
            with pytest.raises(EOFError, match="^Compressed file" if source is not path else f"^{path}: Compressed file"):
                for batch in rows:
                    found += len(pa.record_batch(batch))
            assert found <= 20_000
            with pytest.raises(EOFError):
                list(rows.rejects)
    damaged = bytearray(whole)
    damaged[len(damaged) // 2] ^= 0xFF
    path.write_bytes(damaged)
    with pytest.raises(Exception) as caught:
        decant.read(path, EVENT).arrow()
    assert type(caught.value).__name__ in ("BadGzipFile", "error")


def test_what_is_wrong_with_a_file_says_which_one(tmp_path):
    import bz2
    import lzma

    whole = {".gz": gzip.compress(DATA), ".bz2": bz2.compress(DATA), ".xz": lzma.compress(DATA)}
    for suffix, data in whole.items():
        (tmp_path / f"a{suffix}").write_bytes(data)
        (tmp_path / f"b{suffix}").write_bytes(data[:-10])
        (tmp_path / f"c{suffix}").write_bytes(DATA)
        for name in ("b", "c"):
            path = tmp_path / (name + suffix)
            # Of many files, too.
            for source in (path, [tmp_path / f"a{suffix}", path]):
                for read in (lambda: decant.read(source, EVENT).arrow(), lambda: decant.infer(source, rows=None),
                             lambda: pa.table(decant.read(source, EVENT)), lambda: decant.read(source, EVENT, threads=2).arrow()):
                    with pytest.raises(Exception, match=f"{path}: "):
                        read()
    # A descriptor has no name.
    with open(tmp_path / "b.gz", "rb") as file, pytest.raises(EOFError, match="^Compressed file ended"):
        decant.read(file.fileno(), EVENT).arrow()
    (tmp_path / "d").mkdir()
    for source, error, text in (
            (tmp_path / "d", IsADirectoryError, f"'{tmp_path}/d'"), ([tmp_path / "a.gz", tmp_path / "d"], IsADirectoryError, "/d'"),
            (tmp_path / "absent", FileNotFoundError, "absent'"), (tmp_path / "*.no", FileNotFoundError, "matches the pattern: .*no'"),
            ([], ValueError, "empty list"), ({"id": 1}, TypeError, "not dict")):
        with pytest.raises(error, match=text):
            decant.read(source, EVENT).arrow()


class Wrong(io.RawIOBase):
    def __init__(self, result):
        self.result = result

    def readinto(self, buffer):
        return self.result(buffer)


@pytest.mark.parametrize("result, error", [
    (lambda buffer: len(buffer) + 1, ValueError), (lambda buffer: -1, ValueError), (lambda buffer: 1 << 70, ValueError),
    (lambda buffer: "9", TypeError), (lambda buffer: True, TypeError), (lambda buffer: 1.0, TypeError),
    (lambda buffer: None, BlockingIOError)])
def test_a_readinto_that_returns_what_it_cannot_have_read(result, error):
    with pytest.raises(error):
        decant.read(Wrong(result), EVENT).arrow()


@pytest.mark.parametrize("text", ['{"id":1}', '[{"id":1}]', '{"id":1}\n' * 9999])
def test_text_that_is_taken_for_a_path(text):
    for read in (lambda: decant.read(text, EVENT), lambda: decant.infer(text)):
        with pytest.raises(ValueError, match="a str is a path; text is read from"):
            read()


@pytest.mark.parametrize("chunks", [[1], [None], [b"{}", object()], [[b"x"]]])
def test_chunks_that_are_no_bytes(chunks):
    with pytest.raises(TypeError):
        decant.read(chunks, EVENT).arrow()


def test_a_source_that_asks_for_its_own_rows():
    def chunks():
        yield b'{"id":1}\n'
        list(rows.rejects)
        yield b'{"id":2}\n'

    rows = decant.read(chunks(), EVENT)
    with pytest.raises(RuntimeError, match="the input asked for what is read from it"):
        rows.arrow()


def test_a_source_that_closes_its_own_rows():
    def chunks():
        yield b'{"id":1}\n'
        rows.rejects.close()
        yield b'{"id":2}\n{"id":"x"}\n'

    rows = decant.read(chunks(), EVENT)
    assert rows.arrow()["id"].to_pylist() == [1, 2]


# --- Threads -----------------------------------------------------------------------------------------------------

class Slow(io.RawIOBase):
    def __init__(self, reads):
        self.reads = reads

    def readinto(self, buffer):
        self.reads -= 1
        if self.reads < 0:
            return 0
        time.sleep(0.002)
        text = b'{"id":1}\n{"id":"x"}\n'
        buffer[:len(text)] = text
        return len(text)


REJECTS = {
    "pyarrow": lambda rejects: pa.table(rejects).num_rows,
    "DuckDB": lambda rejects: duckdb.connect().sql("SELECT count(*) FROM rejects").fetchall()[0][0],
    "Polars": lambda rejects: polars.DataFrame(rejects).height,
    "nanoarrow": lambda rejects: len(nanoarrow.ArrayStream(rejects).read_all()),
    "a loop": lambda rejects: len(list(rejects)),
}


@pytest.mark.parametrize("first", REJECTS)
@pytest.mark.parametrize("second", REJECTS)
def test_rows_and_rejects_by_two_threads(first, second):
    rows = decant.read(Slow(60), EVENT, batch_rows=5)
    rejects, found = rows.rejects, {}
    others = dict(REJECTS, **{"a loop": lambda rows: sum(len(pa.record_batch(batch)) for batch in rows)})

    def use(what, consumer, stream):
        found[what] = consumer(stream)

    threads = [threading.Thread(target=use, args=("rows", others[first], rows), daemon=True),
               threading.Thread(target=use, args=("rejects", REJECTS[second], rejects), daemon=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == {"rows": 60, "rejects": 60}


def test_other_threads_run_while_decant_works():
    """Neither a batch nor a wait for one holds the GIL: the source waits for what another thread of Python's does."""
    step, done = threading.Event(), threading.Event()

    def other():
        step.wait(20)
        done.set()

    def chunks():
        step.set()
        assert done.wait(20)
        yield b'{"id":1}\n'

    threading.Thread(target=other, daemon=True).start()
    assert polars.DataFrame(decant.read(chunks(), EVENT)).height == 1


# --- Signals, and the end ----------------------------------------------------------------------------------------

def test_ctrl_c_ends_a_long_read():
    program = """if True:
        import decant, os, signal, sys, threading, time
        import pyarrow as pa
        def chunks():
            while True:
                yield b'{"id":1}\\n' * 1000
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        began = time.monotonic()
        rows = decant.read(chunks(), {"id": "int64"}, batch_rows=10000)
        try:
            for batch in rows: pass
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - began < 20)
    """
    assert in_a_process(program) == "interrupted True\n"


def test_ctrl_c_ends_the_wait_for_a_pipe():
    program = """if True:
        import decant, os, signal, threading
        import pyarrow as pa
        receiver, sender = os.pipe()
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            decant.read(receiver, {"id": "int64"}).arrow()
        except KeyboardInterrupt:
            print("interrupted")
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            try: pa.table(decant.read(receiver, {"id": "int64"}))
            except OSError: pass
            while True: pass
        except KeyboardInterrupt:
            print("interrupted")
    """
    assert in_a_process(program) == "interrupted\ninterrupted\n"


def test_ctrl_c_ends_a_wait_where_another_library_restarts_system_calls():
    program = """if True:
        import ctypes, decant, os, signal, threading
        libc = ctypes.CDLL(None, use_errno=True)
        libc.siginterrupt(signal.SIGINT, 0)  # SA_RESTART, as Polars has it
        receiver, sender = os.pipe()
        for options in ({}, {"threads": 2}):
            threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            try:
                decant.read(receiver, {"id": "int64"}, **options).arrow()
            except KeyboardInterrupt:
                print("interrupted")
    """
    assert in_a_process(program) == "interrupted\ninterrupted\n"


ENDS = {
    "a reader in a cycle": """
        class Keep: pass
        keep = Keep(); keep.me = keep
        keep.reader = pa.RecordBatchReader.from_stream(rows)
        print(keep.reader.read_next_batch().num_rows)
        sys.modules["keeper"] = keep""",
    "a capsule": """
        keep = rows.__arrow_c_stream__()
        sys.modules["keeper"] = keep
        print(10)""",
    "an iterator": """
        batches = iter(rows)
        print(len(pa.record_batch(next(batches))))
        sys.keeper = batches""",
    "a stream of DuckDB's": """
        import duckdb
        connection = duckdb.connect()
        relation = connection.sql("SELECT * FROM rows")
        result = connection.execute("SELECT id FROM rows")
        print(len(result.fetchmany(10)))""",
    "a thread that reads": """
        thread = threading.Thread(target=lambda: [None for batch in rows], daemon=True)
        thread.start()
        time.sleep(0.05)
        print(10)""",
    "at exit": """
        import atexit
        atexit.register(lambda: print(len(pa.record_batch(next(iter(rows))))))""",
}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("source", ["b'{\"id\":1}\\n' * 1000", "endless()"])
def test_a_stream_that_is_alive_at_exit(end, source):
    program = f"""if True:
        import decant, sys, threading, time
        import pyarrow as pa
        def endless():
            for _ in range(100000): yield b'{{"id":1}}\\n' * 10
        rows = decant.read({source}, {{"id": "int64"}}, batch_rows=10)
        {ENDS[end]}
    """
    assert in_a_process(program) == "10\n"


def test_fork_with_an_open_stream():
    program = """if True:
        import decant, os
        rows = decant.read(b'{"id":1}\\n' * 1000, {"id": "int64"}, batch_rows=10)
        batches = iter(rows); next(batches)
        child = os.fork()
        count = sum(1 for _ in batches)
        if child == 0: os._exit(0 if count == 99 else 1)
        print(count, os.waitpid(child, 0)[1])
    """
    assert in_a_process(program) == "99 0\n"
