"""Collects what licences ask to name of Debian's packages: version, source and copyright."""

from __future__ import annotations

import re
import subprocess
import tarfile
from pathlib import Path

from builder.linux import debian
from builder.problems import BuildProblem

# Files that the copyright files refer to.
LICENCES = re.compile(
    r"^usr/share/common-licenses/(L?GPL-[\d.]+|GFDL-[\d.]+|Apache-2.0|MPL-[\d.]+|Artistic)$"
)
DOCUMENTS = "usr/share/doc/"


def collect(packages: dict[str, Path], versions: dict[str, str]) -> list[dict[str, str]]:
    """Return name, version, source and text of each package; packages that have them in common are one entry.

    Args:
        packages: The package files by name, with those whose copyright file others share.
        versions: The packages to name, and their versions.

    Raises:
        BuildProblem: A package has no copyright file.
    """
    links: dict[str, str] = {}
    texts: dict[str, str] = {}
    for name, path in packages.items():
        links |= _read(name, path, texts)
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for name, version in versions.items():
        text = texts.get(_document(name, links))
        if text is None:
            raise BuildProblem(f"{name} has no copyright file; NOTICES.txt must have its licence.")
        grouped.setdefault((version, debian.source_of(packages[name]), text), []).append(name)
    return [
        {"name": ", ".join(sorted(names)), "version": version, "source": source, "text": text}
        for (version, source, text), names in grouped.items()
    ]


def _document(name: str, links: dict[str, str]) -> str:
    """Return the package whose documents a package has: its own, or those that its link leads to."""
    while name in links:
        name = links[name]
    return name


def _read(name: str, package: Path, texts: dict[str, str]) -> dict[str, str]:
    """Add the copyright of a package to `texts`, or return its link to another one's documents."""
    links: dict[str, str] = {}
    with (
        subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)], stdout=subprocess.PIPE) as unpacking,
        tarfile.open(fileobj=unpacking.stdout, mode="r|") as archive,
    ):
        for member in archive:
            path = member.name.removeprefix("./").rstrip("/")
            if path == f"{DOCUMENTS}{name}" and member.issym():
                links[name] = member.linkname.rsplit("/", 1)[-1]
            elif path == f"{DOCUMENTS}{name}/copyright" and member.issym():
                links[name] = member.linkname.rsplit("/", 2)[-2]
            content = archive.extractfile(member) if member.isfile() else None
            if content and (path == f"{DOCUMENTS}{name}/copyright" or LICENCES.match(path)):
                texts[name] = texts.get(name, "") + content.read().decode()
    return links
