# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# The C half of the package, by the stable ABI. `build` calls this in a folder with all that the wheel takes.

import os

from setuptools import Extension, setup

# Optional.
ZSTD = os.path.exists("/usr/include/zstd.h") and os.environ.get("DECANT_ZSTD", "1") != "0"

setup(
    ext_modules=[
        Extension(
            "decant._decant", ["module.c", "parallel.c", "compressed.c"], py_limited_api=True, include_dirs=["Include"],
            library_dirs=["decant"], libraries=["decant", "z"] + (["zstd"] if ZSTD else []),
            define_macros=[("DECANT_ZSTD", "1")] if ZSTD else [], extra_compile_args=["-std=c11", "-O2", "-fvisibility=hidden", "-Wall", "-Wextra",
                                                      "-Wno-missing-field-initializers", "-Wno-cast-function-type"]
            + os.environ.get("DECANT_PYTHON_CFLAGS", "").split(),
            extra_link_args=["-Wl,-rpath,$ORIGIN"])
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}})
