"""The parts of the Linux of the page that are made without Debian's archive."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from pathlib import Path

import pytest

from builder.linux import debian, image
from builder.linux.initrd import Initrd


def test_each_package_is_pinned_once_by_version_and_hash() -> None:
    packages = debian.pinned(image.HERE / "machine.txt")
    assert len({package.name for package in packages}) == len(packages) > 0
    assert all(len(bytes.fromhex(package.sha256)) == 32 for package in packages)


def test_an_archive_of_files_is_one_that_cpio_reads(tmp_path: Path) -> None:
    if shutil.which("cpio") is None:
        pytest.skip("there is no cpio")
    archive = Initrd()
    archive.directory("bin")
    archive.file("bin/tool", b"#!/bin/sh\n", 0o755)
    archive.link("bin/same", "tool")
    packed = archive.packed()
    assert packed == archive.packed()
    subprocess.run(["cpio", "-id"], input=gzip.decompress(packed), cwd=tmp_path, check=True)
    assert (tmp_path / "bin/same").read_bytes() == b"#!/bin/sh\n"
    assert (tmp_path / "bin/tool").stat().st_mode & 0o777 == 0o755
