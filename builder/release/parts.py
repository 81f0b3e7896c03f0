"""Divides the page between two wheels: what a start needs, and the parts that are loaded on first use.

The first wheel has a list of the parts (`parts.json`), with the place and the hash of each in the second wheel, so that
the companion can fetch one without the others (gemini_companion/storage/parts.py).
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder import bundles, content, site, wheels
from builder.project import Project
from builder.release import archives
from builder.release.described import Described
from gemini_companion import pyodide_dist
from gemini_companion.serving.static_files import HASHED

LIST = "parts.json"
# A smaller file costs less than a request to another host, and works without a network.
SMALLEST = 32 * 1024
# Large modules of a command and of PDF files, which the service worker stores, and most people never load; and what
# `pip install` starts with, which needs a network anyway.
ON_USE = re.compile(
    "|".join(
        [
            *(re.escape(each.name) for each in (bundles.JQ_WORKER, bundles.PDF_WORKER, bundles.PDF_CMAPS)),
            r"micropip-.*",
        ]
    )
)
# A local header of a ZIP archive: its fixed part, before the name.
HEADER = 30


@dataclass(frozen=True)
class Divided:
    """The page, divided. Each has the source of each file by its name in the site.

    Attributes:
        page: What the companion starts with.
        parts: What is loaded on first use.
    """

    page: dict[str, Path]
    parts: dict[str, Path]


def divide(project: Project) -> Divided:
    """Divide a finished site. The parts are what the service worker doesn't store either, and what few people load."""
    found = {name: path for name, path in content.gather(project).items() if not name.endswith(".map")}
    [listed] = (path for name, path in found.items() if re.fullmatch(r"surface-[^/]+/files\.json", name))
    stored = {
        name
        for name in json.loads(listed.read_text(encoding="utf-8"))
        if not ON_USE.fullmatch(Path(name).name)
    }
    parts = {
        name: path
        for name, path in found.items()
        if HASHED.match(name) and name not in stored and path.stat().st_size >= SMALLEST
    }
    return Divided({name: path for name, path in found.items() if name not in parts}, parts)


def compressed(project: Project, page: Mapping[str, Path]) -> dict[str, Path]:
    """Replace each file that only browsers read by its compressed copy, if the site has one."""
    found: dict[str, Path] = {}
    for name, path in page.items():
        copy = project.dist / f"{name}.br"
        # The companion reads documents, for their policies.
        small = HASHED.match(name) and copy.is_file() and path.suffix != ".html"
        found[f"{name}.br" if small else name] = copy if small else path
    return found


def write_page(project: Project, files: Mapping[str, Path]) -> Path:
    """Write the files that Hatchling puts into the wheel, and return their folder."""
    folder = project.work / "installed-page"
    site.mirror(dict(files), folder)
    return folder


def make(project: Project, about: Described, parts: Mapping[str, Path], folder: Path) -> Path:
    """Write the wheel of the parts, and return its path.

    Args:
        project: The source tree.
        about: The release.
        parts: The source of each part, by its name in the site.
        folder: Where it is written.
    """
    module = f"{about.name.replace('-', '_')}_parts"
    info = f"{module}-{about.version}.dist-info"
    work = project.work / "parts"
    work.mkdir(parents=True, exist_ok=True)
    texts = {
        f"{module}/__init__.py": '"""Parts of the page, which the companion finds here instead of fetching them."""\n',
        f"{info}/METADATA": _metadata(about),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: {about.name}\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files = {f"{module}/dist/{name}": path for name, path in parts.items()}
    for name, text in texts.items():
        files[name] = work / name.replace("/", "-")
        files[name].write_text(text, encoding="utf-8")
    files[f"{info}/licenses/LICENSE"] = project.root / "LICENSE"
    files[f"{info}/licenses/NOTICES.txt"] = project.work / "NOTICES.txt"
    record = work / "RECORD"
    record.write_text(_record(files, f"{info}/RECORD"), encoding="utf-8")
    target = folder / f"{module}-{about.version}-py3-none-any.whl"
    archives.write_zip({**files, f"{info}/RECORD": record}, target, about.epoch)
    return target


def described(wheel: Path) -> dict[str, Any]:
    """Return the content of parts.json: the wheel's file name, and the place of each part in it."""
    data = wheel.read_bytes()
    module = wheel.name.partition("-")[0]
    with zipfile.ZipFile(wheel) as packed:
        places = {
            item.filename.removeprefix(f"{module}/dist/"): {
                "offset": item.header_offset + HEADER + _lengths(data, item.header_offset),
                "length": item.compress_size,
                "size": item.file_size,
                "sha256": hashlib.sha256(packed.read(item)).hexdigest(),
            }
            for item in packed.infolist()
            if item.filename.startswith(f"{module}/dist/")
        }
    return {"wheel": wheel.name, "parts": places}


def make_wheels(project: Project, about: Described, folder: Path) -> Path:
    """Write both wheels and the sdist, and return the path of the wheel with the page.

    Raises:
        BuildProblem: Hatchling failed; `details` has its output.
    """
    divided = divide(project)
    page = compressed(project, divided.page)
    # Other hosts of Pyodide take these uncompressed.
    lacking = {name: divided.page[name] for name in pyodide_dist.chosen(divided.page) if name not in page}
    listed = project.work / LIST
    described_parts = described(make(project, about, {**divided.parts, **lacking}, folder))
    listed.write_text(json.dumps(described_parts, indent=1) + "\n", encoding="utf-8")
    written = write_page(project, {**page, LIST: listed})
    return wheels.make_release(project, written, folder, about.epoch)


def _lengths(data: bytes, at: int) -> int:
    """Return the size of the name and of the extra field in a local header."""
    return sum(int.from_bytes(data[at + place : at + place + 2], "little") for place in (26, 28))


def _metadata(about: Described) -> str:
    return (
        "Metadata-Version: 2.4\n"
        f"Name: {about.name}-parts\n"
        f"Version: {about.version}\n"
        f"Summary: Parts of {about.name} that are otherwise fetched on first use\n"
        f"License-Expression: {about.licence}\n"
        "License-File: LICENSE\n"
        "License-File: NOTICES.txt\n"
        "Requires-Python: >=3.11\n"
        "Description-Content-Type: text/plain\n\n"
        f"Files of the page of {about.name} that it needs only now and then, for machines without a network:\n"
        f"`pip install '{about.name}[companion,offline]'`. NOTICES.txt has their licences.\n"
    )


def _record(files: Mapping[str, Path], own: str) -> str:
    rows: list[str] = []
    for name in sorted(files):
        data = files[name].read_bytes()
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(data)}\n")
    return "".join([*rows, f"{own},,\n"])
