"""Tests that run in parallel with the checkers."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from builder.problems import BuildProblem
from builder.testing import run_beside


class Passing:
    def finish(self) -> None:
        pass


class Failing:
    """Checkers that find something when the tests have begun."""

    def __init__(self, begun: Path) -> None:
        self.begun = begun

    def finish(self) -> None:
        # Opening a pipe waits for its other end.
        self.begun.read_text()
        raise BuildProblem("The code does not pass ruff.")


def test_the_exit_code_is_that_of_the_tests(tmp_path: Path) -> None:
    for checks in (None, Passing()):
        assert run_beside(checks, [sys.executable, "-c", "raise SystemExit(3)"], tmp_path, os.environ) == 3


def test_what_a_checker_finds_ends_the_tests(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    endless = f"import threading; open({str(begun)!r}, 'w').close(); threading.Event().wait()"
    with pytest.raises(BuildProblem, match="ruff"):
        run_beside(Failing(begun), [sys.executable, "-c", endless], tmp_path, os.environ)
