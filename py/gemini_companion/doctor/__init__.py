"""`control-surface doctor`: checks this machine for the surface's requirements, and says how to get missing ones."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from gemini_companion.doctor.browser import check_browser
from gemini_companion.doctor.finding import Finding
from gemini_companion.doctor.folder import check_folder
from gemini_companion.doctor.installation import check_packages, check_page, check_parts
from gemini_companion.doctor.port import check_port
from gemini_companion.doctor.tokens import check_tokens
from gemini_companion.storage.folders import data_folder


@dataclass(frozen=True)
class Options:
    """The options of a check.

    Attributes:
        port: The port for the companion.
        dist: The folder of the built page; None looks where a start would look.
        json: Whether to print JSON instead of lines.
        forget: Whether to forget the known browsers.
    """

    port: int = 8765
    dist: Path | None = None
    json: bool = False
    forget: bool = False


def run(options: Options) -> int:
    """Check everything and print the findings; return the exit code, which is 1 if something required is missing."""
    findings: list[Finding] = []
    for finding in examine(options):
        findings.append(finding)
        if not options.json:
            _print(finding)
    if options.json:
        print(json.dumps([asdict(finding) for finding in findings], indent=2))
    return int(any(finding.needed and not finding.ok for finding in findings))


def examine(options: Options) -> Iterator[Finding]:
    """Yield each finding as soon as it is known."""
    yield Finding("Python", True, platform.python_version())
    packages = check_packages()
    yield packages
    yield check_page(options.dist)
    if parts := check_parts(options.dist):
        yield parts
    yield from check_browser()
    yield check_port(options.port)
    yield from check_tokens(options.port)
    yield check_folder(data_folder())
    if packages.ok:
        # These need the packages.
        from gemini_companion.doctor.models import check_models  # noqa: PLC0415

        yield from check_models()
        from gemini_companion.doctor.known import check_browsers  # noqa: PLC0415

        yield check_browsers(forget=options.forget)


def _print(finding: Finding) -> None:
    sign = "ok" if finding.ok else ("MISSING" if finding.needed else "note")
    print(f"{sign:8} {finding.what}: {finding.result}", file=sys.stdout, flush=True)
    if finding.hint:
        print(f"{'':8} {finding.hint}", flush=True)
