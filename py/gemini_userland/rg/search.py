"""A call of `rg`: one file after another is searched and printed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments
from gemini_userland.rg.choices import choose_context, choose_style
from gemini_userland.rg.content import BUFFER, Content, read_content, swap_ends
from gemini_userland.rg.files import File, Files, Filter
from gemini_userland.rg.matcher import Matcher, Span, lines_between
from gemini_userland.rg.printing import PATH, Printer
from gemini_userland.rg.reports import Reporter, Totals, summary
from gemini_userland.text import encode, read

NOTHING, ERROR = 1, 2
STDIN = "<stdin>"
NOTHING_SEARCHED = (
    b"No files were searched, which means ripgrep probably applied a filter you didn't expect.\n"
    b"Running with --debug will show why files are being skipped.\n"
)
TIMES = {"modified": "st_mtime_ns", "accessed": "st_atime_ns"}


class Search:
    """A call.

    Args:
        invocation: The call.
        given: Its options.
        matcher: The search; None if only file names are printed.
        chosen: Which files are searched.
    """

    def __init__(
        self, invocation: Invocation, given: Arguments, matcher: Matcher | None, chosen: Filter
    ) -> None:
        self._invocation = invocation
        self._given = given
        self._matcher = matcher
        self._files = Files(chosen, self._complain)
        self._started = time.monotonic()
        self._searching = 0.0
        self._totals = Totals()
        self._failed = False
        self._printed = False
        self._before, self._after = choose_context(given)
        self._separator = given.last("path-separator", "/") or "/"
        self._passes = "passthru" in given
        self._most = given.number("m")
        self._mode = self._chosen_mode()
        self._counts_matches = "stats" in given or self._mode == "count-matches"
        self._style = choose_style(invocation, given, paths=False)
        # Asking `given` for each of many files would take long.
        self._as_text = "a" in given or "null-data" in given
        self._with_binary = "binary" in given or len(given.all("u")) > 2
        self._null_data = "null-data" in given
        self._encoding = given.last("E", "auto")

    def _chosen_mode(self) -> str:
        given = self._given
        if "json" in given:
            return "json"
        if "q" in given and "stats" not in given:
            return "q"
        mode = given.last_of("l", "files-without-match", "c", "count-matches") or "lines"
        return "count-matches" if mode == "c" and "o" in given and not self._inverted else mode

    @property
    def _inverted(self) -> bool:
        return self._matcher is not None and self._matcher.inverted

    def run(self, paths: list[str]) -> int:
        """Search the paths and return the exit code."""
        reads = not paths and self._matcher is not None and self._invocation.stdin != b""
        tops = ["-"] if reads else paths or ["."]
        several = len(tops) > 1 or (tops != ["-"] and os.path.isdir(self._invocation.path(tops[0])))
        self._style = choose_style(self._invocation, self._given, paths=several)
        found = False
        for found_file in self._sort(self._all(tops, shown=bool(paths))):
            file = replace(found_file, path=found_file.path.replace("/", self._separator))
            if self._matcher is None:
                self._name(file.path)
                found = True
            elif self._file(file, self._matcher):
                found = True
            if found and self._mode == "q":
                return 0
        if self._matcher is not None:
            self._summarize()
            if not paths and not self._totals.searches:
                self._failed = True
                self._invocation.stderr.write(NOTHING_SEARCHED)
        return ERROR if self._failed else 0 if found else NOTHING

    def _all(self, tops: Iterable[str], *, shown: bool) -> Iterator[File]:
        for top in tops:
            if top == "-":
                yield File(STDIN, "-", True)
            else:
                yield from self._files.below(top, self._invocation.path(top), shown=shown)

    def _sort(self, files: Iterator[File]) -> Iterable[File]:
        kind = self._given.last_of("sort", "sortr")
        order = self._given.last(kind, "path") if kind else "path"
        if order == "created":
            raise ValueError("--sort created isn't supported: files here have no time of birth: use modified")
        if order in TIMES:
            return sorted(
                files, key=lambda file: getattr(os.stat(file.place), TIMES[order]), reverse=kind == "sortr"
            )
        if order not in ("path", "none"):
            raise ValueError(f"error: '{order}' isn't a valid value for '--{kind} <SORTBY>'")
        return (
            sorted(files, key=lambda file: file.path, reverse=True)
            if kind == "sortr" and order == "path"
            else files
        )

    def _complain(self, path: str, error: OSError) -> None:
        self._failed = True
        if "no-messages" not in self._given:
            number = f" (os error {error.errno})" if error.errno else ""
            self._invocation.stderr.write(encode(f"{path}: {error.strerror}{number}\n"))

    def _write(self, text: str) -> None:
        data = encode(text)
        self._totals.printed += len(data)
        self._invocation.stdout.write(swap_ends(data) if self._null_data else data)

    def _name(self, path: str) -> None:
        self._write(self._style.colored(path, PATH) + (self._style.after_path or "\n"))

    def _file(self, file: File, matcher: Matcher) -> bool:
        """Search a file; return whether something was found."""
        try:
            data = read(self._invocation, "-" if file.place == "-" else file.place)
        except OSError as error:
            self._complain(file.path, error)
            return False
        try:
            content = read_content(
                data,
                explicit=file.explicit or self._with_binary,
                text=self._as_text,
                null_data=self._null_data,
                encoding=self._encoding,
            )
        except LookupError as error:
            raise ValueError(f"grep config error: unknown encoding: {self._encoding}") from error
        if content is None:
            return False
        started = time.monotonic()
        totals = Totals(searches=1, searched=content.size)
        found = self._content(file.path, content, matcher, totals, started)
        totals.with_match = int(found)
        self._searching += time.monotonic() - started
        self._totals.add(totals)
        return found

    def _content(self, path: str, content: Content, matcher: Matcher, totals: Totals, started: float) -> bool:
        mode, blocks = self._mode, matcher.blocks(content.text)
        if self._most is not None:
            blocks = islice(blocks, self._most)
        if mode == "json":
            return self._report(path, content, matcher, totals, started)
        if mode == "lines":
            return self._lines(path, content, matcher, totals)
        if mode in ("q", "l", "files-without-match"):
            found = next(blocks, None) is not None
            if mode != "q" and found == (mode == "l"):
                self._name(path)
            return found if mode != "files-without-match" else not found
        return self._count(path, content, matcher, blocks, totals)

    def _count(
        self, path: str, content: Content, matcher: Matcher, blocks: Iterable[Span], totals: Totals
    ) -> bool:
        count = 0
        for start, end in blocks:
            totals.lines += 1
            if not matcher.inverted and (self._counts_matches or matcher.multiline):
                matches = len(matcher.matches(content.text, start, end))
                totals.matches += matches
                count += matches if self._mode == "count-matches" or matcher.multiline else 1
            else:
                count += 1
        if count or "include-zero" in self._given:
            name = self._style.colored(path, PATH) + (self._style.after_path or ":")
            self._write(f"{name if self._style.paths else ''}{count}\n")
        return count > 0

    def _report(self, path: str, content: Content, matcher: Matcher, totals: Totals, started: float) -> bool:
        reporter = Reporter(matcher, path, content)
        totals.lines = self._show(reporter, content, matcher)
        totals.matches = reporter.matches
        totals.with_match = int(totals.lines > 0)
        reporter.finish(totals, time.monotonic() - started)
        self._invocation.stdout.write(encode("".join(reporter.pieces)))
        return totals.lines > 0

    def _lines(self, path: str, content: Content, matcher: Matcher, totals: Totals) -> bool:
        if content.zero is not None and not content.cut and content.zero < BUFFER:
            # A binary file that the command line names has only a note.
            found = next(matcher.blocks(content.text), None) is not None
            if found:
                self._note(path, f'binary file matches (found "\\0" byte around offset {content.zero})')
            return found
        printer = Printer(self._style, matcher, path, content)
        totals.lines = self._show(printer, content, matcher)
        if "stats" in self._given:
            totals.matches = _match_count(matcher, content.text)
        if not printer.pieces:
            return totals.lines > 0
        if self._style.heading and self._style.paths:
            gap = "\n" if self._printed else ""
            end = self._style.after_path or "\n"
            printer.pieces.insert(0, f"{gap}{self._style.colored(path, PATH)}{end}")
        elif self._printed and self._has_gaps:
            printer.pieces.insert(0, f"{self._style.gap}\n")
        self._printed = True
        self._write("".join(printer.pieces))
        if content.zero is not None:
            kind = (
                "WARNING: stopped searching binary file after match" if content.cut else "binary file matches"
            )
            self._note(path, f'{kind} (found "\\0" byte around offset {content.zero})')
        return totals.lines > 0

    def _note(self, path: str, text: str) -> None:
        self._write(f"{path}: {text}\n" if self._style.paths else f"{text}\n")

    @property
    def _has_gaps(self) -> bool:
        return bool(self._before or self._after) and self._style.gap is not None and not self._passes

    def _show(self, printer: Printer | Reporter, content: Content, matcher: Matcher) -> int:
        """Print the selected blocks with their context, and return their number."""
        text = content.text
        blocks = matcher.blocks(text)
        count = printed = 0
        before = len(text) if self._passes else self._before
        after = len(text) if self._passes else self._after
        limited = blocks if self._most is None else islice(blocks, self._most)
        for start, end in limited:
            if count:
                printed = self._context(printer, text, printed, start, after)
            first = _start_of(text, start, before, printed)
            if count and first > printed and self._has_gaps and isinstance(printer, Printer):
                printer.pieces.append(f"{self._style.gap}\n")
            for line in lines_between(text, first, start):
                printer.other(*line)
            printer.selected(start, end)
            printed = end
            count += 1
        if count or self._passes:
            self._context(printer, text, printed, len(text), after)
        return count

    def _context(self, printer: Printer | Reporter, text: str, start: int, end: int, most: int) -> int:
        """Print lines after a block, and return the place after them."""
        for line in islice(lines_between(text, start, end), most):
            printer.other(*line)
            start = line[1]
        return start

    def _summarize(self) -> None:
        whole = time.monotonic() - self._started
        totals = self._totals
        if self._mode == "json":
            self._invocation.stdout.write(summary(totals, self._searching, whole).encode())
        elif "stats" in self._given:
            self._invocation.print(
                f"\n{totals.matches} matches\n{totals.lines} matched lines\n"
                f"{totals.with_match} files contained matches\n{totals.searches} files searched\n"
                f"{totals.printed} bytes printed\n{totals.searched} bytes searched\n"
                f"{self._searching:.6f} seconds spent searching\n{whole:.6f} seconds"
            )


def _match_count(matcher: Matcher, text: str) -> int:
    if matcher.inverted:
        return 0
    return sum(len(matcher.matches(text, start, end)) for start, end in matcher.blocks(text))


def _start_of(text: str, at: int, lines: int, least: int) -> int:
    """Return the start of the line that is so many lines before a place, but not before `least`."""
    while lines > 0 and at > least:
        at = text.rfind("\n", 0, at - 1) + 1
        lines -= 1
    return max(at, least)
