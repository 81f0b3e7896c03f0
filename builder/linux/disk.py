"""Makes the system disk: Debian's programs, which the page loads in parts as they are read."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from builder import npm
from builder.linux import boot, copyrights, debian, root
from builder.linux.initrd import Initrd
from builder.npm import with_typescript
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.progress import Step
from builder.project import Project
from builder.stamps import Steps, is_fresh

HERE = Path(__file__).parent
LISTING = HERE / "disk.txt"
# The disk's own files, at their paths.
OWN = HERE / "guest/root"
# Of a package, the file with that name, and its place in the machine that makes the disk.
LIBRARIES = "lib/i386-linux-gnu"
FORMATTER = (
    ("e2fsprogs", "sbin/mke2fs", "sbin/mke2fs"),
    ("e2fsprogs", "etc/mke2fs.conf", "etc/mke2fs.conf"),
    ("libext2fs2", r"libext2fs\.so\.2\.[\d.]+", f"{LIBRARIES}/libext2fs.so.2"),
    ("libext2fs2", r"libe2p\.so\.2\.[\d.]+", f"{LIBRARIES}/libe2p.so.2"),
    ("libcom-err2", r"libcom_err\.so\.2\.[\d.]+", f"{LIBRARIES}/libcom_err.so.2"),
    ("libblkid1", r"libblkid\.so\.1\.[\d.]+", f"{LIBRARIES}/libblkid.so.1"),
    ("libuuid1", r"libuuid\.so\.1\.[\d.]+", f"{LIBRARIES}/libuuid.so.1"),
)
# Its installation takes minutes, so of these alone.
SOURCES = ("disk.txt", "machine.txt", "root.py", "install.mjs", "guest/install", "guest/disk", "guest/root")


def folder(project: Project) -> Path:
    """Return the folder with the finished disk: `disk.json`, and its parts that aren't empty."""
    return project.work / "linux/disk"


def build(project: Project, steps: Steps) -> None:
    """Make the disk if its packages or what makes it changed.

    Raises:
        BuildProblem: A package is missing, or can't be installed.
    """
    npm.install(project, steps)
    steps.run(
        "making the system disk of the Linux",
        project.stamp("linux-disk"),
        lambda: _inputs(project),
        [folder(project) / "disk.json"],
        lambda step: _make(project, step),
    )


def is_made(project: Project) -> bool:
    """Return whether the disk is there, and of these sources."""
    return is_fresh(project.stamp("linux-disk"), lambda: _inputs(project), [folder(project) / "disk.json"])


def parts(project: Project) -> list[Path]:
    """Return the files with the disk's parts; none if it isn't made."""
    return sorted(folder(project).glob("*.part")) if is_made(project) else []


def notices(project: Project) -> list[dict[str, str]]:
    """Return name, version, source and copyright of the packages on the disk; none if it isn't made."""
    if not is_made(project):
        return []
    listed: list[dict[str, str]] = json.loads((folder(project) / "notices.json").read_text(encoding="utf-8"))
    return listed


def _inputs(project: Project) -> list[Path | str]:
    parts = project.web / "linux/disk/disk.js"
    return [*(HERE / name for name in SOURCES), parts, project.modules / "v86/package.json"]


def _make(project: Project, step: Step) -> None:
    machine = debian.fetch(project, debian.pinned(HERE / "machine.txt"), step)
    pinned = debian.pinned(LISTING)
    packages = debian.fetch(project, pinned, step)
    target, boot_folder = folder(project), project.work / "linux/install"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    step.show("unpacking")
    versions = {package.name: package.version for package in pinned}
    listed = copyrights.collect(packages, versions)
    (target / "notices.json").write_text(json.dumps(listed), encoding="utf-8")
    boot.write(project, machine, boot_folder)
    first = (boot_folder / "initrd").read_bytes()
    (boot_folder / "installer").write_bytes(first + _installer(packages).packed())
    own = {path.relative_to(OWN).as_posix(): path for path in sorted(OWN.rglob("*")) if path.is_file()}
    root.write(list(packages.values()), boot_folder / "root.tar", own)
    step.show("installing, which takes some minutes")
    try:
        run(
            [*with_typescript(), HERE / "install.mjs", boot_folder, target],
            cwd=project.root,
            log=project.log("linux-disk"),
            on_line=lambda line: step.show(line.strip()),
        )
    except ProgramFailed as failure:
        raise BuildProblem("The system disk can't be installed.", failure.output) from None
    shutil.rmtree(boot_folder)


def _installer(packages: dict[str, Path]) -> Initrd:
    """Return the files that the installation adds to a machine's first files."""
    archive = Initrd()
    archive.directory(LIBRARIES)
    for package, path, place in FORMATTER:
        [(_, content)] = debian.unpack(packages[package], re.compile(f"(^|/){path}$"))
        archive.file(place, content, 0o755)
    archive.file("install", boot.script("install"), 0o755)
    return archive
