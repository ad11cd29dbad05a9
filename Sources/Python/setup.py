# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# The C half of the package, by the stable ABI. `build` calls this in a folder with all that the wheel takes.

import os

from setuptools import Extension, setup

setup(
    ext_modules=[
        Extension(
            "decant._decant", ["module.c", "parallel.c"], py_limited_api=True, include_dirs=["Include"], library_dirs=["decant"],
            libraries=["decant"], extra_compile_args=["-std=c11", "-O2", "-fvisibility=hidden", "-Wall", "-Wextra",
                                                      "-Wno-missing-field-initializers", "-Wno-cast-function-type"]
            + os.environ.get("DECANT_PYTHON_CFLAGS", "").split(),
            extra_link_args=["-Wl,-rpath,$ORIGIN"])
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}})
