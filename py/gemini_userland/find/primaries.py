"""The tests, actions and options of `find` by their names."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from gemini_userland.find import attributes, names, times
from gemini_userland.find.actions import AsyncPredicate, Each, Together, deletion, printing
from gemini_userland.find.entry import Entry
from gemini_userland.find.formats import Format, list_line
from gemini_userland.find.names import Predicate
from gemini_userland.find.query import FindError, Query, Quit

PATTERNS = {"-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-lname", "-ilname"}
ACTIONS = {"-print", "-print0", "-printf", "-ls", "-fprint", "-fprint0", "-fprintf", "-fls", "-delete"}
COMMANDS = {"-exec", "-execdir"}
ASKING = {"-ok": "-exec", "-okdir": "-execdir"}
AGES = {f"-{letter}{unit}" for letter in "acm" for unit in ("min", "time")}
# Options that only change how GNU's find works, or its warnings.
IGNORED = {"-noleaf", "-warn", "-nowarn", "-ignore_readdir_race", "-noignore_readdir_race", "-noautofs"}
UNKNOWN = {
    "-fstype": "files here have no types of file systems; use -path",
    "-context": "files here have no security contexts; leave it out",
    "-files0-from": "use `xargs -0 -I{} find {} TESTS < FILE`",
}
NUMBERS: dict[str, Callable[[Entry], int]] = {
    "-links": lambda entry: entry.status.st_nlink,
    "-inum": lambda entry: entry.status.st_ino,
    "-uid": lambda entry: entry.status.st_uid,
    "-gid": lambda entry: entry.status.st_gid,
}
Primary = tuple[Predicate | None, AsyncPredicate | None]


def _always(entry: Entry) -> bool:
    return True


class Primaries:
    """Reads one primary after another.

    Args:
        query: The call, whose options the words may set.
        following: Returns the next word, or None at the end.
    """

    def __init__(self, query: Query, following: Callable[[], str | None]) -> None:
        self._query = query
        self._following = following
        self.acts = False
        self.prunes = False
        self.deletes = False
        self.batches: list[Together] = []

    def read(self, word: str) -> Primary:
        """Return what a primary does.

        Raises:
            FindError: There is no such primary, or its argument is invalid.
        """
        if word in ACTIONS:
            self.acts = True
            return self._action(word), None
        if word in COMMANDS:
            self.acts = True
            return None, self._command(word)
        if word in ASKING:
            raise FindError(
                f"{word} asks about each file, and nobody can answer here; look with -print, then use {ASKING[word]}"
            )
        check = self._plain(word) or self._name(word) or self._attribute(word) or self._option(word)
        if check is None:
            message = UNKNOWN.get(word)
            raise FindError(
                f"{word} isn't supported: {message}" if message else f"unknown predicate `{word}'"
            )
        return check, None

    def _argument(self, word: str) -> str:
        found = self._following()
        if found is None:
            raise FindError(f"missing argument to `{word}'")
        return found

    def _plain(self, word: str) -> Predicate | None:
        env = self._query.invocation.env

        def prune(entry: Entry) -> bool:
            entry.pruned = True
            return True

        def leave(entry: Entry) -> bool:
            raise Quit

        self.prunes = self.prunes or word == "-prune"
        plain: dict[str, Predicate] = {
            "-true": _always,
            "-false": lambda entry: False,
            "-prune": prune,
            "-quit": leave,
            "-empty": attributes.is_empty,
            "-readable": attributes.access_test(os.R_OK),
            "-writable": attributes.access_test(os.W_OK),
            "-executable": attributes.access_test(os.X_OK),
            "-nouser": lambda entry: attributes.user_names(env, entry.status.st_uid).isdigit(),
            "-nogroup": lambda entry: attributes.group_names(env, entry.status.st_gid).isdigit(),
        }
        return plain.get(word)

    def _name(self, word: str) -> Predicate | None:
        ignore_case = word.startswith("-i")
        if word in ("-name", "-iname"):
            return names.name_test(self._argument(word), ignore_case=ignore_case)
        if word in ("-path", "-ipath", "-wholename", "-iwholename"):
            return names.path_test(self._argument(word), ignore_case=ignore_case)
        if word in ("-lname", "-ilname"):
            return names.link_test(self._argument(word), ignore_case=ignore_case)
        if word in ("-regex", "-iregex"):
            return names.regex_test(self._argument(word), self._query.dialect, ignore_case=ignore_case)
        return None

    def _attribute(self, word: str) -> Predicate | None:
        query, env = self._query, self._query.invocation.env
        if word in ("-type", "-xtype"):
            return attributes.type_test(query, word, self._argument(word))
        if word == "-size":
            return attributes.size_test(self._argument(word))
        if word == "-perm":
            return attributes.mode_test(self._argument(word))
        if word == "-user":
            return attributes.user_test(env, self._argument(word))
        if word == "-group":
            return attributes.group_test(env, self._argument(word))
        if word == "-samefile":
            return attributes.same_file_test(query, self._argument(word))
        if value := NUMBERS.get(word):
            accepts = attributes.compare(word, self._argument(word))
            return lambda entry: accepts(value(entry))
        return self._time(word)

    def _time(self, word: str) -> Predicate | None:
        if word in AGES:
            return times.age_test(self._query, word, self._argument(word))
        if word == "-used":
            return times.used_test(word, self._argument(word))
        if word in ("-newer", "-anewer", "-cnewer") or re.fullmatch(r"-newer[aBcm][aBcmt]", word):
            return times.newer_test(self._query, word, self._argument(word))
        if word.startswith("-newer"):
            raise FindError(f"invalid predicate `{word}'")
        return None

    def _option(self, word: str) -> Predicate | None:
        query = self._query
        if word in ("-maxdepth", "-mindepth"):
            depth = self._argument(word)
            if not re.fullmatch(r"\d+", depth):
                raise FindError(f"Expected a positive decimal integer argument to {word}, but got ‘{depth}’")
            setattr(query, "most" if word == "-maxdepth" else "least", int(depth))
        elif word in ("-depth", "-d"):
            query.bottom_up = True
        elif word in ("-xdev", "-mount"):
            query.stays = True
        elif word == "-follow":
            query.follow = "L"
        elif word == "-daystart":
            query.days_end = True
        elif word == "-regextype":
            query.dialect = names.check_dialect(self._argument(word))
        elif word not in IGNORED:
            return None
        return _always

    def _action(self, word: str) -> Predicate:
        query = self._query
        if word == "-delete":
            self.deletes = True
            return deletion(query)
        output = query.output(self._argument(word) if word.startswith("-f") else "")
        kind = word.removeprefix("-f").removeprefix("-")
        if kind == "printf":
            return printing(output, Format(query, self._argument(word)).apply)
        if kind == "ls":
            return printing(output, lambda entry: list_line(query, entry))
        end = "\0" if kind == "print0" else "\n"
        return printing(output, lambda entry: entry.path + end)

    def _command(self, word: str) -> AsyncPredicate:
        words: list[str] = []
        inside = word == "-execdir"
        while (found := self._following()) is not None:
            if found == ";" and words:
                return Each(self._query, words, inside).act
            if found == "+" and words and "{}" in words[-1]:
                if words[-1] != "{}":
                    raise FindError(
                        f"In ‘{word} ... {{}} +’ the ‘{{}}’ must appear by itself, but you specified ‘{words[-1]}’"
                    )
                if sum("{}" in one for one in words) > 1 or len(words) == 1:
                    raise FindError(f"Only one instance of {{}} is supported with {word} ... +")
                batch = Together(self._query, words[:-1], inside)
                self.batches.append(batch)
                return batch.act
            words.append(found)
        raise FindError(f"missing argument to `{word}'")
