"""Installs the packages that the page starts with. Runs in the shipped Pyodide; preinstall.mjs starts it.

The page would otherwise unpack wheels and compile Python sources at each start. So it gets the content of
`site-packages` after Pyodide's `loadPackage`, and the standard library, as archives (POSIX.1-1988 ustar) that have the
bytecode (PEP 552, unchecked) of the modules that a start imports. The archives aren't compressed, because each is
compressed as a whole for the transfer, which makes it smaller. Their names are relative to Python's folder, `LIB`.

Three archives load after the start (web/kernel/deferred.ts): `programs.tar` has the shell's commands and other modules
that a start doesn't import, `library.tar` the standard library's, `sources.tar` the sources of modules that come with
bytecode, and other text files. `LATE_MODULES` names the modules of the first two (gemini/core/late_modules.py).
`COMPILED` has what Python would compile at each start in spite of bytecode (gemini/core/compiled.py).

Reads `/work/wheels` and `/work/pyodide-lock.json`, and writes `/work/installed`, whose `start.json` lists the files.
"""

import base64
import hashlib
import json
import py_compile
import re
import sys
import tarfile
from importlib import import_module
from importlib.util import source_hash
from io import BytesIO
from pathlib import Path
from site import getsitepackages
from typing import Any
from zipfile import ZipFile

SURFACE = "control-surface"
# Modules that few visits use: they are compiled on first use.
RARELY_USED = (
    *(
        "gemini/agents/",
        "gemini/automations/",
        "gemini/code_mode/",
        "gemini/computer/code/",
        "gemini/computer/python/magics/",
        "gemini/computer/python/own/",
        "gemini/computer/python/pip/",
        "gemini/models/",
        "gemini/pages/vision/",
        "gemini/personal/",
    ),
    *(
        "gemini/computer/python/command.py",
        "gemini/computer/python/completeness.py",
    ),
    *("gemini/computer/python/shell_completion.py",),
    *("gemini/kernel/surface.py", "gemini/computer/python/pipes.py"),
    *(
        "gemini/computer/shell/linux_commands.py",
        "gemini/computer/shell/linux_network.py",
        "gemini/computer/shell/linux_proxy/",
    ),
    *(
        "gemini/computer/shell/linux_machine",
        "gemini/computer/shell/linux_session.py",
        "gemini/computer/terminal/machines.py",
    ),
    *("gemini/computer/shell/linux_program.py", "gemini/core/ffi/linux.py"),
    *("gemini/computer/python/matplotlib_backend.py", "gemini/computer/python/values.py"),
    *("gemini/computer/python/popen.py", "gemini/computer/python/subprocess_transports.py"),
    *("gemini/storage/powers.py", "gemini/tools/client.py"),
    *("gemini/storage/embeddings.py", "gemini/storage/spending.py"),
    *("gemini/storage/archive.py", "gemini/storage/exchange.py", "gemini/storage/unpacking.py"),
    # An import that was interrupted is finished during the start.
    "gemini_userland/expansion.py",
    *("gemini/computer/history/", "gemini/computer/search/"),
)
# Packages' modules that only users' programs import, and the skills that come with the surface.
PROGRAMS = re.compile(
    r"^gemini_userland/(?!expansion\.py)|^gemini/agents/skills/bundled/|^pydantic/(deprecated|experimental|v1)/"
    r"|\.dist-info/RECORD$"
)
# Modules that a start in a page imports, and that of this program doesn't.
PAGE_ONLY = re.compile(
    r"^gemini/core/(ffi/|compiled\.py|late_modules\.py|secret_words\.py)|^gemini/storage/schedules\.py$"
)
USERLAND = "gemini_userland/"
# Files that nothing imports. Pyodide reads the headers of METADATA.
TEXTS = re.compile(r"\.pyi$|^(?!control_surface-)[^/]+\.dist-info/METADATA$|\.dist-info/(LICENSE$|licenses/)")
# The size of the header of a .pyc file, and the flags in it: by the source's hash, not checked (PEP 552).
HEADER = 16
UNCHECKED = 1
WORK = Path("/work")
TARGET = WORK / "installed"
SITE = Path(getsitepackages()[0])
LIB = SITE.parent
# The folder in which Python finds the standard library without a zip file.
LIBRARY = LIB / "lib-dynload"
LATE_MODULES = "gemini/core/late_modules.txt"
COMPILED = "gemini/core/compiled.bin"
STDLIB = Path(next(path for path in sys.path if path.endswith(".zip")))
# Large modules that this program imports, and a start may not.
OWN_IMPORTS = {"py_compile", "tarfile", "zipfile"}
# The files that Pyodide's loadPackage adds to a package's .dist-info.
DIST_INFO = {"INSTALLER": "pyodide.loadPackage", "PYODIDE_SOURCE": "pyodide"}
# Not needed in a page: the companion, the pytest plugin and the entry points of both, which pytest would load; the
# build's catalogue, our own RECORD, loaders for other runtimes, SBOMs, the mypy plugin, and tables for other terminals'
# emoji.
EXCLUDED = re.compile(
    r"^gemini_companion/|^gemini_testing/|^gemini/kernel/catalogue\.py$"
    r"|^control_surface-.*/(RECORD|entry_points\.txt)$"
    r"|\.dist-info/sboms/|^pydantic/mypy\.py$|^wcwidth/table_grapheme_overrides/_known_"
)


def with_dependencies(packages: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the lock file's entries for a package and all its dependencies, the package last."""
    found: dict[str, Any] = {}
    for other in packages[name]["depends"]:
        found |= with_dependencies(packages, other)
    return found | {name: packages[name]}


def install(wheel: Path) -> list[str]:
    """Unpack a wheel and return its files, relative to site-packages."""
    with ZipFile(wheel) as archive:
        archive.extractall(SITE)
        names = [name for name in archive.namelist() if not name.endswith("/")]
    info = next(name for name in names if name.endswith(".dist-info/METADATA")).removesuffix("METADATA")
    for name, text in DIST_INFO.items():
        (SITE / info / name).write_text(text)
    return [*names, *(info + name for name in DIST_INFO)]


async def start() -> tuple[set[str], bytes]:
    """Start the surface, list its tools, and return the files of all imported modules, and what they compile."""
    # Imports compile modules to files, which `bytecode_of` takes.
    sys.dont_write_bytecode = False
    for name in [name for name in sys.modules if name.partition(".")[0] in OWN_IMPORTS]:
        # The surface imports it again if it needs it, too.
        del sys.modules[name]
    with import_module("gemini.core.compiled").record() as recorded:
        # The module that the page starts.
        clients = import_module("gemini.kernel.clients")
        running = await clients.kernel.start()
        running.terminals.create()
    running.registry.rows()
    # A snapshot of Python has these, and a page with saved chats needs them without one, too.
    for name in import_module("gemini.kernel.snapshot").PRELOADED:
        import_module(name)
    files = {file for module in list(sys.modules.values()) if (file := getattr(module, "__file__", None))}
    return files, recorded.as_bytes()


def bytecode(source: bytes, shown: str) -> bytes:
    """Compile a module to the content of a .pyc file that Python doesn't check against its source.

    Args:
        source: The source code.
        shown: The path to show in tracebacks.
    """
    made = Path("/tmp/module.pyc")
    module = Path("/tmp/module.py")
    module.write_bytes(source)
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(module), str(made), shown, doraise=True, invalidation_mode=unchecked)
    return made.read_bytes()


def write_library(imported: set[str], archives: "Archives") -> None:
    """Write the standard library: bytecode for the imported modules, whose sources follow, and the others later."""
    with ZipFile(STDLIB) as given:
        for item in given.infolist():
            if item.is_dir():
                continue
            source = given.read(item)
            path = LIBRARY / item.filename
            if f"{STDLIB}/{item.filename}" in imported:
                # In the source's place, bytecode is found with half of the files, which saves a tenth of a second.
                archives.standard.add(path.with_suffix(".pyc"), bytecode(source, str(path)))
                archives.sources.add(path, source)
            else:
                archives.library.add(path, source)


class Archive:
    """An archive to which files are added.

    Args:
        name: The name of the archive; it is written to `TARGET`.
    """

    def __init__(self, name: str) -> None:
        self.path = TARGET / name
        self.paths: list[Path] = []
        self._tar = tarfile.open(self.path, "w", format=tarfile.USTAR_FORMAT)  # noqa: SIM115 - `close` closes it

    def add(self, path: Path, content: bytes) -> None:
        """Add a file."""
        item = tarfile.TarInfo(str(path.relative_to(LIB)))
        item.size = len(content)
        self._tar.addfile(item, BytesIO(content))
        self.paths.append(path)

    def close(self) -> None:
        """Finish the archive."""
        self._tar.close()


class Archives:
    """The archives that files go to.

    Attributes:
        standard: Of the standard library, what a start needs.
        requirements: Of other packages.
        surface: Of our own, in an archive apart: the others stay the same from build to build.
        programs: What programs, the shell's commands and rarely used parts of the surface import.
        library: What they import of the standard library.
        sources: What only users and debuggers read.
    """

    def __init__(self) -> None:
        names = ("stdlib", "requirements", "gemini_surface", "programs", "library", "sources")
        self.all = [Archive(f"{name}.tar") for name in names]
        self.standard, self.requirements, self.surface, self.programs, self.library, self.sources = self.all

    def add_compiled(self, path: Path, source: bytes, start: Archive) -> None:
        """Add a module's bytecode to `start`.

        Python doesn't read the source of a module with such bytecode. Tracebacks show its lines once it arrives.
        """
        start.add(path, b"")
        start.add(*bytecode_of(path, source))
        self.sources.add(path, source)

    def late_modules(self) -> str:
        """Return the names of the modules that arrive after the start, one a line."""
        names: set[str] = set()
        for path in [*self.programs.paths, *self.library.paths]:
            if path.suffix == ".py":
                module = path.relative_to(LIBRARY if path.is_relative_to(LIBRARY) else SITE).with_suffix("")
                names.add(".".join(module.parent.parts if module.name == "__init__" else module.parts))
        return "\n".join(sorted(names))


def write_packages(
    names: list[str], imported: set[str], start: Archive, archives: Archives
) -> list[dict[str, str]]:
    """Write files of site-packages to archives.

    Dynamic libraries become separate files. In the archive they are empty: the dynamic linker has loaded them by then,
    and Python only checks that they exist.

    Args:
        names: The files, relative to site-packages.
        imported: The files of the modules that a start imports.
        start: The archive for what a start needs.
        archives: The others.

    Returns:
        The dynamic libraries: `{path, file, integrity}` of each.
    """
    libraries: list[dict[str, str]] = []
    for name in sorted(name for name in names if not EXCLUDED.search(name)):
        path = SITE / name
        content = path.read_bytes()
        if name.endswith(".so"):
            file = TARGET / path.name
            file.write_bytes(content)
            libraries.append({"path": str(path), **entry(file)})
            start.add(path, b"")
        elif name.endswith(".py") and str(path) in imported:
            archives.add_compiled(path, content, start)
        elif name.endswith(".py") or PROGRAMS.search(name):
            archives.programs.add(path, content)
            if is_used_soon(name):
                archives.programs.add(*bytecode_of(path, content))
        elif TEXTS.search(name):
            archives.sources.add(path, content)
            if name.endswith("/METADATA"):
                start.add(path, content.partition(b"\n\n")[0] + b"\n\n")
        else:
            start.add(path, content)
    return libraries


def is_used_soon(name: str) -> bool:
    """Return whether a module that loads after the start gets bytecode, which rarely used ones don't."""
    if not name.endswith(".py"):
        return False
    return name.startswith(USERLAND) or (name.startswith("gemini/") and not name.startswith(RARELY_USED))


def bytecode_of(path: Path, source: bytes) -> tuple[Path, bytes]:
    """Return the path and the content of the .pyc file of a module in site-packages."""
    cached = path.parent / "__pycache__" / f"{path.stem}.{sys.implementation.cache_tag}.pyc"
    if not cached.exists():
        return cached, bytecode(source, str(path))
    # The same, except that Python would check it by the source's time and size.
    made = cached.read_bytes()
    return cached, made[:4] + UNCHECKED.to_bytes(4, "little") + source_hash(source) + made[HEADER:]


def entry(file: Path) -> dict[str, str]:
    """Return the entry of start.json for a file, with its hash as Subresource Integrity."""
    digest = hashlib.sha256(file.read_bytes()).digest()
    return {"file": file.name, "integrity": f"sha256-{base64.b64encode(digest).decode()}"}


async def main() -> None:
    """Install the packages and write the archives; preinstall.mjs calls this."""
    packages = json.loads((WORK / "pyodide-lock.json").read_text())["packages"]
    wanted = with_dependencies(packages, SURFACE)
    own: list[str] = []
    others: list[str] = []
    for name, package in wanted.items():
        (own if name == SURFACE else others).extend(install(WORK / "wheels" / package["file_name"]))
    imported, compiled = await start()
    imported |= {
        str(SITE / name) for name in own if PAGE_ONLY.search(name) and not name.startswith(RARELY_USED)
    }
    TARGET.mkdir()
    archives = Archives()
    write_library(imported, archives)
    libraries = write_packages(others, imported, archives.requirements, archives)
    libraries += write_packages(own, imported, archives.surface, archives)
    archives.surface.add(SITE / LATE_MODULES, archives.late_modules().encode())
    archives.surface.add(SITE / COMPILED, compiled)
    for archive in archives.all:
        archive.close()
    made = {
        "archives": [entry(one.path) for one in (archives.standard, archives.requirements, archives.surface)],
        "deferred": {
            "programs": [entry(archives.programs.path), entry(archives.library.path)],
            "sources": [entry(archives.sources.path)],
        },
        "libraries": libraries,
        "wheels": sorted(package["file_name"] for package in wanted.values()),
    }
    (TARGET / "start.json").write_text(json.dumps(made, indent=1))
