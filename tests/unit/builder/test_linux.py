"""The parts of the page's Linux that are made without Debian's archive."""

from __future__ import annotations

import gzip
import hashlib
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from builder.linux import boot, copyrights, debian, image, root
from builder.linux.initrd import Initrd


@pytest.mark.parametrize("listing", ["machine.txt", "disk.txt", "proxy.txt"])
def test_each_package_is_pinned_once_by_version_and_hash(listing: str) -> None:
    packages = debian.pinned(image.HERE / listing)
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


@pytest.mark.parametrize("name", ["init", "install"])
def test_a_first_process_defines_what_its_script_shares(name: str) -> None:
    text = boot.script(name).decode()
    assert text.startswith("#!/bin/busybox sh\n") and "# include" not in text
    assert text.count("disk() {\n") == 1 and text.index("disk() {\n") < text.index("$(disk 0)")
    subprocess.run(["sh", "-n"], input=text.encode(), check=True)


def test_packages_are_unpacked_as_dpkg_does_it(tmp_path: Path) -> None:
    if shutil.which("dpkg-deb") is None:
        pytest.skip("there is no dpkg-deb")
    tree = tmp_path / "demo"
    for name, text in {
        "DEBIAN/control": "Package: demo\nVersion: 1\nArchitecture: i386\nMulti-Arch: same\n"
        "Maintainer: A <a@example.org>\nDescription: a demo\n",
        "DEBIAN/conffiles": "/etc/demo.conf\n",
        "DEBIAN/triggers": "interest-noawait /usr/share/demo\ninterest rebuilt\n",
        "DEBIAN/postinst": "#!/bin/sh\n",
        "bin/demo": "#!/bin/sh\n",
        "etc/demo.conf": "a = 1\n",
        "usr/share/doc/demo/copyright": "free\n",
        "usr/share/doc/demo/README": "long\n",
        "usr/share/man/man1/demo.1": "longer\n",
    }.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    (tree / "DEBIAN/postinst").chmod(0o755)
    (tree / "bin/demo").chmod(0o755)
    package = tmp_path / "demo.deb"
    subprocess.run(["dpkg-deb", "--build", "--root-owner-group", tree, package], check=True)
    (tmp_path / "profile").write_text("export A=1\n")
    root.write([package], tmp_path / "root.tar", {"etc/profile": tmp_path / "profile"})
    with tarfile.open(tmp_path / "root.tar") as archive:
        archive.extractall(tmp_path / "root", filter="tar")
    made = tmp_path / "root"
    assert (made / "bin").readlink() == Path("usr/bin")
    assert (made / "bin/demo").stat().st_mode & 0o777 == 0o755
    assert (made / "etc/profile").read_text() == "export A=1\n"
    assert sorted(path.name for path in (made / "usr/share").rglob("*") if path.is_file()) == ["copyright"]
    listed = subprocess.run(
        ["dpkg-query", f"--admindir={made}/var/lib/dpkg", "--showformat", "${db:Status-Abbrev}", "--show"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert listed.stdout == "iU "
    database = made / "var/lib/dpkg"
    assert "/bin/demo\n" in (database / "info/demo:i386.list").read_text()
    md5 = hashlib.md5(b"a = 1\n", usedforsecurity=False).hexdigest()
    assert f" /etc/demo.conf {md5}\n" in (database / "status").read_text()
    assert (database / "triggers/File").read_text() == "/usr/share/demo demo/noawait\n"
    assert (database / "triggers/rebuilt").read_text() == "demo\n"


def test_the_licence_of_each_package_is_named_once_for_those_that_share_it(tmp_path: Path) -> None:
    if shutil.which("dpkg-deb") is None:
        pytest.skip("there is no dpkg-deb")
    packages: dict[str, Path] = {}
    for name in ("first", "second"):
        documents = tmp_path / name / "usr/share/doc"
        documents.mkdir(parents=True)
        (tmp_path / name / "DEBIAN").mkdir()
        (tmp_path / name / "DEBIAN/control").write_text(
            f"Package: {name}\nSource: both\nVersion: 1\nArchitecture: all\n"
            "Maintainer: A <a@example.org>\nDescription: a demo\n"
        )
        if name == "first":
            (documents / name).mkdir()
            (documents / name / "copyright").write_text("free\n")
        else:
            (documents / name).symlink_to("first")
        packages[name] = tmp_path / f"{name}.deb"
        subprocess.run(["dpkg-deb", "--build", tmp_path / name, packages[name]], check=True)
    assert copyrights.collect(packages, {"first": "1", "second": "1"}) == [
        {"name": "first, second", "version": "1", "source": "both 1", "text": "free\n"}
    ]
