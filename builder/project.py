"""The paths of the project."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Project:
    """The source tree at `root`. The build writes to `.venv`, `.build`, `dist`, `web/generated` and node_modules."""

    root: Path

    @property
    def venv(self) -> Path:
        """The virtual environment."""
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        """The interpreter of `.venv`."""
        return self.venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def work(self) -> Path:
        """The folder of intermediate files: bundles, wheels, stamps, logs."""
        return self.root / ".build"

    @property
    def dist(self) -> Path:
        """The finished site."""
        return self.root / "dist"

    @property
    def docs(self) -> Path:
        """The documentation, a site next to the surface."""
        return self.dist / "docs"

    @property
    def extension(self) -> Path:
        """The unpacked browser extension."""
        return self.work / "extension"

    @property
    def extension_archive(self) -> Path:
        """The browser extension as one file."""
        return self.dist / "extension.zip"

    @property
    def release(self) -> Path:
        """Everything that is published."""
        return self.dist / "release"

    @property
    def web(self) -> Path:
        """The JavaScript sources."""
        return self.root / "web"

    @property
    def npm_lock(self) -> Path:
        """The npm lock file of `web`."""
        return self.web / "package-lock.json"

    @property
    def generated(self) -> Path:
        """The TypeScript that is generated from declarations in Python."""
        return self.web / "generated"

    @property
    def modules(self) -> Path:
        """The installed npm packages."""
        return self.web / "node_modules"

    @property
    def runtime(self) -> Path:
        """The folder that lists Pyodide, and has it installed: alone, so that the build need not wait for `modules`."""
        return self.root / "builder/runtime"

    @property
    def pyodide(self) -> Path:
        """The npm package of Pyodide."""
        return self.runtime / "node_modules/pyodide"

    @property
    def meaning(self) -> Path:
        """The folder that lists the engine of search by meaning on the device, and has it installed."""
        return self.root / "builder/meaning"

    @property
    def clients(self) -> Path:
        """The folder that lists the MCP clients for tests of the companion, and has them installed."""
        return self.root / "tests/conformance"

    @property
    def pyodides(self) -> Path:
        """The folder that lists the earlier versions of Pyodide for tests."""
        return self.root / "tests/pyodide"

    @property
    def libraries(self) -> Path:
        """The folder that lists the libraries of benchmarks of the page script, and has them installed."""
        return self.root / "benchmarks/libraries"

    @property
    def rivals(self) -> Path:
        """The folder that lists other pages with Python for the benchmark of starts, and has them installed."""
        return self.root / "benchmarks/rivals"

    @property
    def token_clients(self) -> Path:
        """The folder that lists the MCP servers and the tokenizer of `bench tokens`, and has them installed."""
        return self.root / "benchmarks/token_clients"

    def requirements(self, group: str) -> Path:
        """Return the file that pins the packages of a dependency group of pyproject.toml."""
        return self.root / "requirements" / f"{group}.txt"

    def stamp(self, name: str) -> Path:
        """Return the stamp file of a build step."""
        return self.work / "stamps" / name

    def log(self, name: str) -> Path:
        """Return the log file for the output of a program."""
        return self.work / "logs" / f"{name}.log"

    def shown(self, path: Path) -> str:
        """Return a path as messages show it: relative to the root if it is below."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)
