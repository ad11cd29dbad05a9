# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT

import json
import subprocess
import sys

EVENT = {"id": "int64", "name": "string?"}


def lines(count):
    return b"".join(b'{"id":%d,"name":"a name of more than twelve bytes %d"}\n' % (n, n) for n in range(count))


def event_lines(rows):
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def in_a_process(program, timeout=60, **more):
    """The output of a program in an interpreter of its own, which must end as it should."""
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", program], capture_output=True, text=True,
                          timeout=timeout, **more)
    assert done.returncode == 0, f"status {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert done.stderr == ""
    return done.stdout


class Bytes(bytearray):
    """Bytes that a weak reference can refer to."""
