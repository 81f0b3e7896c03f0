"""Compiles the programs of guest/ with musl, and with Mbed TLS where they need it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from builder.linux import debian
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.project import Project

GUEST = Path(__file__).parent / "guest"
COMPILER = "gcc"
MBED_TLS = ("mbedtls", "mbedx509", "mbedcrypto")
# What a program needs besides the C library.
LIBRARIES = {"proxy": MBED_TLS}
PACKAGE_OF_LIBRARIES = "libmbedtls-dev"
# Of each package, the headers and the static libraries.
PARTS = {
    "musl-dev": re.compile(r"/i386-linux-musl/.*\.(h|a|o)$"),
    "libgcc-12-dev": re.compile(r"/libgcc\.a$"),
    PACKAGE_OF_LIBRARIES: re.compile(r"^usr/include/.*\.h$|\.a$"),
}
OPTIONS = (
    *("-m32", "-march=i686", "-O2", "-s", "-static", "-nostdlib", "-nostdinc"),
    *("-fno-stack-protector", "-fno-pie", "-no-pie"),
)


def folder(project: Project) -> Path:
    """Return the folder with the programs, which processors of the kind x86-64 run, too."""
    return project.work / "linux/musl"


def compile_programs(project: Project, packages: dict[str, Path]) -> dict[str, bytes]:
    """Compile the programs that the packages are enough for, and return them by name.

    Raises:
        BuildProblem: There is no compiler, or a program doesn't compile.
    """
    if shutil.which(COMPILER) is None:
        raise BuildProblem(f"{COMPILER} is missing; install it to build the Linux of the page.")
    parts = folder(project)
    shutil.rmtree(parts, ignore_errors=True)
    for package, wanted in [(name, wanted) for name, wanted in PARTS.items() if name in packages]:
        for name, content in debian.unpack(packages[package], wanted):
            (parts / name).parent.mkdir(parents=True, exist_ok=True)
            (parts / name).write_bytes(content)
    libraries = {source.stem: LIBRARIES.get(source.stem, ()) for source in sorted(GUEST.glob("*.c"))}
    return {
        name: _compile(project, parts, name, needed)
        for name, needed in libraries.items()
        if not needed or PACKAGE_OF_LIBRARIES in packages
    }


def _compile(project: Project, parts: Path, name: str, needed: tuple[str, ...]) -> bytes:
    library = parts / "usr/lib/i386-linux-musl"
    [runtime] = parts.rglob("libgcc.a")
    static = [parts / f"usr/lib/i386-linux-gnu/lib{each}.a" for each in needed]
    headers = ["-isystem", parts / "usr/include/i386-linux-musl", "-isystem", parts / "usr/include"]
    start, end = [library / "crt1.o", library / "crti.o"], [library / "crtn.o"]
    libraries = ["-Wl,--start-group", *static, library / "libc.a", runtime, "-Wl,--end-group"]
    target = parts / name
    command = [COMPILER, *OPTIONS, *headers, "-Wl,--build-id=none", "-o", target]
    try:
        run(
            [*command, *start, GUEST / f"{name}.c", *libraries, *end],
            cwd=project.root,
            log=project.log("gcc"),
        )
    except ProgramFailed as failure:
        raise BuildProblem(f"guest/{name}.c doesn't compile.", failure.output) from None
    return target.read_bytes()
