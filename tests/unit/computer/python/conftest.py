"""Fixtures of the shell's commands, for `python` and `pip`."""

from tests.unit.userland import conftest

call = conftest.call
