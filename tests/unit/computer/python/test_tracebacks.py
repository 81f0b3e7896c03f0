"""Tracebacks show a program's own frames."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from gemini.computer.python import tracebacks
from gemini.core import ffi


def test_a_signal_that_ends_a_wait_shows_only_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def run_sync(_: object) -> None:
        raise KeyboardInterrupt

    substitute = ModuleType("pyodide.ffi")
    substitute.__dict__["run_sync"] = run_sync
    monkeypatch.setitem(sys.modules, "pyodide.ffi", substitute)
    monkeypatch.setitem(sys.modules, "pyodide", ModuleType("pyodide"))
    with pytest.raises(KeyboardInterrupt) as raised:
        ffi.wait(None)  # type: ignore[arg-type]
    text = tracebacks.format_error(raised.value)
    assert "KeyboardInterrupt" in text
    assert "ffi" not in text.replace("ffi.wait(None)", "")
