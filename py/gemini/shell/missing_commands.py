"""Programs that the embedded shell can't run; the error names a backend that can."""

from collections.abc import Mapping
from importlib import import_module

from gemini.core import ffi
from gemini.errors import CapabilityMissing
from gemini_userland.invocation import Invocation

LACKS: Mapping[str, str] = {"interactive programs": "host", "connections to other machines": "host"}

INTERACTIVE = (
    "vim", "nvim", "emacs", "htop", "tmux", "screen", "dialog",
)  # fmt: skip
CONNECTING = (
    "dig", "ftp", "host", "nc", "ncat", "netcat", "nmap", "nslookup", "ping", "ping6", "rsync", "scp", "sftp", "ssh",
    "telnet", "tracepath", "traceroute",
)  # fmt: skip
NAMES = INTERACTIVE + CONNECTING
CANNOT_EXECUTE = 126


def explain(name: str) -> CapabilityMissing:
    """Return the error for a program of `NAMES`."""
    if name in CONNECTING:
        return _missing(f"{name} needs connections other than HTTP requests", "connections to other machines")
    return _missing(f"{name} needs an interactive terminal", "interactive programs")


def _missing(reason: str, capability: str) -> CapabilityMissing:
    backend = LACKS[capability]
    return CapabilityMissing(
        f"{reason}, which the 'shell' backend lacks",
        hint=f"The {backend!r} backend has {capability}: "
        f"terminal_create(backend={backend!r}), where the companion runs and the user allows it.",
        data={"capability": capability, "backend": backend},
    )


def answer(invocation: Invocation) -> int:
    """Print the error for a missing program to standard error, as a shell command; return 126."""
    error = explain(invocation.name)
    invocation.stderr.write(f"bash: {error.message}. {error.hint}\n".encode())
    return CANNOT_EXECUTE


async def suggest(name: str, known: str) -> str:
    """Return a line that helps where no command has that name, or ""; `known` are the names between blanks."""
    try:
        await ffi.load_programs()
    except OSError:
        return ""
    return str(import_module("gemini_userland.suggestions").suggest(name, known.split()))
