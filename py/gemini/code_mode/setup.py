"""Code mode: its two tools, and the console of each session."""

from functools import partial
from typing import TYPE_CHECKING

from gemini.code_mode.lazy import LazyCodeMode
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
    kernel.code = code = LazyCodeMode(partial(_create, kernel))
    kernel.registry.add_room(CodeTools(lambda: code.mode))

    def restore(saved: "Saved") -> None:
        code.lost = saved.settings.get(SESSIONS)

    kernel.on_restore(restore)
    kernel.on_runs(lambda runs: runs.on_start(partial(_end_with, code)))


def _end_with(code: LazyCodeMode, run: "Run") -> None:
    """End the session of an agent's run with the run."""
    run.on_event(lambda _: code.end(f"run:{run.id}") if run.outcome is not None else None)


def _create(kernel: "Kernel", code: LazyCodeMode) -> "CodeMode":
    from gemini.code_mode.code_mode import CodeMode
    from gemini.computer.python import environment
    from gemini.computer.python.console import PythonConsole
    from gemini.computer.shell.children import ConsolePrograms
    from gemini.computer.shell.embedded import ENVIRONMENT

    transcript = kernel.console.transcript

    def make_console() -> "PythonConsole":
        programs = ConsolePrograms(partial(kernel.shell.open_programs, kernel.home))
        env = {
            **environment.inherited(),
            **ENVIRONMENT,
            "MPLBACKEND": "module://gemini.computer.python.matplotlib_backend",
        }
        return PythonConsole(kernel.home, env, transcript, programs)

    providers = {name: make() for name, make in code.providers.items()}
    mode = CodeMode(kernel.registry, transcript, make_console, partial(kernel.save, SESSIONS), providers)
    mode.restore(code.lost)
    return mode
