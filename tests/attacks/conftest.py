"""Fixtures of the end-to-end tests, for attacks."""

from __future__ import annotations

from tests.attacks.injected import home, kernel
from tests.attacks.linux_booted import booted
from tests.attacks.linux_guest import guest, private, reachable, reachable_of_module
from tests.web.conftest import copy_of_dist, folder, person, refusals_end, resize, shell, start, terminal
from tests.web.test_embed import app

__all__ = [
    "app",
    "booted",
    "copy_of_dist",
    "folder",
    "guest",
    "home",
    "kernel",
    "person",
    "private",
    "reachable",
    "reachable_of_module",
    "refusals_end",
    "resize",
    "shell",
    "start",
    "terminal",
]
