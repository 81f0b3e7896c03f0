"""Writes dist/NOTICES.txt: name, version, licence and licence text of each third-party component that ships."""

from __future__ import annotations

import json
import re
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from email.parser import HeaderParser
from pathlib import Path
from typing import Any

from builder import bundles, wheels
from builder.linux import image
from builder.meaning import model
from builder.problems import BuildProblem
from builder.project import Project

TEXTS = Path(__file__).parent / "licences"
LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice)([.-][\w.-]+)?", re.IGNORECASE)
PACKAGE_IN_PATH = re.compile(r".*node_modules/((?:@[^/]+/)?[^/]+)/")
# Shipped as separate files or in generated ones, not in a bundle.
COPIED = ("@mcp-b/webmcp-polyfill", "pyodide", "unhomoglyph", *bundles.LANGUAGES.values())

HEADER = """\
This site is part of control-surface, which is under the Apache License 2.0 (https://www.apache.org/licenses/LICENSE-2.0).
It also contains the following third-party components, each under the licence stated with it.
"""


@dataclass(frozen=True)
class Component:
    """A third-party component that ships with the site.

    Attributes:
        kind: Its packages, as in package URLs: `npm`, `pypi`, `deb/debian`.
        name: Its name there.
        version: Its version.
        licence: Its licence, if the package names it.
        homepage: The address of its page, which may be empty.
        texts: The texts of its licence.
    """

    kind: str
    name: str
    version: str
    licence: str
    homepage: str
    texts: tuple[str, ...]


def write(project: Project, target: Path) -> None:
    """Write the notices to `target`.

    Raises:
        BuildProblem: A component has no licence text.
    """
    extra: dict[str, dict[str, Any]] = tomllib.loads((TEXTS / "components.toml").read_text(encoding="utf-8"))
    sections = [HEADER]
    for component in components(project):
        more = extra.get(component.name, {})
        texts = [
            *component.texts,
            *((TEXTS / name).read_text(encoding="utf-8") for name in more.get("texts", [])),
        ]
        if not texts:
            raise BuildProblem(
                f"{component.name} {component.version} ships no licence text; add one to builder/licences/."
            )
        title = f"{component.name} {component.version}\n{component.licence}  {component.homepage}".rstrip()
        sections.append(
            "\n\n".join(part.strip() for part in (title, more.get("note", ""), *texts) if part.strip())
        )
    target.write_text(f"\n\n{'=' * 80}\n\n".join(sections) + "\n", encoding="utf-8")


def components(project: Project) -> list[Component]:
    """Return all third-party components that ship with the site, by name."""
    found = [
        *(*_npm_components(project), *_wheel_components(project)),
        *(_debian_component(**package) for package in image.notices(project)),
        *(Component(**each) for each in model.notices(project)),
    ]
    return sorted(found, key=lambda each: each.name.lower())


def _npm_components(project: Project) -> Iterator[Component]:
    for name in sorted(_npm_names(project)):
        folder = project.pyodide if name == "pyodide" else project.modules / name
        package: dict[str, Any] = json.loads((folder / "package.json").read_text(encoding="utf-8"))
        files = sorted(path for path in folder.iterdir() if LICENCE_FILE.fullmatch(path.name))
        yield Component(
            kind="npm",
            name=name,
            version=package["version"],
            licence=package.get("license", "see below"),
            homepage=package.get("homepage", ""),
            texts=tuple(path.read_text(encoding="utf-8") for path in files),
        )


def _debian_component(name: str, version: str, source: str, text: str) -> Component:
    package, _, release = source.partition(" ")
    homepage = f"https://sources.debian.org/src/{package}/{release}/"
    return Component(
        "deb/debian",
        f"Debian {name}",
        version,
        f"see below; its source is Debian's {source}:",
        homepage,
        (text,),
    )


def _npm_names(project: Project) -> set[str]:
    names: set[str] = set(COPIED)
    for bundle in bundles.BUNDLES:
        for path in bundles.inputs(project, bundle):
            if found := PACKAGE_IN_PATH.match(path):
                names.add(found[1])
    return names


def _wheel_components(project: Project) -> Iterator[Component]:
    for wheel in sorted(wheels.fetched(project, "browser-all").glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            members = archive.namelist()
            metadata = HeaderParser().parsestr(
                archive.read(next(m for m in members if m.endswith(".dist-info/METADATA"))).decode()
            )
            texts = [m for m in members if LICENCE_FILE.fullmatch(m.rsplit("/", 1)[-1])]
            yield Component(
                kind="pypi",
                name=metadata["Name"],
                version=metadata["Version"],
                licence=_licence_of(metadata),
                homepage=_homepage_of(metadata),
                texts=tuple(archive.read(member).decode() for member in texts),
            )


def _licence_of(metadata: Message) -> str:
    classifiers = [
        value.rsplit(" :: ", 1)[-1]
        for value in metadata.get_all("Classifier", [])
        if value.startswith("License ::")
    ]
    return metadata["License-Expression"] or ", ".join(classifiers) or metadata["License"] or "see below"


def _homepage_of(metadata: Message) -> str:
    urls = dict(value.lower().split(", ", 1) for value in metadata.get_all("Project-URL", []))
    named = (urls[label] for label in ("homepage", "source", "repository", "source code") if label in urls)
    return metadata["Home-page"] or next(named, "")
