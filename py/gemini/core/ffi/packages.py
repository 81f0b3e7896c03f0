"""Pyodide's packages and lock file."""

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from gemini.core.ffi.page import load_programs, own_load
from gemini.core.ffi.requests import send_request_async
from gemini.core.ffi.values import IN_BROWSER, to_js_object

DISTRIBUTION = "pyodide-distribution.json"
HTTP_OK = 200


def errors_of_javascript() -> tuple[type[Exception], ...]:
    """Return the classes of the errors that JavaScript raises in Python."""
    from pyodide.ffi import JsException

    return (JsException,)


async def install_packages(requirements: list[str]) -> None:
    """Load packages that the surface needs on first use.

    Raises:
        OSError: Modules that they may import can't be downloaded.
    """
    import pyodide_js

    await load_programs()
    with own_load():
        await pyodide_js.loadPackage(requirements)


def refresh_loaded_packages() -> None:
    """Refresh Pyodide's list of installed packages, which is outdated after a memory snapshot is restored."""
    import pyodide_js

    loader: Any = import_module("pyodide._package_loader")
    loader.loadedPackages = pyodide_js.loadedPackages
    loader.init_loaded_packages()


def set_install_directory(name: str, directory: Path) -> None:
    """Have Pyodide install packages whose entry in the lock file names this `install_dir` into `directory`."""
    loader: Any = import_module("pyodide._package_loader")
    loader.TARGETS[name] = directory


async def distribution_lock(address: str | None) -> tuple[str, str]:
    """Return the text of a lock file of Pyodide's packages, and the URL that its file names are relative to.

    Args:
        address: Its URL; None for the copy that came with the page, of the distribution of this Pyodide's version.

    Raises:
        OSError: It can't be fetched.
    """
    import pyodide_js

    url = address or f"{pyodide_js.lockfileBaseUrl}{DISTRIBUTION}"
    answer = await send_request_async(url, "GET", {}, b"")
    if answer.status != HTTP_OK:
        raise OSError(f"the answer is {answer.status} {answer.reason}")
    cdn = f"https://cdn.jsdelivr.net/pyodide/v{pyodide_js.version}/full/"
    return answer.body.decode("utf-8"), address or cdn


def packaged_version(name: str) -> str | None:
    """Return the version of a package that came with the page, or None."""
    if not IN_BROWSER:
        return None
    import pyodide_js

    package = getattr(pyodide_js._api.lockfile_packages, name, None)
    return None if package is None else str(package.version)


def replace_in_lock_file(
    names: Iterable[str], info: dict[str, Any], packages: dict[str, dict[str, Any]]
) -> tuple[str, ...]:
    """Replace packages of Pyodide's lock file, and of micropip's copy of it, and return the names of the new ones.

    Args:
        names: The packages that this function has added before.
        info: The description of the new packages' lock file.
        packages: The new packages by name. Entries of the page's own stay.

    Raises:
        ValueError: The packages are for another version of Pyodide.
    """
    import pyodide_js

    own = pyodide_js._api.lockfile_info.to_py()
    differing = [key for key in ("abi_version", "python") if info.get(key) != own[key]]
    if differing:
        raise ValueError(f"it is for {differing[0]} {info.get(differing[0])}, not {own[differing[0]]}")
    known = pyodide_js._api.lockfile_packages
    listed = import_module("micropip._compat").LOCKFILE_PACKAGES
    for name in names:
        delattr(known, name)
        listed.pop(name, None)
    new = {name: entry for name, entry in packages.items() if not hasattr(known, name)}
    for name, entry in new.items():
        setattr(known, name, to_js_object(entry))
    listed.update(new)
    return tuple(new)


def add_loaded_packages(directory: Path) -> None:
    """Add the packages in a directory to Pyodide's list of installed packages, so that it doesn't load them again."""
    loader: Any = import_module("pyodide._package_loader")
    for information in directory.glob("*.dist-info"):
        if (information / "METADATA").is_file():
            name, source = loader.get_dist_source(information)
            setattr(loader.loadedPackages, name, source)
