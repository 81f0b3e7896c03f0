"""The commands of installed packages: their entry points become scripts, as in a wheel's installation (PEP 427)."""

from __future__ import annotations

import os
import re
import shutil
from importlib import metadata
from pathlib import Path

from gemini.computer.python.pip.errors import PipError
from gemini.computer.python.pip.requirements import canonical

PYTHON = "#!/usr/bin/python3\n"
# As the specification of entry points recommends; they become names of files.
NAME = re.compile(r"[\w.][\w .+-]*")
# The scripts that wheels contain begin with this line.
PLACEHOLDER = b"#!python"
ENTRY_POINT = """{python}import sys
from {module} import {name}
if __name__ == '__main__':
    sys.exit({attribute}())
"""


def add(one: metadata.Distribution) -> None:
    """Create the scripts of an installed package, and list them in its RECORD.

    Raises:
        PipError: The name of one isn't a file name.
    """
    packages = Path(str(one.locate_file("")))
    folder = directory(one)
    if folder is None:
        return
    points = one.entry_points.select(group="console_scripts")
    if wrong := [
        point.name for point in points if point.name in ("", ".", "..") or not NAME.fullmatch(point.name)
    ]:
        raise PipError(f"{one.name} has an invalid script entry point: {wrong[0]!r}")
    made = [_write(folder / point.name, _source(point)) for point in points]
    for unpacked in packages.glob("*.data/scripts"):
        if canonical(unpacked.parent.name.partition("-")[0]) == canonical(one.metadata["Name"]):
            made += [
                _write(folder / file.name, _own(file.read_bytes()))
                for file in sorted(unpacked.iterdir())
                if file.is_file()
            ]
            shutil.rmtree(unpacked)
    record = one.read_text("RECORD")
    if made and record is not None:
        lines = [f"{os.path.relpath(path, packages)},,\n" for path in made]
        information = next(file for file in one.files or [] if file.match("*.dist-info/RECORD"))
        Path(str(one.locate_file(information))).write_text(record.rstrip("\n") + "\n" + "".join(lines))


def remove(one: metadata.Distribution) -> None:
    """Delete the scripts of a package that is about to be uninstalled."""
    folder = directory(one)
    for file in one.files or []:
        path = Path(str(one.locate_file(file))).resolve()
        if path.parent == folder:
            path.unlink(missing_ok=True)


def directory(one: metadata.Distribution) -> Path | None:
    """Return the directory for the scripts of a package in a user site; None for a package elsewhere."""
    packages = Path(str(one.locate_file("")))
    base = packages.parents[2] if packages.match("*/.local/lib/python*/site-packages") else None
    return None if base is None else base / "bin"


def _source(point: metadata.EntryPoint) -> bytes:
    module, _, attribute = point.value.partition("[")[0].strip().partition(":")
    attribute = attribute.strip() or "main"
    text = ENTRY_POINT.format(
        python=PYTHON, module=module.strip(), name=attribute.partition(".")[0], attribute=attribute
    )
    return text.encode()


def _own(script: bytes) -> bytes:
    """Return a wheel's script with our interpreter in its first line."""
    if not script.startswith(PLACEHOLDER):
        return script
    return PYTHON.encode() + script.partition(b"\n")[2]


def _write(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o755)
    return path
