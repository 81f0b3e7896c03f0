"""The variables that awk and a program share, such as NR, FS and RSTART."""

from __future__ import annotations

from collections.abc import Callable

from gemini_userland.awk.csv import CsvRecords, csv_fields
from gemini_userland.awk.errors import RunError
from gemini_userland.awk.formats import formatted
from gemini_userland.awk.patterns import Pattern, pattern
from gemini_userland.awk.record import Record, Splitter, separated
from gemini_userland.awk.values import Texts, Value, converter, number, truth

RECORD_VARIABLES = frozenset(["NF"])
TEXTS = frozenset(["OFS", "ORS", "SUBSEP", "CONVFMT", "OFMT"])
NUMBERS = frozenset(["NR", "FNR"])
SETTINGS = frozenset(["FS", "RS", "IGNORECASE", "FPAT", "FIELDWIDTHS"])
VARIABLES = TEXTS | NUMBERS | SETTINGS | {"FILENAME", "RSTART", "RLENGTH", "RT", "ERRNO", "ARGC"}
ARRAYS = frozenset(["ENVIRON", "ARGV", "PROCINFO"])


class State:
    """The values of the special variables.

    Args:
        csv: Records are comma-separated values, whatever FS and RS say.

    Attributes:
        record: The current record.
        separator: What ends records: one character, a Pattern, or "" for paragraphs.
        text: Converts values to strings by CONVFMT.
        shown: Converts values for `print` by OFMT.
        setting_texts: The string values of the variables whose change has effects.
        texts, shown_texts: The strings of numbers, by CONVFMT and OFMT.
        on_separator: Called after RS has changed.
    """

    def __init__(self, csv: bool = False) -> None:
        self.NR = self.FNR = 0.0
        self.FILENAME: Value = None
        self.RSTART: Value = 0.0
        self.RLENGTH: Value = -1.0
        self.RT: Value = None
        self.ERRNO: Value = None
        self.ARGC: Value = 0.0
        self.OFS, self.ORS, self.SUBSEP = " ", "\n", "\x1c"
        self.CONVFMT = self.OFMT = "%.6g"
        self._settings: dict[str, Value] = {
            "FS": " ",
            "RS": "\n",
            "IGNORECASE": 0.0,
            "FPAT": "[^ \t\n]+",
            "FIELDWIDTHS": "",
        }
        self._way = "FS"
        self.folds = False
        self._csv = csv
        self.separator: str | Pattern | CsvRecords = CsvRecords() if csv else "\n"
        self.on_separator: Callable[[], None] = lambda: None
        self.texts = Texts(lambda: self.CONVFMT, self._format)
        self.text = converter(self.texts)
        self.setting_texts = {name: self.text(value) for name, value in self._settings.items()}
        self.shown_texts = Texts(lambda: self.OFMT, self._format)
        self.shown = converter(self.shown_texts)
        self.record = Record(lambda: self.OFS, self.text)
        self.record.split = self._splitter()  # type: ignore[assignment]

    def _format(self, form: str, values: list[Value]) -> str:
        return formatted(form, values, self.text)

    def compared(self, value: Value) -> str:
        """Return the string by which a value is compared: without capital letters if IGNORECASE is set."""
        text = self.text(value)
        return text.lower() if self.folds else text

    def setting(self, name: str) -> Value:
        """Return a variable whose change has effects."""
        return self._settings[name]

    def set(self, name: str, value: Value) -> Value:
        """Set a variable and return its value."""
        if name == "NF":
            self.record.resize(value)
        elif name in TEXTS:
            if name == "OFS" and self.record.line is None:
                self.record.whole()
            setattr(self, name, self.text(value))
        elif name in NUMBERS:
            setattr(self, name, number(value))
        elif name in SETTINGS:
            self._configure(name, value)
        else:
            # RSTART and RLENGTH are numbers where nothing else sets them.
            setattr(self, name, 0.0 if value is None and name in ("RSTART", "RLENGTH") else value)
        return value

    def _configure(self, name: str, value: Value) -> None:
        # The current record keeps the fields that it has.
        self.record.fields()
        self._settings[name] = value
        self.setting_texts[name] = self.text(value)
        if name in ("FS", "FPAT", "FIELDWIDTHS"):
            self._way = name
        self.folds = truth(self._settings["IGNORECASE"])
        if name in ("RS", "IGNORECASE") and not self._csv:
            source = self.text(self._settings["RS"])
            self.separator = source if len(source) < 2 else pattern(source, self.folds)
            self.on_separator()
        self.record.split = self._splitter()  # type: ignore[assignment]

    def _splitter(self) -> Splitter:
        if self._csv:
            return csv_fields
        chosen = self.text(self._settings[self._way])
        if self._way == "FIELDWIDTHS":
            return _columns(chosen)
        if self._way == "FPAT":
            found = pattern(chosen, self.folds)
            return lambda text: [text[start:end] for start, end in matched(found, text)]
        if self.separator == "" and chosen not in (" ", "\n"):
            # Without blank lines in records, a newline separates fields, too.
            only = len(chosen) == 1
            either = (
                f"[{chosen}]" if only and chosen not in "\\^]" else f"\\{chosen}" if only else f"({chosen})"
            )
            return separated(f"{either}|\n" if chosen else "", folds=self.folds, literal=False)
        return separated(chosen, folds=self.folds)


def matched(found: Pattern, text: str) -> list[tuple[int, int]]:
    """Return where the fields of FPAT, or `patsplit`, are."""
    spans: list[tuple[int, int]] = []
    at, last = 0, -1
    while at <= len(text) and text and (span := found.search(text, at)):
        start, end = span
        # An empty field can't follow another field directly.
        if end > start or start > last:
            spans.append(span)
            last = end
        at = end + (end == start)
    return spans


def _columns(widths: str) -> Splitter:
    spans: list[tuple[int, int]] = []
    at = 0
    for word in widths.split():
        skipped, _, width = word.rpartition(":")
        if width != "*" and not width.isdigit():
            raise RunError(f"invalid FIELDWIDTHS value '{word}'")
        at += int(skipped or 0)
        end = 1 << 62 if width == "*" else at + int(width)
        spans.append((at, end))
        at = end
    return lambda text: [text[start:end] for start, end in spans if start < len(text)]
