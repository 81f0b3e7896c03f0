"""Holds the folders of web/ apart: reads web/imports.toml and what modules import. `build.py check` runs it.

esbuild's list of a bundle's modules has no imports of types, and dependency-cruiser needs the API of TypeScript's
compiler, which version 7 hasn't. Imports of modules here are relative, so that a regular expression finds them.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Of modules, also for types alone: statements, `import("./other.js")`, and `@import` of JSDoc.
_IMPORT = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s*)["'](\.{1,2}/[^"']+\.[jt]s)["']""")
# Of values, when the module is loaded.
_LOADED = re.compile(
    r"""^(?:import|export)\s+(?!type\b)(?:[^;"'()]*?\bfrom\s*)?["'](\.{1,2}/[^"']+\.[jt]s)["']""",
    re.MULTILINE,
)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_ENDING = re.compile(r"(\.d)?\.[jt]s$")


@dataclass(frozen=True)
class Module:
    """The imports of a module, by names without endings, relative to web/.

    Args:
        name: Its own name.
        imports: All modules that it names, for types too.
        loads: Those that are loaded before it.
    """

    name: str
    imports: frozenset[str]
    loads: frozenset[str]


def modules(web: Path) -> Iterator[Module]:
    """Yield the modules below web/ without packages and declarations of types."""
    own = (each for each in web.iterdir() if each.name != "node_modules")
    paths = (path for each in own for path in ([each] if each.is_file() else each.rglob("*.[jt]s")))
    for path in sorted(paths):
        name = path.relative_to(web).as_posix()
        if path.suffix not in (".js", ".ts") or name.endswith(".d.ts"):
            continue
        text = path.read_text(encoding="utf-8")

        def found(pattern: re.Pattern[str], text: str, folder: str = os.path.dirname(name)) -> frozenset[str]:
            paths = (os.path.normpath(os.path.join(folder, each)) for each in pattern.findall(text))
            return frozenset(_ENDING.sub("", each) for each in paths)

        yield Module(_ENDING.sub("", name), found(_IMPORT, text), found(_LOADED, _COMMENT.sub("", text)))


@dataclass(frozen=True)
class Rules:
    """The imports that folders may have, as web/imports.toml lists them."""

    imports: Mapping[str, list[str]]

    def folder(self, name: str) -> str | None:
        """Return the folder or module whose rules hold for a module; None if no rule does."""
        folder = os.path.dirname(name)
        while folder and name not in self.imports and not {folder, _siblings(folder)} & self.imports.keys():
            folder = os.path.dirname(folder)
        return name if name in self.imports else folder or None

    def allowing(self, folder: str, other: str) -> tuple[str, str] | None:
        """Return the rule by which a folder may import a module: the list and the entry of it."""
        theirs = self.folder(other)
        entries = {other, theirs, _siblings(theirs or "")}
        for key in (folder, _siblings(folder)):
            for entry in self.imports.get(key, ()):
                if entry in entries:
                    return key, entry
        return None


def _siblings(name: str) -> str:
    return f"{os.path.dirname(name)}/*"


def complaints(web: Path) -> Iterator[str]:
    """Yield a line for each import against web/imports.toml, each rule without use, and each circle, of folders too.

    Raises:
        KeyError: The file has no table `imports`.
    """
    data = tomllib.loads((web / "imports.toml").read_text(encoding="utf-8"))
    found = list(modules(web))
    rules = Rules(data["imports"])
    yield from _against(found, rules)
    yield from _mutual(found, rules)
    circles: list[dict[str, Any]] = data.get("circles", [])
    yield from _circular(found, {name for circle in circles for name in circle["modules"]})


def _against(found: list[Module], rules: Rules) -> Iterator[str]:
    names = {module.name for module in found}
    used: set[tuple[str, str]] = set()
    for module in found:
        folder = rules.folder(module.name)
        if folder is None:
            yield f"web/{module.name}: web/imports.toml has no rules for its folder"
            continue
        for other in sorted(module.imports):
            if other not in names and not other.startswith("../"):
                yield f"web/{module.name} imports {other}, which doesn't exist"
            elif rules.folder(other) != folder:
                rule = rules.allowing(folder, other)
                if rule is None:
                    yield f"web/{module.name} imports {other}, which web/imports.toml doesn't allow in {folder}"
                else:
                    used.add(rule)
    for key, entries in rules.imports.items():
        for entry in entries:
            if (key, entry) not in used:
                yield f"web/imports.toml: no module of {key} imports {entry}; remove the entry"


def _mutual(found: list[Module], rules: Rules) -> Iterator[str]:
    """Yield a line for each folder that imports itself by others. Modules that a rule names don't count."""
    between: dict[str, set[str]] = {}
    for module in found:
        folder = rules.folder(module.name) or module.name
        for other in module.imports:
            theirs = rules.folder(other)
            rule = rules.allowing(folder, other)
            if theirs is not None and theirs != folder and rule is not None and rule[1] != other:
                between.setdefault(folder, set()).add(theirs)
    for name in between:
        if name in _reach(between, name):
            yield f"web/{name} imports itself by other folders; list the modules that it may import instead"


def _circular(found: list[Module], expected: Set[str]) -> Iterator[str]:
    loads = {module.name: module.loads for module in found}
    circular = {name for name in loads if name in _reach(loads, name)}
    for name in sorted(circular - expected):
        back = sorted(other for other in loads[name] if other == name or name in _reach(loads, other))
        yield f"web/{name} is in a circle of imports, by {' and '.join(back)}"
    for name in sorted(expected - circular):
        yield f"web/imports.toml: {name} is in no circle; remove it from the list"


def _reach(loads: Mapping[str, Set[str]], start: str) -> set[str]:
    """Return the modules that are loaded for a module, or the folders of a folder; itself only if it is in a circle."""
    reached: set[str] = set()
    waiting = list(loads.get(start, ()))
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += loads.get(name, ())
    return reached


if __name__ == "__main__":
    lines = list(complaints(Path(__file__).parent.parent / "web"))
    print("\n".join(lines))
    sys.exit(bool(lines))
