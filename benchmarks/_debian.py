"""Pages of documentation from Debian packages, which are fetched by version and hash and unpacked in `.build`."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from builder.linux import debian  # noqa: E402 - found by the line above
from builder.problems import BuildProblem  # noqa: E402
from builder.progress import Step  # noqa: E402
from builder.project import Project  # noqa: E402

HERE = Path(__file__).parent
PACKAGES = HERE / "debian_packages.txt"
PAGES = HERE / "debian_pages.toml"
PROJECT = Project(HERE.parent)
# The packages are unpacked again when the list changes.
ROOT = PROJECT.work / f"debian-pages/{hashlib.sha256(PACKAGES.read_bytes()).hexdigest()[:16]}"
SHARED = ROOT / "usr/share"


def fetch() -> None:
    """Fetch and unpack the packages, and print which can't be had."""
    for package in _fetched(debian.pinned(PACKAGES)):
        marker = ROOT / "unpacked" / package.name
        if not marker.exists():
            subprocess.run(["dpkg-deb", "--extract", str(package), str(ROOT)], check=True)
            marker.parent.mkdir(exist_ok=True)
            marker.touch()


def _fetched(packages: list[debian.Package]) -> Iterator[Path]:
    ROOT.mkdir(parents=True, exist_ok=True)
    step = Step("Debian packages")
    try:
        yield from debian.fetch(PROJECT, packages, step).values()
        return
    except BuildProblem as problem:
        print(f"Not every Debian package could be fetched: {problem}")
    for package in packages:
        try:
            yield from debian.fetch(PROJECT, [package], step).values()
        except BuildProblem:
            print(f"{package.name} {package.version} is missing, and so are its pages.")


def pages() -> dict[str, str]:
    """Return the paths of the pages that were fetched, by name."""
    listed = tomllib.loads(PAGES.read_text(encoding="utf-8"))
    return {name: f"debian/{path}" for name, path in listed.items() if (SHARED / path).is_file()}
