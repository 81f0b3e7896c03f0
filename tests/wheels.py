"""Wheels for tests of `pip`: new ones, and copies of packages that the tests' own environment has."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

PURE = "py3-none-any"
LEFT_OUT = ("/RECORD", ".so", ".pyd")


@dataclass(frozen=True)
class Wheel:
    """A wheel's file name and content."""

    name: str
    content: bytes

    @property
    def package(self) -> str:
        return self.name.split("-")[0].lower().replace("_", "-")

    @property
    def version(self) -> str:
        return self.name.split("-")[1]

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    def metadata(self, url: str) -> bytes:
        """Return what an index says about the package in PyPI's JSON, with the wheel at `url`."""
        file = {"filename": self.name, "url": url, "digests": {"sha256": self.digest}}
        about = {"info": {"name": self.package, "version": self.version}, "releases": {self.version: [file]}}
        return json.dumps(about).encode()


def built(
    package: str, files: Mapping[str, str | bytes], *, tag: str = PURE, more: str = "", version: str = "1.0"
) -> Wheel:
    """Build a wheel.

    Args:
        package: Its name.
        files: The content of each file; `*.dist-info` stands for the package's own.
        tag: The Python, ABI and platform.
        more: Further lines of its METADATA.
        version: Its version.
    """
    about = f"{package}-{version}.dist-info"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        names = [name.replace("*.dist-info", about) for name in files]
        for name, content in zip(names, files.values(), strict=True):
            archive.writestr(name, content)
        archive.writestr(
            f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n{more}"
        )
        archive.writestr(f"{about}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n")
        names += [f"{about}/{name}" for name in ("METADATA", "WHEEL", "RECORD")]
        archive.writestr(f"{about}/RECORD", "".join(f"{name},,\n" for name in names))
    return Wheel(f"{package}-{version}-{tag}.whl", made.getvalue())


def copied(package: str) -> Wheel:
    """Return a wheel of a package that is installed here, without its compiled modules: they are for this machine."""
    one = distribution(package)
    made = io.BytesIO()
    names = [str(file) for file in one.files or []]
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            if not name.startswith("..") and "__pycache__" not in name and not name.endswith(LEFT_OUT):
                archive.write(str(one.locate_file(name)), name)
        inside = archive.namelist()
        [record] = [name for name in names if name.endswith(".dist-info/RECORD")]
        archive.writestr(record, "".join(f"{name},,\n" for name in [*inside, record]))
    label = one.metadata["Name"].replace("-", "_")
    return Wheel(f"{label}-{one.version}-{PURE}.whl", made.getvalue())


def renamed(wheel: Path, package: str) -> Wheel:
    """Return a copy of a wheel under another name, with the same modules."""
    with zipfile.ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    return built(package, files, tag=wheel.stem.split("-", 2)[2])
