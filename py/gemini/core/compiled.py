"""The methods of dataclasses and the regular expressions of a start, as the build has compiled them.

Modules come with bytecode. But `dataclasses` compiles the text of methods whenever a class is made, and `re` each
pattern, which takes a fifth of the time of a start's imports. The build records what a start compiles
(builder/preinstall.py), and these imports take it from there.
"""

import dataclasses
import marshal
import re
import sys
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_suffix(".bin")
# Where `exec` and `compile` of the standard library are looked up.
_MAKERS: dict[str, Any] = dataclasses.__dict__
_PATTERNS: dict[str, Any] = import_module("re._compiler").__dict__
_compile_pattern = _PATTERNS["compile"]


class Compiled:
    """Compiled code by its text, and the arguments of `_sre.compile` by pattern and flags."""

    def __init__(
        self, methods: dict[str, bytes], patterns: dict[tuple[str | bytes, int], tuple[Any, ...]]
    ) -> None:
        self.methods = methods
        self.patterns = patterns

    def execute(self, text: str, variables: dict[str, Any], names: dict[str, Any]) -> None:
        """Do what `exec` does."""
        code = self.methods.get(text)
        exec(text if code is None else marshal.loads(code), variables, names)

    def pattern(self, pattern: str | bytes, flags: int = 0) -> re.Pattern[Any]:
        """Do what `re._compiler.compile` does."""
        arguments = self.patterns.get((pattern, flags))
        if arguments is None:
            return _compile_pattern(pattern, flags)
        return _PATTERNS["_sre"].compile(pattern, *arguments)


class Recorded(Compiled):
    """A record of what is compiled."""

    def __init__(self) -> None:
        super().__init__({}, {})

    def execute(self, text: str, variables: dict[str, Any], names: dict[str, Any]) -> None:
        """Record the code, and do what `exec` does."""
        self.methods[text] = marshal.dumps(compile(text, "<string>", "exec", dont_inherit=True))
        super().execute(text, variables, names)

    def pattern(self, pattern: str | bytes, flags: int = 0) -> re.Pattern[Any]:
        """Record the code of a pattern, and do what `re._compiler.compile` does."""
        parsed = _PATTERNS["_parser"].parse(pattern, flags)
        state = parsed.state
        groups: list[str | None] = [None] * state.groups
        for name, number in state.groupdict.items():
            groups[number] = name
        # `marshal` takes no named constants.
        code = [int(each) for each in _PATTERNS["_code"](parsed, flags)]
        self.patterns[pattern, flags] = (
            int(flags | state.flags),
            code,
            state.groups - 1,
            dict(state.groupdict),
            tuple(groups),
        )
        return super().pattern(pattern, flags)

    def as_bytes(self) -> bytes:
        """Return the content of the file, for this version of Python only."""
        return marshal.dumps((self.methods, self.patterns))


def use(compiled: Compiled) -> None:
    """Take code from here from now on."""
    _MAKERS["exec"] = compiled.execute
    _PATTERNS["compile"] = compiled.pattern


def remove() -> None:
    """Let Python compile all code itself."""
    _MAKERS.pop("exec", None)
    _PATTERNS["compile"] = _compile_pattern


@contextmanager
def record() -> Generator[Recorded]:
    """Record what is compiled meanwhile."""
    # It would leave out what it has compiled before.
    re.purge()
    use(recorded := Recorded())
    try:
        yield recorded
    finally:
        remove()


def install(file: Path = FILE) -> None:
    """Use what the build has compiled, if this is a start that compiles anything: one without a snapshot of Python."""
    if "gemini.kernel.kernel" not in sys.modules and file.is_file():
        use(Compiled(*marshal.loads(file.read_bytes())))
