"""Runs a translated program."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from operator import length_hint
from types import TracebackType
from typing import Any

from gemini_userland import FOLDER
from gemini_userland.awk import functions
from gemini_userland.awk.clock import DEFAULT, Clock
from gemini_userland.awk.comparing import COMPARED, comparison, comparison_of_inputs
from gemini_userland.awk.counting import counted
from gemini_userland.awk.errors import Exit, Leaving, NextFile, NextRecord, RunError
from gemini_userland.awk.fields import numbered
from gemini_userland.awk.functions import Functions
from gemini_userland.awk.in_place import InPlace
from gemini_userland.awk.lexer import QUALIFIED
from gemini_userland.awk.lists import part
from gemini_userland.awk.main_input import MainInput
from gemini_userland.awk.numbering import key_texts
from gemini_userland.awk.options import CommandLine
from gemini_userland.awk.record import field_at, words
from gemini_userland.awk.sorting import Compare
from gemini_userland.awk.state import RECORD_VARIABLES, SETTINGS, VARIABLES, State
from gemini_userland.awk.streams import Streams
from gemini_userland.awk.translation import Translation
from gemini_userland.awk.values import (
    Array,
    Input,
    KnownNumbers,
    TypedRegex,
    Value,
    any_base_number,
    field_truth,
    looks_numeric,
    looks_numeric_in_any_base,
    number,
    prefix_number,
    retained,
    truth,
    whole_text,
)
from gemini_userland.invocation import Invocation

# Interrupts may end code whose file is in this folder.
FILE = f"{FOLDER}awk/program"
_MATH = {"cos": math.cos, "exp": math.exp, "log": math.log, "sin": math.sin, "sqrt": math.sqrt}


class Run:
    """A run of a program.

    Args:
        translation: The program.
        invocation: The call of awk.
        line: Its arguments.
    """

    def __init__(self, translation: Translation, invocation: Invocation, line: CommandLine) -> None:
        self._translation = translation
        self._state = State(csv="k" in line.flags)
        self._streams = Streams(invocation, self._state)
        self._code: int = 0
        self._any_base = "n" in line.flags
        arguments = Array({str(at): Input(word) for at, word in enumerate([invocation.name, *line.operands])})
        self._state.ARGC = float(len(arguments))
        self._input = MainInput(self._state, self._streams, arguments, self.assign)
        self._input.forgives = translation.begins_files
        if line.in_place:
            self._input.in_place = InPlace(self._streams, self._suffix)
        self._state.record.limit = translation.limit
        self._names = self._namespace(invocation, arguments)
        exec(compile(translation.source, FILE, "exec"), self._names)  # noqa: S102

    def _namespace(self, invocation: Invocation, arguments: Array) -> dict[str, Any]:
        state = self._state
        names: dict[str, Any] = {f"v_{name}": None for name in self._translation.variables}
        names |= {f"v_{name}": Array() for name in self._translation.arrays}
        names |= {f"v_{name}": [] for name in self._translation.lists}
        names["v_ARGV"] = arguments
        names["v_ENVIRON"] = Array({name: Input(value) for name, value in invocation.env.items()})
        names["v_PROCINFO"].update({"version": "5.2.1", "FS": "FS", "strftime": DEFAULT})
        names |= self._translation.constants
        own: Mapping[str, Compare | None] = _Own(names)
        found = Functions(state, own)
        names |= {
            "S": state,
            "R": state.record,
            "F": found,
            "IO": self._streams,
            "M": self._input,
        }
        names |= {
            "C": Clock(invocation),
            "W": self._streams.printed.append,
            "T": state.texts,
            "O": state.shown_texts,
            "prefix_number": prefix_number,
            "counted": counted,
            "numbered": numbered,
            "rand": found.rand,
            "field_at": field_at,
            "part": part,
            "words": words,
            "whole_text": whole_text,
            "key_texts": key_texts,
            "text": state.text,
            "shown": state.shown,
        }
        names |= {
            one.__name__: one
            for one in (
                retained,
                number,
                truth,
                field_truth,
                Array,
                Input,
                Exit,
                NextRecord,
                NextFile,
                TypedRegex,
            )
        }
        names |= {
            name: getattr(functions, name)
            for name in (
                "divide",
                "refill",
                "modulo",
                "power",
                "substr",
                "upper",
                "lower",
                "bits",
                "strtonum",
                "typeof",
            )
        }
        names |= {"m_sqrt": math.sqrt, "m_log": math.log}
        names |= {f"c_{name}": functions.guarded(function) for name, function in _MATH.items()}
        names |= {
            "c_int": functions.truncated,
            "c_atan2": math.atan2,
            "INF": math.inf,
            "put": _put,
            "length": _length,
        }
        numeric = looks_numeric
        if self._any_base:
            numeric = looks_numeric_in_any_base
            names["number"] = names["prefix_number"] = any_base_number
        names["N"] = KnownNumbers(names["prefix_number"])
        for sign, name in COMPARED.items():
            names[name] = comparison(sign, state.compared, numeric)
            names[f"inputs_{name}"] = comparison_of_inputs(sign, state.compared, numeric)
            names[f"raw_{name}"] = comparison(sign, state.compared, numeric, str)
            names[f"raw_{name}_number"] = comparison(sign, state.compared, numeric, str, of_number=True)
        equal = names["eq"]

        def same(one: Value, other: Value) -> bool:
            return isinstance(one, float) == isinstance(other, float) and equal(one, other)

        names["same"] = same
        return names

    def _suffix(self) -> str:
        """Return what `inplace::suffix` says."""
        names = (f"v_inplace{QUALIFIED}suffix", "v_INPLACE_SUFFIX")
        return next((self._state.text(self._names[name]) for name in names if self._names.get(name)), "")

    def assign(self, name: str, value: str) -> None:
        """Set a variable to a text of the command line.

        Raises:
            RunError: The name belongs to a function or an array.
        """
        if name in RECORD_VARIABLES or name in VARIABLES or name in SETTINGS:
            self._state.set(name, Input(value))
        elif name in [*self._translation.arrays, *self._translation.lists] or f"f_{name}" in self._names:
            raise RunError(f"{name} can't be set on the command line: it is an array or a function")
        else:
            self._names[f"v_{name}"] = Input(value)

    async def run(self) -> int:
        """Run everything and return the exit code.

        Raises:
            RunError: A statement has failed; the error has its line.
        """
        try:
            await self._sections()
            await self._streams.end()
        except RecursionError as problem:
            raise RunError(
                "functions call each other too deeply", self._line(problem.__traceback__)
            ) from problem
        except RunError as problem:
            problem.line = problem.line or self._line(problem.__traceback__)
            await self._streams.end()
            raise
        finally:
            self._input.abandon()
            self._streams.abandon()
        return self._code

    async def _sections(self) -> None:
        try:
            await self._call("begin")
            if self._translation.has_rules:
                await self._files()
        except Exit as leaving:
            self._set_code(leaving)
        else:
            await self._finish()
            return
        if self._translation.has_rules:
            await self._finish()

    async def _finish(self) -> None:
        self._input.close()
        try:
            await self._call("end")
        except Exit as leaving:
            self._set_code(leaving)

    def _set_code(self, leaving: Exit) -> None:
        if leaving.code is not None:
            self._code = leaving.code & 255

    async def _call(self, name: str) -> None:
        try:
            result = self._names[name]()
            if name in self._translation.waiting:
                await result
        except Exit:
            raise
        except Leaving as leaving:
            if name == "begin_file" and isinstance(leaving, NextFile):
                raise
            word = "nextfile" if isinstance(leaving, NextFile) else "next"
            raise RunError(f"{word} is used outside of rules") from leaving

    async def _files(self) -> None:
        """Run the rules for the records of all files."""
        source = self._input
        while source.reader is not None or source.open():
            try:
                await self._call("begin_file")
                source.check()
                await self._file()
                # `getline` may have gone on to another file.
                if source.reader is not None:
                    await self._call("end_file")
            except NextFile:
                if source.problem is None:
                    await self._call("end_file")
                source.problem = None
            source.close()

    async def _file(self) -> None:
        """Run the rules for the rest of the current file; `getline` may lead to another one meanwhile."""
        source = self._input
        while (reader := source.reader) is not None:
            await self._records()
            await self._streams.turn()
            if source.reader is reader and not await source.fill():
                return

    async def _records(self) -> None:
        """Run the rules for the records that have been read."""
        reader, record, rules = self._input.reader, self._state.record, self._names["rules"]
        assert reader is not None
        waits = "rules" in self._translation.waiting
        record.is_plain = reader.is_plain
        cut, separator, is_usual = record.cutter()
        pending = reader.pending
        counts = self._translation.counts_at_end
        left = length_hint(pending) if counts else 0
        if counts and not left:
            # These come one by one.
            pending = self._counted(pending)
        try:
            while True:
                try:
                    if waits:
                        await rules(pending, cut, separator, is_usual)
                    else:
                        rules(pending, cut, separator, is_usual)
                except NextRecord:
                    continue
                return
        finally:
            if left:
                self._count(left - length_hint(pending))

    def _counted(self, records: Iterator[str]) -> Iterator[str]:
        """Yield records, and count each."""
        for record in records:
            self._count(1)
            yield record

    def _count(self, records: int) -> None:
        self._state.NR += records
        self._state.FNR += records

    def _line(self, trace: TracebackType | None) -> int:
        """Return the line of the program that an error comes from."""
        line = 0
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == FILE:
                line = self._translation.lines[min(trace.tb_lineno, len(self._translation.lines)) - 1]
            trace = trace.tb_next
        return line


class _Own(Mapping[str, Any]):
    """The functions of the program."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self._names = names

    def __getitem__(self, name: str) -> Any:
        return self._names[f"f_{name.replace('::', QUALIFIED)}"]

    def __iter__(self) -> Any:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _put(value: Value, array: Array, key: str) -> Value:
    array[key] = value
    return value


def _length(value: object, text: Any) -> int:
    return len(value) if isinstance(value, Array) else len(text(value))
