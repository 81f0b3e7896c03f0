"""Reads makefiles into a database."""

from __future__ import annotations

import os
import re

from gemini_userland.make.conditionals import Conditionals
from gemini_userland.make.database import Database
from gemini_userland.make.evaluate import Evaluator
from gemini_userland.make.host import Host
from gemini_userland.make.rule_reader import RuleReader
from gemini_userland.make.scan import (
    Assignment,
    Line,
    Location,
    assignment,
    logical_lines,
    names,
    without_comment,
)
from gemini_userland.make.variables import Origin
from gemini_userland.make.words import SPACE, words

_DEFINE = re.compile(
    r"(?P<modifiers>(?:(?:override|export|private)[ \t]+)*)define[ \t]+"
    r"(?P<name>.*?)[ \t]*(?P<operator>:{1,3}=|[+?!]?=)?[ \t]*$"
)
_INCLUDE = re.compile(r"(?P<how>-include|sinclude|include)(?:[ \t]+|$)")
_EXPORT = re.compile(r"(?P<how>export|unexport)(?:[ \t]+|$)")
_UNDEFINE = re.compile(r"(?P<override>override[ \t]+)?undefine[ \t]+")


class Reader:
    """Reads makefiles into a database.

    Args:
        database: The database to fill.
        evaluator: Expands text and assigns variables.
        host: Reads files.
        search: The directories to search for included makefiles.

    Attributes:
        files: The makefiles that were requested, and whether each is optional.
        missing: The reason and the line of the request for each unreadable makefile.
    """

    def __init__(self, database: Database, evaluator: Evaluator, host: Host, search: list[str]) -> None:
        self.database = database
        self.evaluator = evaluator
        self.host = host
        self.files: dict[str, bool] = {}
        self.missing: dict[str, tuple[str, Location | None]] = {}
        self._search = search
        evaluator.read_text = self._read_evaluated

    async def read_file(self, name: str, optional: bool = False) -> None:
        """Read a makefile, or record that it is missing."""
        where = self.evaluator.location
        for path in self._candidates(name):
            try:
                text = self.host.read(path)
            except OSError as problem:
                self.missing.setdefault(name, (problem.strerror or str(problem), where))
                continue
            self.missing.pop(name, None)
            self.files[path] = optional
            listed = await self.evaluator.value("MAKEFILE_LIST")
            self.evaluator.globals.set("MAKEFILE_LIST", f"{listed} {path}", Origin.FILE)
            await _Pass(self, path).read(text, 1)
            self.evaluator.location = where
            return
        self.files[name] = optional

    async def read_standard_input(self, text: str) -> None:
        """Read the makefile on standard input, for `-f -`."""
        await _Pass(self, "-").read(text, 1)

    def _candidates(self, name: str) -> list[str]:
        return [name] if name.startswith("/") else [name, *(os.path.join(one, name) for one in self._search)]

    async def _read_evaluated(self, text: str) -> None:
        where = self.evaluator.location
        await _Pass(self, where.file if where else "").read(text, where.line if where else 1)
        self.evaluator.location = where


class _Pass:
    """The reading of one makefile, or of one text of `$(eval …)`."""

    def __init__(self, reader: Reader, file: str) -> None:
        self._reader = reader
        self._evaluator = reader.evaluator
        self._file = file
        self._conditionals = Conditionals(reader.evaluator)
        self._rules = RuleReader(reader.database, reader.evaluator, reader.host)

    async def read(self, text: str, first: int) -> None:
        lines = logical_lines(text, first)
        index = 0
        while index < len(lines):
            self._evaluator.location = Location(self._file, lines[index].number)
            index = await self._line(lines, index)
        self._evaluator.location = Location(self._file, lines[-1].number)
        if self._conditionals.is_open:
            raise self._evaluator.error("missing 'endif'")
        self._rules.close()

    async def _line(self, lines: list[Line], index: int) -> int:
        """Read the line at `index` and return the index of the next one."""
        line = lines[index]
        prefix = await self._evaluator.value(".RECIPEPREFIX")
        prefix = prefix[0] if prefix else "\t"
        if line.text.startswith(prefix) and self._rules.is_open:
            if not self._conditionals.skips:
                self._rules.add_line(line.number, line.recipe(prefix))
            return index + 1
        statement = without_comment(line.joined).lstrip(SPACE)
        definition = _DEFINE.match(statement)
        if definition:
            end = self._end_of_definition(lines, index)
            if not self._conditionals.skips:
                await self._define(definition, lines[index + 1 : end])
            return end + 1
        if not statement or await self._conditionals.handle(statement) or self._conditionals.skips:
            return index + 1
        await self._statement(statement, line.joined, line.text.startswith(prefix))
        return index + 1

    async def _statement(self, statement: str, whole: str, in_recipe: bool) -> None:
        """Read a line that belongs neither to a recipe nor to a conditional; `whole` includes its comment."""
        given = assignment(statement)
        if given is not None:
            self._rules.close()
            await self._evaluator.assign(given)
        elif match := _INCLUDE.match(statement):
            self._rules.close()
            await self._include(match, statement)
        elif match := _EXPORT.match(statement):
            self._rules.close()
            await self._export(match, statement)
        elif match := _UNDEFINE.match(statement):
            self._rules.close()
            name = (await self._evaluator.expand(statement[match.end() :])).strip(SPACE)
            before = self._evaluator.globals.own.get(name)
            if before is not None and (before.origin <= Origin.FILE or match["override"]):
                del self._evaluator.globals.own[name]
        elif in_recipe:
            raise self._evaluator.error("recipe commences before first target")
        elif re.match(r"(vpath|load)([ \t]|$)", statement):
            raise self._evaluator.error(f"'{words(statement)[0]}' is not supported by this make")
        else:
            await self._rules.open(statement, whole)

    async def _include(self, match: re.Match[str], statement: str) -> None:
        optional = match["how"] != "include"
        for pattern in names(await self._evaluator.expand(statement[match.end() :])):
            for name in self._reader.host.glob(pattern) or [pattern]:
                await self._reader.read_file(name, optional)

    async def _export(self, match: re.Match[str], statement: str) -> None:
        exported = match["how"] == "export"
        listed = words(await self._evaluator.expand(statement[match.end() :]))
        if not listed:
            self._evaluator.exports_all = exported
        for name in listed:
            variable = self._evaluator.globals.own.get(name)
            if variable is None:
                self._evaluator.globals.set(name, "", Origin.FILE, recursive=True)
                variable = self._evaluator.globals.own[name]
            variable.exported = exported

    def _end_of_definition(self, lines: list[Line], start: int) -> int:
        depth = 0
        for index in range(start, len(lines)):
            first = lines[index].text.lstrip(SPACE)
            if re.match(r"((override|export|private)[ \t]+)*define([ \t]|$)", first):
                depth += 1
            elif re.match(r"endef([ \t#]|$)", first):
                depth -= 1
                if depth == 0:
                    return index
        raise self._evaluator.error("missing 'endef', unterminated 'define'")

    async def _define(self, definition: re.Match[str], body: list[Line]) -> None:
        self._rules.close()
        value = "\n".join(line.text for line in body)
        modifiers = frozenset(definition["modifiers"].split())
        await self._evaluator.assign(
            Assignment(definition["name"], definition["operator"] or "=", value, modifiers)
        )
