"""Installs the packages that the page starts with. Runs in the shipped Pyodide; preinstall.mjs starts it.

The page would otherwise unpack wheels and compile Python sources at each start. So it gets the content of
`site-packages` after Pyodide's `loadPackage`, as archives (POSIX.1-1988 ustar) that include the bytecode (PEP 552,
unchecked) of the modules that a start imports; the standard library gets such bytecode next to its sources. The
archives aren't compressed, because each is compressed as a whole for the transfer, which makes it smaller.

Three archives load after the start (web/kernel/deferred.ts): `programs.tar` has the shell's commands and the modules
that only users' programs import, `library.tar` the standard library's, `sources.tar` the sources of modules that
come with bytecode, and other text files.

Reads `/work/wheels` and `/work/pyodide-lock.json`, and writes `/work/installed`, whose `start.json` lists the files.
"""

import base64
import hashlib
import json
import py_compile
import re
import sys
import tarfile
from dataclasses import dataclass
from importlib import import_module
from importlib.util import source_hash
from io import BytesIO
from pathlib import Path
from site import getsitepackages
from typing import Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

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
        "gemini/computer/python/completion.py",
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
# Modules that only the shell's commands and users' programs import, and the skills that come with the surface.
PROGRAMS = re.compile(
    r"^gemini_userland/(?!expansion\.py)|^gemini/agents/skills/bundled/|^gemini/computer/python/magics/|^gemini/computer/servers/(?!__init__)|^pydantic/(deprecated|experimental|v1)/"
)
# Modules of the standard library that only users' programs import, and packages that load on first use.
LIBRARY = re.compile(
    r"^(_pyrepl|ctypes|unittest|wsgiref|xml|xmlrpc)/"
    r"|^(bdb|cProfile|cmd|compileall|doctest|fileinput|ftplib|imaplib|mailbox|modulefinder|optparse|pdb|pickletools"
    r"|plistlib|poplib|profile|pstats|pyclbr|pydoc|smtplib|statistics|symtable|tabnanny|timeit|trace|tracemalloc"
    r"|wave|zipapp)\.py$"
)
USERLAND = "gemini_userland/"
# Files that nothing imports. Pyodide reads the headers of METADATA.
TEXTS = re.compile(r"\.pyi$|^(?!control_surface-)[^/]+\.dist-info/(METADATA$|LICENSE$|licenses/)")
# The size of the header of a .pyc file, and the flags in it: by the source's hash, not checked (PEP 552).
HEADER = 16
UNCHECKED = 1
WORK = Path("/work")
TARGET = WORK / "installed"
SITE = Path(getsitepackages()[0])
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


async def start() -> set[str]:
    """Start the surface, list its tools, and return the files of all imported modules."""
    # Imports compile modules to files, which `bytecode_of` takes.
    sys.dont_write_bytecode = False
    for name in [name for name in sys.modules if name.partition(".")[0] in OWN_IMPORTS]:
        # The surface imports it again if it needs it, too.
        del sys.modules[name]
    # The module that the page starts.
    clients = import_module("gemini.kernel.clients")
    running = await clients.kernel.start()
    running.terminals.create()
    running.registry.rows()
    # Drawing the page imports the chats as well.
    import_module("gemini.agents.chats.chats")
    return {file for module in list(sys.modules.values()) if (file := getattr(module, "__file__", None))}


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


def write_stdlib(imported: set[str], library: "Archive") -> None:
    """Write the standard library, with bytecode for the imported modules next to their sources.

    `zipimport` looks for the bytecode there. Modules that only users' programs import go to the archive `library`.
    """
    with ZipFile(STDLIB) as given, ZipFile(TARGET / "stdlib.zip", "w", ZIP_STORED) as made:
        for item in given.infolist():
            source = given.read(item)
            shown = f"{STDLIB}/{item.filename}"
            if shown not in imported and LIBRARY.search(item.filename):
                if not item.is_dir():
                    library.add(item.filename, source)
                continue
            made.writestr(ZipInfo(item.filename, item.date_time), source)
            if shown in imported and shown.endswith(".py"):
                made.writestr(ZipInfo(f"{item.filename}c", item.date_time), bytecode(source, shown))


class Archive:
    """An archive to which files are added.

    Args:
        name: The name of the archive; it is written to `TARGET`.
    """

    def __init__(self, name: str) -> None:
        self.path = TARGET / name
        self._tar = tarfile.open(self.path, "w", format=tarfile.USTAR_FORMAT)  # noqa: SIM115 - `close` closes it

    def add(self, name: str, content: bytes) -> None:
        """Add a file."""
        item = tarfile.TarInfo(name)
        item.size = len(content)
        self._tar.addfile(item, BytesIO(content))

    def close(self) -> None:
        """Finish the archive."""
        self._tar.close()


@dataclass
class Archives:
    """The archives that a package's files go to.

    Attributes:
        start: What a start needs.
        programs: Needed by the shell's commands and users' programs.
        sources: What only users and debuggers read.
    """

    start: Archive
    programs: Archive
    sources: Archive


def write_packages(names: list[str], imported: set[str], archives: Archives) -> list[dict[str, str]]:
    """Write files of site-packages to archives.

    Dynamic libraries become separate files. In the archive they are empty: the dynamic linker has loaded them by then,
    and Python only checks that they exist.

    Returns:
        The dynamic libraries: `{path, file, integrity}` of each.
    """
    libraries: list[dict[str, str]] = []
    for name in sorted(name for name in names if not EXCLUDED.search(name)):
        content = (SITE / name).read_bytes()
        is_imported = str(SITE / name) in imported
        if name.endswith(".so"):
            file = TARGET / Path(name).name
            file.write_bytes(content)
            libraries.append({"path": str(SITE / name), **entry(file)})
            archives.start.add(name, b"")
        elif is_imported:
            # Python doesn't read the source of a module with such bytecode. Tracebacks show its lines once it arrives.
            archives.start.add(name, b"")
            archives.start.add(*bytecode_of(name, content))
            archives.sources.add(name, content)
        elif PROGRAMS.search(name):
            archives.programs.add(name, content)
            if name.startswith(USERLAND):
                archives.programs.add(*bytecode_of(name, content))
        elif TEXTS.search(name):
            archives.sources.add(name, content)
            if name.endswith("/METADATA"):
                archives.start.add(name, content.partition(b"\n\n")[0] + b"\n\n")
        else:
            archives.start.add(name, content)
    return libraries


def bytecode_of(name: str, source: bytes) -> tuple[str, bytes]:
    """Return the path and the content of the .pyc file of a module in site-packages."""
    parent, _, module = name.rpartition("/")
    cached = f"__pycache__/{module.removesuffix('py')}{sys.implementation.cache_tag}.pyc"
    path = f"{parent}/{cached}" if parent else cached
    made = SITE / path
    if not made.exists():
        return path, bytecode(source, str(SITE / name))
    # The same, except that Python would check it by the source's time and size.
    magic, code = made.read_bytes()[:4], made.read_bytes()[HEADER:]
    return path, magic + UNCHECKED.to_bytes(4, "little") + source_hash(source) + code


def entry(file: Path) -> dict[str, str]:
    """Return the entry of start.json for a file, with its hash as Subresource Integrity."""
    digest = hashlib.sha256(file.read_bytes()).digest()
    return {"file": file.name, "integrity": f"sha256-{base64.b64encode(digest).decode()}"}


async def main() -> None:
    """Install the packages and write the archives; preinstall.mjs calls this."""
    packages = json.loads((WORK / "pyodide-lock.json").read_text())["packages"]
    wanted = with_dependencies(packages, SURFACE)
    # The surface has its own archive: the other packages stay the same from build to build.
    own: list[str] = []
    others: list[str] = []
    for name, package in wanted.items():
        (own if name == SURFACE else others).extend(install(WORK / "wheels" / package["file_name"]))
    imported = await start()
    # The bytecode of rarely used modules would add a third of a megabyte.
    ready = [name for name in own if name.startswith("gemini/") and not name.startswith(RARELY_USED)]
    imported |= {str(SITE / name) for name in ready}
    TARGET.mkdir()
    requirements, surface, programs, library, sources = (
        Archive(f"{name}.tar")
        for name in ("requirements", "gemini_surface", "programs", "library", "sources")
    )
    write_stdlib(imported, library)
    libraries = write_packages(others, imported, Archives(requirements, programs, sources))
    libraries += write_packages(own, imported, Archives(surface, programs, sources))
    for archive in (requirements, surface, programs, library, sources):
        archive.close()
    made = {
        "stdlib": "stdlib.zip",
        "archives": [entry(requirements.path), entry(surface.path)],
        "deferred": {
            "programs": entry(programs.path),
            "library": entry(library.path),
            "sources": entry(sources.path),
        },
        "libraries": libraries,
        "wheels": sorted(package["file_name"] for package in wanted.values()),
    }
    (TARGET / "start.json").write_text(json.dumps(made, indent=1))
