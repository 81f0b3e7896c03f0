"""`control-surface doctor`: whether this machine has what the surface needs, and what to do where it hasn't."""

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
from gemini_companion.doctor.installation import check_packages, check_page
from gemini_companion.doctor.port import check_port
from gemini_companion.doctor.tokens import check_tokens
from gemini_companion.folders import data_folder


@dataclass(frozen=True)
class Options:
    """What is checked.

    Attributes:
        port: The one that the companion shall have.
        dist: The folder of the built page; None: where a start would look.
        json: Print JSON instead of lines.
        forget: Have companions forget the browsers that they know.
    """

    port: int = 8765
    dist: Path | None = None
    json: bool = False
    forget: bool = False


def run(options: Options) -> int:
    """Check everything, print what was found, and give the exit code: 1 if something that is needed is missing."""
    findings: list[Finding] = []
    for finding in examine(options):
        findings.append(finding)
        if not options.json:
            _print(finding)
    if options.json:
        print(json.dumps([asdict(finding) for finding in findings], indent=2))
    return int(any(finding.needed and not finding.ok for finding in findings))


def examine(options: Options) -> Iterator[Finding]:
    """The findings, each as soon as it is there."""
    yield Finding("Python", True, platform.python_version())
    packages = check_packages()
    yield packages
    yield check_page(options.dist)
    yield from check_browser()
    yield check_port(options.port)
    yield from check_tokens(options.port)
    yield check_folder(data_folder())
    if packages.ok:
        # It needs those packages.
        from gemini_companion.doctor.models import check_models  # noqa: PLC0415

        yield from check_models()
        from gemini_companion.doctor.known import check_browsers  # noqa: PLC0415

        yield check_browsers(forget=options.forget)


def _print(finding: Finding) -> None:
    sign = "ok" if finding.ok else ("MISSING" if finding.needed else "note")
    print(f"{sign:8} {finding.what}: {finding.told}", file=sys.stdout, flush=True)
    if finding.hint:
        print(f"{'':8} {finding.hint}", flush=True)
