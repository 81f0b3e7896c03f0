"""Checks the installation: the packages, and the page."""

import contextlib
import importlib.metadata
from pathlib import Path

from gemini.project import PROJECT
from gemini_companion.doctor.finding import Finding
from gemini_companion.errors import SurfaceMissing
from gemini_companion.site import find_site
from gemini_companion.storage.parts import Parts

PACKAGES = ("pydantic", "mcp", "starlette", "uvicorn", "websockets", "keyring", "httpx2", "cryptography")


def check_packages() -> Finding:
    """Check that the companion's packages are installed."""
    found: dict[str, str] = {}
    for name in PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    if missing := [name for name in PACKAGES if name not in found]:
        return Finding(
            "packages",
            False,
            f"missing: {', '.join(missing)}",
            f'Run pip install "{PROJECT}[companion]" with this Python.',
        )
    return Finding("packages", True, ", ".join(f"{name} {version}" for name, version in found.items()))


def check_page(named: Path | None = None) -> Finding:
    """Check that the page is built: in the named folder, or else where a start would look."""
    try:
        return Finding("page", True, str(find_site(named).resolve()))
    except SurfaceMissing as missing:
        return Finding("page", False, missing.message, missing.hint)


def check_parts(named: Path | None = None) -> Finding | None:
    """Check which parts of the page would be fetched on first use; None if the page isn't built or has none."""
    try:
        parts = Parts(find_site(named))
    except SurfaceMissing:
        return None
    names = list(parts)
    if not names:
        return None
    missing = [name for name in names if parts.find(name) is None]
    if not missing:
        return Finding("parts of the page", True, "all on this machine")
    megabytes = sum(map(parts.size, missing)) / 1_000_000
    return Finding(
        "parts of the page",
        True,
        f"{len(missing)} of {len(names)} ({megabytes:.0f} MB) will be fetched on first use",
        f"To use them without a network, run {PROJECT} offline.",
        needed=False,
    )
