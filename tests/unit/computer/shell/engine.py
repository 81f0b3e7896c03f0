"""Runs scripts in the shell's engine, under Node on the filesystem of Pyodide, without a page."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from builder.bundles import COMMON, JQ_WORKER, SHELL_ENGINE, Bundle
from builder.npm import find_node

ROOT = Path(__file__).parents[4]
MODULES = ROOT / "web/node_modules"
PYODIDE = ROOT / "builder/runtime/node_modules/pyodide/pyodide.mjs"


@dataclass(frozen=True)
class Printed:
    """The output of a script, and its exit code."""

    stdout: bytes
    stderr: bytes
    exit_code: int


class Engine:
    """The engine, bundled in a directory."""

    def __init__(self, directory: Path) -> None:
        self.node = find_node().node
        self._directory = directory
        self.bundle = self._bundled(SHELL_ENGINE, "engine.mjs")

    @cached_property
    def jq(self) -> Path:
        """The bundle of `jq` and `yq`."""
        return self._bundled(JQ_WORKER, "jq_worker.mjs")

    def _bundled(self, bundle: Bundle, name: str) -> Path:
        path = self._directory / name
        esbuild = MODULES / "esbuild/bin/esbuild"
        plain = (option for option in COMMON if option != "--minify")
        options = [*plain, *bundle.options, "--log-level=error", f"--outfile={path}"]
        subprocess.run([self.node, esbuild, bundle.entry, *options], cwd=ROOT, check=True)
        return path

    def run(self, requests: Sequence[dict[str, Any]]) -> tuple[list[Printed], list[str]]:
        """Run scripts, each in its own shell.

        Args:
            requests: For each, `script`, and optionally `fail`: the `call` of the filesystem that fails, its `errno`,
                or 0 for an object that is no error of the filesystem, and `after` how many calls that succeed; `typed`:
                commands that a user types before.

        Returns:
            What each printed, and the functions of the filesystem that the shell has called.
        """
        answer = self._ask("engine.mjs", requests)
        results = [
            Printed(one["stdout"].encode("latin-1"), one["stderr"].encode("latin-1"), one["exit_code"])
            for one in answer["results"]
        ]
        return results, answer["calls"]

    def changes_of_state(self, commands: Sequence[str]) -> list[bool]:
        """Run commands in one shell, and return for each whether it has changed the state to save."""
        return self._ask("saved_state.mjs", commands)

    def _ask(self, script: str, requests: Sequence[Any]) -> Any:
        command = [
            self.node,
            Path(__file__).with_name(script),
            self.bundle.as_uri(),
            PYODIDE.as_uri(),
        ]
        done = subprocess.run(
            command, input=json.dumps(requests), stdout=subprocess.PIPE, text=True, check=True
        )
        return json.loads(done.stdout)
