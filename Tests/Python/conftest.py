# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
"""Whoever runs the tests may ignore interrupts, as shells do for what runs in the background: the tests send some."""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
