"""Code mode: its two tools, and the console of each session."""

import os
from functools import partial
from typing import TYPE_CHECKING

from gemini.code_mode.tools import CodeTools

if TYPE_CHECKING:
    from gemini.agents.runs.handle import Run
    from gemini.code_mode.code_mode import CodeMode
    from gemini.computer.python.console import PythonConsole
    from gemini.kernel.kernel import Kernel, Saved

SESSIONS = "code_sessions"
"""The setting with the names and files of the sessions, which a reload ends."""


def setup(kernel: "Kernel") -> None:
    """Register the tools. Everything else is loaded on first use."""
    kernel.registry.add_room(CodeTools(lambda: kernel.code_mode))

    def restore(saved: "Saved") -> None:
        kernel.lost_code = saved.settings.get(SESSIONS)

    kernel.on_restore(restore)
    kernel.on_runs(lambda runs: runs.on_start(partial(_end_with, kernel)))


def _end_with(kernel: "Kernel", run: "Run") -> None:
    """End the session of an agent's run with the run."""

    def follow(_: object) -> None:
        if run.outcome is not None and "code_mode" in vars(kernel):
            kernel.code_mode.end(f"run:{run.id}")

    run.on_event(follow)


def create_code_mode(kernel: "Kernel") -> "CodeMode":
    """Create the modules and sessions."""
    from gemini.code_mode.code_mode import CodeMode
    from gemini.computer.python.console import PythonConsole
    from gemini.computer.shell.children import ConsolePrograms
    from gemini.computer.shell.embedded import ENVIRONMENT

    def make_console() -> "PythonConsole":
        programs = ConsolePrograms(partial(kernel.shell.open_programs, kernel.home))
        env = {
            **os.environ,
            **ENVIRONMENT,
            "MPLBACKEND": "module://gemini.computer.python.matplotlib_backend",
        }
        return PythonConsole(
            cwd=kernel.home, env=env, transcript=kernel.console.transcript, programs=programs
        )

    code_mode = CodeMode(
        kernel.registry,
        kernel.console.transcript,
        make_console,
        partial(kernel.save, SESSIONS),
        {name: make() for name, make in kernel.code_providers.items()},
    )
    code_mode.restore(kernel.lost_code)
    return code_mode
