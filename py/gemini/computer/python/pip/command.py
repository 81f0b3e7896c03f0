"""Parse a pip command line and run its subcommand."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from importlib import metadata
from typing import cast

from gemini.computer.python.pip import installed
from gemini.computer.python.pip.errors import PipError
from gemini.computer.python.pip.installing import install, uninstall
from gemini.core import ffi
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax

HELP = """
Usage: pip <command> [options]
Manages packages of this page's Python with micropip: pure Python wheels, and wheels built for Pyodide.

  install      install packages
  uninstall    remove packages
  list         list installed packages
  freeze       list them as requirements
  show         show information about packages
  check        find missing and incompatible requirements
  help         show help for a command

"pip help install" lists the options of install.
"""
# Options of pip that are accepted and ignored.
WITHOUT_EFFECT = {
    "break-system-packages": "ignored",
    "cache-dir=": "ignored",
    "disable-pip-version-check": "ignored",
    "no-cache-dir": "ignored",
    "no-color": "ignored",
    "no-input": "ignored",
    "no-warn-script-location": "ignored",
    "only-binary=": "ignored",
    "prefer-binary": "ignored",
    "progress-bar=": "ignored",
    "retries=": "ignored",
    "root-user-action=": "ignored",
    "timeout=": "ignored",
    "trusted-host=": "ignored",
    "upgrade-strategy=": "ignored",
    "user": "ignored",
    "verbose": "v",
    "quiet": "q",
}


_PLACE = "packages are installed in ~/.local: leave it out"
_BUILD = "nothing is compiled here, and projects are built by their own backend: leave it out"
_REQUESTS = "requests go through the page's network door: leave it out"
_ONE = "there is one environment: leave it out"
# Options of pip that aren't possible, in each command that has them.
REFUSED = {
    **dict.fromkeys(("target", "t", "prefix", "root", "src", "path", "compile", "no-compile"), _PLACE),
    **dict.fromkeys(
        ("no-binary", "no-build-isolation", "check-build-dependencies", "use-pep517", "no-use-pep517"), _BUILD
    ),
    **dict.fromkeys(("config-settings", "C", "global-option", "no-clean"), _BUILD),
    **dict.fromkeys(("cert", "client-cert", "proxy", "keyring-provider", "exists-action"), _REQUESTS),
    **dict.fromkeys(("python", "isolated", "require-virtualenv", "local", "l"), _ONE),
    **dict.fromkeys(
        ("platform", "abi", "implementation", "python-version"), "wheels are those of this page's Python"
    ),
    **dict.fromkeys(("no-index", "find-links", "f"), "name the wheels themselves: pip install FOLDER/*.whl"),
    **dict.fromkeys(("force-reinstall", "ignore-installed", "I"), "run `pip uninstall -y NAME` before"),
    **dict.fromkeys(
        ("outdated", "o", "uptodate"), "curl -s https://pypi.org/pypi/NAME/json | jq .info.version"
    ),
    **dict.fromkeys(
        ("exclude", "exclude-editable", "include-editable", "not-required"), "filter the list with grep"
    ),
    **dict.fromkeys(
        ("debug", "log", "use-feature", "use-deprecated", "no-python-version-warning"), "leave it out"
    ),
    "require-hashes": "requirements with --hash are checked without it",
    "ignore-requires-python": "a package for another version of Python can't be installed",
    "no-warn-conflicts": "run `pip check` afterwards, and leave it out",
    "dry-run": "curl -s https://pypi.org/pypi/NAME/json | jq .info.requires_dist",
    "report": "use `pip list --format=json` afterwards",
}


def _syntax(help: str, short: str = "", long: dict[str, str] | None = None) -> Syntax:
    own = {*short.replace(":", ""), *(long or {}).values()}
    return Syntax(
        help=help,
        short="hqv" + short,
        long={**WITHOUT_EFFECT, **(long or {})},
        wrong_usage=2,
        answer={"h": "help"},
        refused={name: reason for name, reason in REFUSED.items() if name not in own},
    )


Subcommand = Callable[[Invocation, Arguments], int | Awaitable[int]]

SUBCOMMANDS: dict[str, tuple[Subcommand, Syntax]] = {
    "install": (
        install,
        _syntax(
            """
Usage: pip install [options] <requirement> ...
       pip install [options] -r <requirements file> ...
       pip install [options] <path or URL of a wheel> ...
       pip install [options] [-e] <directory of a project> ...

  -r, --requirement FILE   install the requirements in FILE
  -c, --constraint FILE    constrain versions with FILE
  -e, --editable DIRECTORY use a project in its directory
  -U, --upgrade            upgrade packages to the newest version
  -i, --index-url URL      use this index ($PIP_INDEX_URL by default)
      --extra-index-url URL  use this index too
      --no-deps            don't install dependencies
      --pre                include pre-releases
  -q, --quiet              print less

Packages come from Pyodide's own distribution ($PIP_PYODIDE_LOCK, or else the settings, have the address of its lock
file), then from PyPI. An index that you name comes before the distribution. All are other origins, so the surface
asks the user before it connects (docs/network.md). A module that is already imported changes only when the page
reloads. Nothing can be compiled, and source distributions and version
control are refused.
""",
            "r:c:e:Ui:",
            {
                "requirement=": "r",
                "constraint=": "c",
                "editable=": "e",
                "upgrade": "U",
                "index-url=": "i",
                "extra-index-url=": "extra-index-url",
                "no-deps": "no-deps",
                "no-dependencies": "no-deps",
                "pre": "pre",
            },
        ),
    ),
    "uninstall": (
        uninstall,
        _syntax(
            "\nUsage: pip uninstall -y <package> ...\n\n"
            "  -r, --requirement FILE   remove the packages in FILE\n"
            "  -y, --yes                don't ask for confirmation; required here\n",
            "yr:",
            {"yes": "y", "requirement=": "r"},
        ),
    ),
    "list": (
        installed.list_packages,
        _syntax("\nUsage: pip list [--format=columns|freeze|json]\n", long={"format=": "format"}),
    ),
    "freeze": (
        installed.freeze,
        _syntax(
            "\nUsage: pip freeze [--all]\n\n  --all   include pip, setuptools and wheel\n",
            long={"all": "all"},
        ),
    ),
    "show": (
        installed.show,
        _syntax(
            "\nUsage: pip show [-f] <package> ...\n\n  -f, --files   list the files\n", "f", {"files": "f"}
        ),
    ),
    "check": (installed.check, _syntax("\nUsage: pip check\n")),
}
UNAVAILABLE = {
    **dict.fromkeys(("cache", "config", "debug", "inspect", "lock"), ""),
    "download": ": use pip install; https://pypi.org/simple/NAME/ has the addresses of files, for curl -LO",
    "wheel": ": use pip install, which builds pure Python projects",
    "hash": ": use sha256sum",
    "index": ": curl -s https://pypi.org/pypi/NAME/json | jq -r '.releases | keys[]' lists the versions",
    "search": ": PyPI has no search for programs; https://pypi.org/search/ has one for people",
}


async def pip(invocation: Invocation) -> int:
    """Run a subcommand and return pip's exit code: 0, 1 for a failure, 2 for wrong options."""
    arguments = invocation.argv[1:]
    # Options may come before the command: pip -q install x.
    place = next((index for index, one in enumerate(arguments) if not one.startswith("-")), None)
    if place is None:
        return _general(invocation, arguments)
    name, rest = arguments[place], arguments[:place] + arguments[place + 1 :]
    if name == "help":
        return _explain(invocation, rest)
    if name not in SUBCOMMANDS:
        known = name in UNAVAILABLE
        reason = (
            f"is not possible in this page{UNAVAILABLE[name]}" if known else "is not a command; see pip help"
        )
        return _fail(invocation, f"pip {name} {reason}")
    run, syntax = SUBCOMMANDS[name]
    given = syntax.parse(invocation, rest)
    if isinstance(given, int):
        return given
    try:
        done = run(invocation, given)
        return done if isinstance(done, int) else await done
    except PipError as problem:
        return _fail(invocation, str(problem))


def _fail(invocation: Invocation, text: str) -> int:
    for line in text.split("\n"):
        invocation.stderr.write(f"ERROR: {line}\n".encode("utf-8", "surrogateescape"))
    return 1


def _general(invocation: Invocation, arguments: list[str]) -> int:
    if "-V" in arguments or "--version" in arguments:
        python = f"{sys.version_info.major}.{sys.version_info.minor}"
        invocation.print(f"pip {_micropip_version()} from micropip (python {python})")
        return 0
    given = _syntax(HELP).parse(invocation, arguments)
    if isinstance(given, int):
        return given
    invocation.print(HELP.strip("\n"))
    return 0


def _explain(invocation: Invocation, names: list[str]) -> int:
    if not names:
        invocation.print(HELP.strip("\n"))
        return 0
    if names[0] not in SUBCOMMANDS:
        return _fail(invocation, f'unknown command "{names[0]}"')
    return cast(int, SUBCOMMANDS[names[0]][1].parse(invocation, ["--help"]))


def _micropip_version() -> str:
    try:
        return metadata.version("micropip")
    except metadata.PackageNotFoundError:
        # It is loaded with the first package.
        return ffi.packaged_version("micropip") or "(not installed)"
