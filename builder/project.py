"""Where everything is."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Project:
    """The source tree at `root`, and the three places in it that the build writes to."""

    root: Path

    @property
    def venv(self) -> Path:
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        """The interpreter of `.venv`."""
        return self.venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def work(self) -> Path:
        """Intermediate products: bundles, wheels, stamps, logs."""
        return self.root / ".build"

    @property
    def dist(self) -> Path:
        """The finished site."""
        return self.root / "dist"

    @property
    def docs(self) -> Path:
        """The documentation, as a site beside the surface."""
        return self.dist / "docs"

    @property
    def web(self) -> Path:
        return self.root / "web"

    @property
    def npm_lock(self) -> Path:
        return self.web / "package-lock.json"

    @property
    def generated(self) -> Path:
        """JavaScript that is made from declarations in Python."""
        return self.web / "generated"

    @property
    def modules(self) -> Path:
        return self.web / "node_modules"

    @property
    def clients(self) -> Path:
        """Where the programs that the companion is tried with are listed, and installed."""
        return self.root / "tests/conformance"

    def requirements(self, group: str) -> Path:
        """The pinned packages of a dependency group of pyproject.toml."""
        return self.root / "requirements" / f"{group}.txt"

    def stamp(self, name: str) -> Path:
        return self.work / "stamps" / name

    def log(self, name: str) -> Path:
        """Where the full output of a program goes, for when one sentence isn't enough."""
        return self.work / "logs" / f"{name}.log"

    def shown(self, path: Path) -> str:
        """A path as the person knows it, from the root."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)
