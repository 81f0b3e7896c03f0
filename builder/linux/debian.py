"""Downloads pinned packages with apt, from Debian's archive, without a change to the system."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.progress import Step
from builder.project import Project

RELEASE = "bookworm"
ARCHITECTURE = "i386"
PROGRAMS = ("apt-get", "dpkg-deb")
# The system's sources of the release come first, which may be a mirror nearby.
PUBLIC = (
    ("http://deb.debian.org/debian", RELEASE),
    ("http://deb.debian.org/debian", f"{RELEASE}-updates"),
    ("http://deb.debian.org/debian-security", f"{RELEASE}-security"),
)
ONE_LINE = re.compile(
    rf"^deb\s+(?:\[[^]]*\]\s+)?(?P<address>\S+)\s+(?P<suite>{RELEASE}\S*)\s.*\bmain\b", re.MULTILINE
)


@dataclass(frozen=True)
class Package:
    """A package that is pinned by version and hash."""

    name: str
    version: str
    sha256: str


def pinned(listing: Path) -> list[Package]:
    """Return the packages that a file lists, one a line: name, version, SHA-256."""
    lines = [line.split("#")[0].split() for line in listing.read_text(encoding="utf-8").splitlines()]
    return [Package(*words) for words in lines if words]


def fetch(project: Project, packages: list[Package], step: Step) -> dict[str, Path]:
    """Return the file of each package by its name; download those that are missing.

    Raises:
        BuildProblem: A program is missing, the archive isn't reachable or no longer has a version, or a file doesn't
            match its hash.
    """
    folder = project.work / "linux/packages"
    folder.mkdir(parents=True, exist_ok=True)
    missing = [package for package in packages if not _stored(folder, package).is_file()]
    if missing:
        _download(project, missing, folder, step)
    return {package.name: _stored(folder, package) for package in packages}


def source_of(package: Path) -> str:
    """Return the name and the version of the source that a package was built from, such as `bash 5.2.15-2`."""
    fields = subprocess.run(
        ["dpkg-deb", "--field", str(package), "Package", "Source", "Version", "Built-Using"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found = dict(line.split(": ", 1) for line in fields.splitlines())
    # The signed kernel is made of another source, which it names so: `linux (= 6.1.176-1)`.
    if (built := re.match(r"(linux) \(= (.*)\)", found.get("Built-Using", ""))) is not None:
        return f"{built[1]} {built[2]}"
    name, _, version = found.get("Source", found["Package"]).partition(" ")
    return f"{name} {version.strip('()') or found['Version']}"


def unpack(package: Path, wanted: re.Pattern[str]) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of the regular files of a package whose path matches, such as `bin/busybox`."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)], stdout=subprocess.PIPE) as unpacking:
        assert unpacking.stdout is not None
        with tarfile.open(fileobj=unpacking.stdout, mode="r|") as archive:
            for member in archive:
                name = member.name.removeprefix("./")
                content = archive.extractfile(member) if member.isfile() and wanted.search(name) else None
                if content is not None:
                    yield name, content.read()


def _stored(folder: Path, package: Package) -> Path:
    return folder / f"{package.sha256}.deb"


def _download(project: Project, packages: list[Package], folder: Path, step: Step) -> None:
    for program in PROGRAMS:
        if shutil.which(program) is None:
            raise BuildProblem(
                f"{program} is missing; build the Linux on Debian, or on a system with its tools."
            )
    root = project.work / "linux/apt"
    options = _private_root(root)
    log = project.log("apt")
    step.show("reading the lists of Debian's archive")
    try:
        run(["apt-get", *options, "update"], cwd=root, log=log)
    except ProgramFailed:
        # One unreachable source doesn't matter if another has the packages.
        step.show("a list could not be read")
    target = root / "files"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    step.show(f"downloading {len(packages)} packages")
    wanted = [f"{package.name}={package.version}" for package in packages]
    try:
        run(["apt-get", *options, "download", *wanted], cwd=target, log=log)
    except ProgramFailed as failure:
        raise BuildProblem(
            "Debian's archive isn't reachable, or no longer has a version of builder/linux/.", failure.output
        ) from None
    found = {hashlib.sha256(file.read_bytes()).hexdigest(): file for file in target.glob("*.deb")}
    for package in packages:
        if package.sha256 not in found:
            raise BuildProblem(f"{package.name} {package.version} does not match its hash in builder/linux/.")
        found[package.sha256].replace(_stored(folder, package))


def _private_root(root: Path) -> list[str]:
    """Create a state folder for apt, and return the options with which apt uses it alone."""
    for name in ("lists/partial", "cache/archives/partial", "etc"):
        (root / name).mkdir(parents=True, exist_ok=True)
    (root / "status").touch()
    (root / "etc/sources.list").write_text(_sources(Path("/etc/apt")), encoding="utf-8")
    settings = {
        "Dir::Etc": root / "etc",
        "Dir::State": root,
        "Dir::State::status": root / "status",
        "Dir::State::lists": root / "lists",
        "Dir::Cache": root / "cache",
        "APT::Architecture": ARCHITECTURE,
        "APT::Architectures::": ARCHITECTURE,
        "APT::Sandbox::User": "root",
        "Acquire::Languages": "none",
    }
    return [part for name, value in settings.items() for part in ("-o", f"{name}={value}")]


def _sources(etc: Path) -> str:
    """Return apt's sources: the system's of the release, else the public ones.

    Signatures aren't checked, because each package is checked against the hash in this tree.
    """
    found = list(_system_sources(etc)) or PUBLIC
    return "".join(
        f"deb [arch={ARCHITECTURE} trusted=yes] {address} {suite} main\n" for address, suite in found
    )


def _system_sources(etc: Path) -> Iterator[tuple[str, str]]:
    for file in sorted([etc / "sources.list", *etc.glob("sources.list.d/*.list")]):
        if file.is_file():
            for found in ONE_LINE.finditer(file.read_text(encoding="utf-8")):
                yield found["address"], found["suite"]
    for file in sorted(etc.glob("sources.list.d/*.sources")):
        for stanza in file.read_text(encoding="utf-8").split("\n\n"):
            fields = dict(re.findall(r"^([\w-]+):[ \t]*(.*)$", stanza, re.MULTILINE))
            suites = [suite for suite in fields.get("Suites", "").split() if suite.startswith(RELEASE)]
            if "main" in fields.get("Components", "").split():
                yield from (
                    (address, suite) for address in fields.get("URIs", "").split() for suite in suites
                )
