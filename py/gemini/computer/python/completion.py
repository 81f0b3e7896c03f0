"""Code completion from the values of a live namespace.

Completion runs none of the program's code: it looks attributes up with `inspect.getattr_static`. It lists a property
without reading it, so it can't complete the attributes of a property's value.
"""

import builtins
import inspect
import keyword
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MemberDescriptorType, MethodType, ModuleType
from typing import Any, cast

MAX_CANDIDATES = 200
# Computing a signature takes longer than listing a name.
MAX_SIGNATURES = 40
MAX_SIGNATURE_LENGTH = 200

NAMES = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
ATTRIBUTE = re.compile(rf"(?<![\w.\])}}'\"])({NAMES})\.(\w*)$")
IMPORT = re.compile(r"^\s*import\s+(?:[\w.]+(?:\s+as\s+\w+)?\s*,\s*)*([\w.]*)$")
FROM = re.compile(r"^\s*from\s+([\w.]*)$")
FROM_IMPORT = re.compile(rf"^\s*from\s+({NAMES})\s+import\s+\(?\s*(?:\w+(?:\s+as\s+\w+)?\s*,\s*)*(\w*)$")
KEY = re.compile(rf"(?<![\w.\])])({NAMES})\[\s*([\"']?)([^\"'\]\[]*)$")
NAME = re.compile(r"(?<![\w.])(\w*)$")
MAGIC = re.compile(r"^\s*(%\w*)$")
CELL_MAGIC = re.compile(r"\s*(%%\w*)")
UNKNOWN = object()


@dataclass(frozen=True)
class Candidate:
    """A completion.

    Attributes:
        text: The text to insert.
        kind: `argument`, `class`, `folder`, `function`, `key`, `keyword`, `magic`, `module`, `property`, `shell` or
            `value`.
        signature: `(parameters)` of a callable.
    """

    text: str
    kind: str
    signature: str | None = None


@dataclass(frozen=True)
class Completions:
    """The completions at a cursor, and the call around it.

    Attributes:
        start: The start of the text to replace, in characters; it ends at the cursor.
        candidates: Arguments first, then by name; the exceptions of a module last.
        call: `name(parameters)` of the call whose parentheses enclose the cursor.
    """

    start: int
    candidates: list[Candidate] = field(default_factory=list[Candidate])
    call: str | None = None


def complete(code: str, cursor: int, namespace: Mapping[str, Any]) -> Completions:
    """Return the completions at position `cursor` of `code`."""
    before = code[:cursor]
    line = before.rpartition("\n")[2]
    called = _open_call(before)
    target = UNKNOWN if called is None else _resolve(called, namespace)
    call = None if called is None or target is UNKNOWN else _call_text(called, target)
    typed, found = _candidates(before, line, namespace, target)
    start = len(before) - len(typed)
    wanted = {
        name: kind
        for name, kind in found
        if name.startswith(typed) and _is_visible(name, typed) and name != typed
    }
    owner = _owner(before, namespace)
    ranks = _ranks(owner)
    last = len(ranks)

    def order(name: str) -> tuple[bool, int, bool, str, str]:
        return (wanted[name] != "argument", ranks.get(name, last), _is_error(owner, name), name.lower(), name)

    names = sorted(wanted, key=order)[:MAX_CANDIDATES]
    candidates = [
        Candidate(name, wanted[name], _signature(_member(owner, name)) if number < MAX_SIGNATURES else None)
        for number, name in enumerate(names)
    ]
    return Completions(start, candidates, call)


def _is_visible(name: str, typed: str) -> bool:
    """Return whether to list a name: private names only after a typed underscore."""
    return not name.startswith("_") or typed.startswith("_")


def _candidates(
    before: str, line: str, namespace: Mapping[str, Any], target: Any
) -> tuple[str, Iterable[tuple[str, str]]]:
    """Return the text typed so far and its candidates as (name, kind)."""
    if match := MAGIC.search(line) or CELL_MAGIC.fullmatch(before):
        return match[1], _magics(first=match[0] == before)
    if match := FROM_IMPORT.search(line):
        return match[2], _module_members(match[1])
    if match := IMPORT.search(line) or FROM.search(line):
        return match[1], ((name, "module") for name in _module_names(match[1]))
    if (match := KEY.search(before)) and type(owner := _resolve(match[1], namespace)) is dict:
        return match[2] + match[3], _keys(cast("dict[Any, Any]", owner), match[2])
    if match := ATTRIBUTE.search(before):
        owner = _resolve(match[1], namespace)
        return match[2], [] if owner is UNKNOWN else _attributes(owner)
    if (match := NAME.search(before)) and not match[1][:1].isdigit():
        return match[1], [*_arguments(target), *_names(namespace)]
    return "", []


def _names(namespace: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in keyword.kwlist:
        yield name, "keyword"
    for name, value in vars(builtins).items():
        yield name, _kind(value)
    for name, value in namespace.items():
        yield name, _kind(value)


def _owner(before: str, namespace: Mapping[str, Any]) -> Any:
    """Return the object whose attributes are completed, or the namespace as a mapping."""
    match = ATTRIBUTE.search(before)
    return {**vars(builtins), **namespace} if match is None else _resolve(match[1], namespace)


def _member(owner: Any, name: str) -> Any:
    if type(owner) is dict:
        return cast("dict[str, Any]", owner).get(name)
    return _static(owner, name)


def _ranks(owner: Any) -> dict[str, int]:
    """Return the places of this package's names, of which the first are the most used; no others have places."""
    is_ours = isinstance(owner, ModuleType) and owner.__name__ == "gemini"
    return {name: place for place, name in enumerate(vars(owner)["__all__"])} if is_ours else {}


def _is_error(owner: Any, name: str) -> bool:
    """Return whether a member of a module is an exception, which one rarely types."""
    found = vars(owner).get(name) if isinstance(owner, ModuleType) else None
    return isinstance(found, type) and issubclass(found, BaseException)


# --- Objects, without running their code ---


def _resolve(path: str, namespace: Mapping[str, Any]) -> Any:
    """Return the value of a dotted name, or `UNKNOWN` if finding it would run code."""
    first, *rest = path.split(".")
    value = namespace.get(first, vars(builtins).get(first, UNKNOWN))
    for name in rest:
        if value is UNKNOWN:
            break
        value = _static(value, name)
    return value


def _static(owner: Any, name: str) -> Any:
    try:
        found = inspect.getattr_static(owner, name)
    except AttributeError:
        return UNKNOWN
    if isinstance(found, MemberDescriptorType) and not isinstance(owner, type):
        # Reading a slot runs no code.
        return getattr(owner, name, UNKNOWN)
    if isinstance(found, (staticmethod, classmethod)):
        return cast(Any, found).__func__
    if inspect.isdatadescriptor(found) and not inspect.isclass(found):
        return UNKNOWN
    if inspect.isfunction(found) and not isinstance(owner, (type, ModuleType)) and name not in _own(owner):
        # Bind the method, so that its signature omits `self`.
        return MethodType(found, owner)
    return found


def _own(owner: Any) -> Mapping[str, Any]:
    try:
        return object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return {}


def _attributes(owner: Any) -> Iterator[tuple[str, str]]:
    for name in _attribute_names(owner):
        try:
            found = inspect.getattr_static(owner, name)
        except AttributeError:
            # `dir` of a module may list names that it loads lazily.
            found = None
        yield name, _kind(found)


def _attribute_names(owner: Any) -> list[str]:
    if isinstance(owner, ModuleType):
        return [name for name in dir(owner) if name.isidentifier()]
    listed = type.__dir__(owner) if isinstance(owner, type) else object.__dir__(owner)
    return [name for name in listed if name.isidentifier()]


def _kind(value: Any) -> str:
    if isinstance(value, ModuleType):
        return "module"
    if isinstance(value, type):
        return "class"
    if isinstance(value, (property, MemberDescriptorType)) or inspect.isgetsetdescriptor(value):
        return "property"
    is_function = inspect.isroutine(value) or isinstance(value, (staticmethod, classmethod))
    return "function" if is_function else "value"


def _keys(owner: dict[Any, Any], quote: str) -> Iterator[tuple[str, str]]:
    for key in owner:
        if type(key) is str:
            text = repr(key)
            yield (f"{quote}{text[1:-1]}{quote}" if quote else text), "key"
        elif type(key) is int and not quote:
            yield repr(key), "key"


# --- Modules ---


def _module_names(typed: str) -> Iterator[str]:
    """Yield the full names of the modules in the package that `typed` names before its last dot."""
    package, dot, _ = typed.rpartition(".")
    if not dot:
        yield from sys.builtin_module_names
        yield from (found.name for found in pkgutil.iter_modules())
        return
    # Completion imports nothing.
    parent = sys.modules.get(package)
    for found in pkgutil.iter_modules(getattr(parent, "__path__", [])):
        yield f"{package}.{found.name}"


def _module_members(package: str) -> Iterator[tuple[str, str]]:
    parent = sys.modules.get(package)
    if parent is not None:
        yield from _attributes(parent)
        for found in pkgutil.iter_modules(getattr(parent, "__path__", [])):
            yield found.name, "module"


def _magics(*, first: bool) -> Iterator[tuple[str, str]]:
    # Imported here, because it is loaded after the start (builder/preinstall.py).
    from gemini.computer.python.magics.magics import names_of

    yield from ((f"%{name}", "magic") for name in names_of("_line_"))
    if first:
        yield from ((f"%%{name}", "magic") for name in names_of("_cell_"))


# --- Calls ---


def _open_call(before: str) -> str | None:
    """Return the dotted name before the parenthesis that is open at the end; skip strings by their quotes."""
    depth, position = 0, len(before) - 1
    while position >= 0:
        character = before[position]
        if character in ")]}":
            depth += 1
        elif character in "([{":
            if depth == 0:
                match = re.search(rf"({NAMES})$", before[:position]) if character == "(" else None
                return match[1] if match and not keyword.iskeyword(match[1]) else None
            depth -= 1
        elif character in "\"'":
            position = before.rfind(character, 0, position)
            if position < 0:
                return None
        position -= 1
    return None


def _arguments(target: Any) -> Iterator[tuple[str, str]]:
    for parameter in _parameters(target):
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            yield f"{parameter.name}=", "argument"


def _parameters(target: Any) -> list[inspect.Parameter]:
    signature = _inspect(target)
    return [] if signature is None else list(signature.parameters.values())


def _inspect(target: Any) -> inspect.Signature | None:
    if not (inspect.isroutine(target) or isinstance(target, type)):
        return None
    try:
        return inspect.signature(target)
    except (ValueError, TypeError):
        # Some built-in functions have no signature.
        return None


def _signature(target: Any) -> str | None:
    signature = _inspect(target)
    if signature is None:
        return None
    bare = [parameter.replace(annotation=parameter.empty) for parameter in signature.parameters.values()]
    text = str(signature.replace(parameters=bare, return_annotation=signature.empty))
    return text if len(text) <= MAX_SIGNATURE_LENGTH else f"{text[:MAX_SIGNATURE_LENGTH]}…"


def _call_text(name: str, target: Any) -> str | None:
    signature = _signature(target)
    return None if signature is None else f"{name}{signature}"
