"""Programs that the embedded shell can't run; the error names a backend that can."""

from importlib import import_module

from gemini.core import ffi
from gemini.errors import CapabilityMissing
from gemini_userland.invocation import Invocation

EDITORS = ("vim", "nvim", "emacs")
INTERACTIVE = (
    *EDITORS, "htop", "tmux", "screen", "dialog",
)  # fmt: skip
CONNECTING = (
    "dig", "ftp", "host", "nc", "ncat", "netcat", "nmap", "nslookup", "ping", "ping6", "rsync", "scp", "sftp", "ssh",
    "telnet", "tracepath", "traceroute",
)  # fmt: skip
NAMES = INTERACTIVE + CONNECTING
CANNOT_EXECUTE = 126
EDITOR = (
    "{} isn't part of this terminal. `nano FILE` opens FILE in the Editor, which highlights and checks it: "
    "Ctrl+S saves, Ctrl+F finds, and closing its tab comes back here"
)
# How a user opens a terminal with each backend.
PLACES = {
    "linux": "`New Linux terminal` in the commands (Ctrl+K)",
    "host": "a terminal of your computer (Ctrl+K, `New terminal on this computer`), where the companion runs",
}
# How to open a terminal with each backend.
WAYS = {
    "linux": "terminal_create(backend='linux'), or New Linux terminal in the omnibar",
    "host": "terminal_create(backend='host'), where the companion runs and the user allows it",
}


def lacks() -> dict[str, str]:
    """Return the missing capabilities, each with the backend that has it; Linux is in some builds of the page."""
    if ffi.linux_folder() is None:
        return {"interactive programs": "host", "connections to other machines": "host"}
    return {
        "interactive programs": "linux",
        "compilers, perl, apt and other programs of Debian": "linux",
        "connections to other machines": "host",
    }


def explain(name: str) -> CapabilityMissing:
    """Return the error for a program of `NAMES`."""
    if name in CONNECTING:
        return _missing(f"{name} needs connections other than HTTP requests", "connections to other machines")
    return _missing(f"{name} needs an interactive terminal", "interactive programs")


def _missing(reason: str, capability: str) -> CapabilityMissing:
    backend = lacks()[capability]
    return CapabilityMissing(
        f"{reason}, which the 'shell' backend lacks",
        hint=f"The {backend!r} backend has {capability}: {WAYS[backend]}.",
        data={"capability": capability, "backend": backend},
    )


def answer(invocation: Invocation) -> int:
    """Print the error for a missing program to standard error, as a shell command; return 126."""
    error = explain(invocation.name)
    text = f"{error.message}. {error.hint}"
    if invocation.watched:
        text = _for_person(invocation.name, error)
    invocation.stderr.write(f"bash: {text}\n".encode())
    return CANNOT_EXECUTE


def _for_person(name: str, error: CapabilityMissing) -> str:
    """Return what a user at the terminal can do instead."""
    place = f"{PLACES[error.data['backend']]} has {name} where it is installed"
    if name in EDITORS:
        return f"{EDITOR.format(name)}. {place[0].upper()}{place[1:]}."
    needs = "connections other than HTTP requests" if name in CONNECTING else "a terminal with processes"
    return f"{name} needs {needs}, which this one doesn't have. {place[0].upper()}{place[1:]}."


def package_of(name: str) -> str | None:
    """Return the package in Python alone that has a command, or None; call it after `suggest` has returned a line."""
    return import_module("gemini_userland.suggestions").PACKAGES.get(name)


async def suggest(name: str, known: str) -> str:
    """Return a line that helps where a command is missing or can't be run, or "".

    Args:
        name: Its name, or the path of a program.
        known: The commands that are there, between blanks.
    """
    try:
        await ffi.load_programs()
    except OSError:
        return ""
    suggestions = import_module("gemini_userland.suggestions")
    return str(suggestions.suggest(name, known.split(), linux=ffi.linux_folder() is not None))
