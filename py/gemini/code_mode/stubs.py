"""Stub files (PEP 484) of the modules of code mode, for agents that read them, and for editors."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gemini.code_mode.signatures import REQUIRED, Function, identifier, members_of, type_text
from gemini.computer.code.packages import PREFIX, STUBS
from gemini.tools.schema import JsonSchema

# The stub of `gemini.code_mode.api`, for editors.
API = "api"
HEAD = """\"\"\"{about}

Calls need no `await`, and may have one. Results have their members as attributes and as keys.
\"\"\"

"""
IMPORTS = "from typing import Any, Literal\n"


def write(stubs: Mapping[str, str], folder: Path = STUBS) -> None:
    """Write the files of all modules with an index, and delete those of modules that are gone.

    Args:
        stubs: The text of each module's file, by the module's name.
        folder: The folder; created if there is none.

    Raises:
        OSError: A file can't be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    index = "".join(f"import {PREFIX}{name} as {name}\n" for name in stubs)
    stubs = {**stubs, API: f'"""The modules of code mode."""\n\n{index}'}
    for path in folder.glob("*.pyi"):
        if path.stem not in stubs:
            path.unlink()
    for name, text in stubs.items():
        (folder / f"{name}.pyi").write_text(text, encoding="utf-8")


def stub(about: str, functions: Sequence[Function]) -> str:
    """Return the text of a module's file."""
    classes = dict[str, str]()
    lines = [text for each in functions for text in _function(each, classes)]
    return "\n".join([HEAD.format(about=_safe(about)) + IMPORTS, *classes.values(), *lines])


def places_stub(about: str, places: Mapping[str, Sequence[Function]]) -> str:
    """Return the text of the file of a module whose attributes are places, which come and go.

    Args:
        about: Its docstring.
        places: The functions that are known, by the name of their place.
    """
    classes = dict[str, str]()
    lines = [text for place, functions in places.items() for text in _place(place, functions, classes)]
    return "\n".join(
        [
            HEAD.format(about=_safe(about)) + IMPORTS,
            *classes.values(),
            *lines,
            "def __getattr__(place: str) -> Any: ...",
            "",
        ]
    )


def _place(name: str, functions: Sequence[Function], classes: dict[str, str]) -> list[str]:
    """Return a class with a method for each function, and the variable of that class."""
    methods = [
        line for each in functions for text in _function(each, classes, "self") for line in text.splitlines()
    ]
    body = "\n".join(f"    {line}" if line else "" for line in methods)
    return [f"\nclass _{name}:\n{body or '    ...'}\n", f"{name}: _{name}\n"]


def _function(function: Function, classes: dict[str, str], *first: str) -> list[str]:
    parts = [
        f"{each.name}: {each.type}"
        if each.default is REQUIRED
        else _with_default(each.name, each.type, each.default)
        for each in function.arguments
        if each.name not in first
    ]
    document = _safe(function.document()).replace("\n", "\n    ")
    head = f"def {function.name}({', '.join([*first, *parts])}) -> {_returns(function, classes)}:"
    return [f'\n{head}\n    """{document}"""\n    ...\n']


def _with_default(name: str, kind: str, default: Any) -> str:
    known = kind if default is not None or "None" in kind or kind == "Any" else f"{kind} | None"
    return f"{name}: {known} = {default!r}"


def _returns(function: Function, classes: dict[str, str]) -> str:
    """Return the type of a result; a class for its members is added to `classes`."""
    schema = function.result
    members = members_of(schema)
    if not members:
        return type_text(schema, schema)
    name = identifier(function.kind)
    text = _class(name, members, schema)
    if classes.setdefault(name, text) != text:
        name = identifier(name, frozenset(classes))
        classes[name] = _class(name, members, schema)
    return f"list[{name}]" if schema.get("type") == "array" else name


def _class(name: str, members: Sequence[tuple[str, Any]], root: JsonSchema) -> str:
    lines = [
        f"    {member}: {type_text(row, root)}" for member, row in members if identifier(member) == member
    ]
    return "\n".join([f"\nclass {name}(dict[str, Any]):", *(lines or ["    ..."])])


def _safe(text: str) -> str:
    """Return a text that can't end the docstring that it stands in."""
    return text.replace("\\", "\\\\").replace('"""', "'''").rstrip('"')
