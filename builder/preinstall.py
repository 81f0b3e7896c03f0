"""Installs the packages that the page starts with. Runs in the Pyodide that is shipped, by preinstall.mjs.

A start would wait for wheels to be unpacked and for Python's sources to be compiled. So the page gets what
`site-packages` holds after Pyodide's `loadPackage`, as archives (POSIX.1-1988 ustar), and in them the bytecode
(PEP 552, unchecked) of what a start imports; and the standard library with such bytecode beside the sources. Nothing
in there is compressed, so that what is made from the whole for the wire is smaller.

Reads `/work/wheels` and `/work/pyodide-lock.json`, and writes `/work/installed` with `start.json`, which lists it.
"""

import base64
import hashlib
import json
import py_compile
import re
import sys
import tarfile
from importlib import import_module
from io import BytesIO
from pathlib import Path
from site import getsitepackages
from typing import Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

SURFACE = "gemini-surface"
# The commands of the shell; agents, chats, and the models that they ask; everything as one file.
SELDOM = (
    *("gemini/agents/", "gemini/chats/", "gemini/models/", "gemini/python/pip/"),
    *("gemini/python/command.py", "gemini/python/completion.py", "gemini/server/surface.py"),
    *("gemini/storage/powers.py", "gemini/tools/client.py"),
    *("gemini/storage/archive.py", "gemini/storage/exchange.py", "gemini/storage/unpacking.py"),
    *("gemini/history/", "gemini/search/"),
)
WORK = Path("/work")
TARGET = WORK / "installed"
SITE = Path(getsitepackages()[0])
STDLIB = Path(next(path for path in sys.path if path.endswith(".zip")))
# What Pyodide's loadPackage notes of a package from its lock file.
NOTES = {"INSTALLER": "pyodide.loadPackage", "PYODIDE_SOURCE": "pyodide"}
# Not needed in a page: the companion, the tests' plugin, what the build makes of declarations, the list of our own
# files with their hashes, which nobody uninstalls, other runtimes' loaders, lists for auditors, a plugin for a type
# checker, and how terminals other than ours draw emoji, which is asked for by a terminal's name only.
LEFT_OUT = re.compile(
    r"^gemini_companion/|^gemini_testing/|^gemini/server/catalogue\.py$|^gemini_surface-.*/RECORD$|\.mjs$"
    r"|\.dist-info/sboms/|^pydantic/mypy\.py$|^wcwidth/table_grapheme_overrides/_known_"
)


def needed(packages: dict[str, Any], name: str) -> dict[str, Any]:
    """The entries of a lock file that make up a package, itself the last."""
    found: dict[str, Any] = {}
    for other in packages[name]["depends"]:
        found |= needed(packages, other)
    return found | {name: packages[name]}


def install(wheel: Path) -> list[str]:
    """Unpack a wheel, and give its files, relative to site-packages."""
    with ZipFile(wheel) as archive:
        archive.extractall(SITE)
        names = [name for name in archive.namelist() if not name.endswith("/")]
    info = next(name for name in names if name.endswith(".dist-info/METADATA")).removesuffix("METADATA")
    for name, text in NOTES.items():
        (SITE / info / name).write_text(text)
    return [*names, *(info + name for name in NOTES)]


async def start() -> set[str]:
    """Start the surface, list its tools, and give the files of all modules that this, and drawing it, has imported."""
    kernel = import_module("gemini.server.kernel")
    running = await kernel.start()
    running.terminals.create()
    running.registry.rows()
    # Drawing it takes a database besides, whose bindings are no part of a start here.
    import_module("gemini.chats.chats")
    return {file for module in list(sys.modules.values()) if (file := getattr(module, "__file__", None))}


def bytecode(source: bytes, shown: str) -> bytes:
    """The content of a .pyc file that is taken without a look at its source."""
    made = Path("/tmp/module.pyc")
    module = Path("/tmp/module.py")
    module.write_bytes(source)
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(module), str(made), shown, doraise=True, invalidation_mode=unchecked)
    return made.read_bytes()


def write_stdlib(imported: set[str]) -> None:
    """The standard library, with bytecode for what is imported: `zipimport` looks for it beside the source."""
    with ZipFile(STDLIB) as given, ZipFile(TARGET / "stdlib.zip", "w", ZIP_STORED) as made:
        for item in given.infolist():
            source = given.read(item)
            made.writestr(ZipInfo(item.filename, item.date_time), source)
            shown = f"{STDLIB}/{item.filename}"
            if shown in imported and shown.endswith(".py"):
                made.writestr(ZipInfo(f"{item.filename}c", item.date_time), bytecode(source, shown))


def write_archive(path: Path, names: list[str], imported: set[str]) -> list[dict[str, str]]:
    """Files of site-packages with their bytecode; gives the dynamic libraries, which become files of their own.

    In the archive they are empty: the dynamic linker has them by then, and Python looks only whether they exist.
    """
    libraries: list[dict[str, str]] = []
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:

        def add(name: str, content: bytes) -> None:
            item = tarfile.TarInfo(name)
            item.size = len(content)
            archive.addfile(item, BytesIO(content))

        for name in sorted(name for name in names if not LEFT_OUT.search(name)):
            content = (SITE / name).read_bytes()
            if name.endswith(".so"):
                file = TARGET / Path(name).name
                file.write_bytes(content)
                libraries.append({"path": str(SITE / name), **entry(file)})
                content = b""
            add(name, content)
            shown = str(SITE / name)
            if shown in imported and shown.endswith(".py"):
                parent, _, module = name.rpartition("/")
                cached = f"__pycache__/{module.removesuffix('py')}{sys.implementation.cache_tag}.pyc"
                add(f"{parent}/{cached}" if parent else cached, bytecode(content, shown))
    return libraries


def entry(file: Path) -> dict[str, str]:
    """A file as start.json lists it, with its hash in the form of a browser's `integrity`."""
    digest = hashlib.sha256(file.read_bytes()).digest()
    return {"file": file.name, "integrity": f"sha256-{base64.b64encode(digest).decode()}"}


async def main() -> None:
    """What preinstall.mjs calls."""
    packages = json.loads((WORK / "pyodide-lock.json").read_text())["packages"]
    wanted = needed(packages, SURFACE)
    # The surface's own archive is apart: the others stay the same from build to build.
    own: list[str] = []
    others: list[str] = []
    for name, package in wanted.items():
        (own if name == SURFACE else others).extend(install(WORK / "wheels" / package["file_name"]))
    imported = await start()
    # What few visits use is compiled when it is first used: all of it is a third of a megabyte.
    ready = [name for name in own if name.startswith("gemini/") and not name.startswith(SELDOM)]
    imported |= {str(SITE / name) for name in ready}
    TARGET.mkdir()
    write_stdlib(imported)
    libraries = write_archive(TARGET / "requirements.tar", others, imported)
    libraries += write_archive(TARGET / "gemini_surface.tar", own, imported)
    modules = [Path(name) for name in own if name.endswith(".mjs")]
    for module in modules:
        (TARGET / module.name).write_bytes((SITE / module).read_bytes())
    made = {
        "stdlib": "stdlib.zip",
        "archives": [entry(TARGET / name) for name in ("requirements.tar", "gemini_surface.tar")],
        "libraries": libraries,
        "modules": [module.name for module in modules],
        "wheels": sorted(package["file_name"] for package in wanted.values()),
    }
    (TARGET / "start.json").write_text(json.dumps(made, indent=1))
