"""The commands of installed packages: their entry points become scripts, as in a wheel's installation (PEP 427)."""

from __future__ import annotations

import os
import shutil
from importlib import metadata
from pathlib import Path

from gemini.python.pip.requirements import canonical

PYTHON = "#!/usr/bin/python3\n"
# The scripts that wheels contain begin with this line.
PLACEHOLDER = b"#!python"
ENTRY_POINT = """{python}import sys
from {module} import {name}
if __name__ == '__main__':
    sys.exit({attribute}())
"""


def add(one: metadata.Distribution) -> None:
    """Create the scripts of an installed package, and list them in its RECORD."""
    packages = Path(str(one.locate_file("")))
    folder = _folder(packages)
    if folder is None:
        return
    made = [
        _write(folder / point.name, _source(point))
        for point in one.entry_points.select(group="console_scripts")
    ]
    for unpacked in packages.glob("*.data/scripts"):
        if canonical(unpacked.parent.name.partition("-")[0]) == canonical(one.metadata["Name"]):
            made += [
                _write(folder / file.name, _own(file.read_bytes())) for file in sorted(unpacked.iterdir())
            ]
            shutil.rmtree(unpacked)
    record = one.read_text("RECORD")
    if made and record is not None:
        lines = [f"{os.path.relpath(path, packages)},,\n" for path in made]
        information = next(file for file in one.files or [] if file.match("*.dist-info/RECORD"))
        Path(str(one.locate_file(information))).write_text(record.rstrip("\n") + "\n" + "".join(lines))


def remove(one: metadata.Distribution) -> None:
    """Delete the scripts of a package that is about to be uninstalled."""
    folder = _folder(Path(str(one.locate_file(""))))
    for file in one.files or []:
        path = Path(str(one.locate_file(file))).resolve()
        if path.parent == folder:
            path.unlink(missing_ok=True)


def _folder(packages: Path) -> Path | None:
    """Return the directory for the scripts of packages in a user site; None for another directory."""
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
