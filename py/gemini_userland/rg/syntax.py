"""Translates the regular expressions of Rust's `regex` crate to Python's `re`.

Text is a string in which a byte that isn't UTF-8 is a lone surrogate; no set and no `.` matches such a byte. Unless
lines may be joined, nothing matches a line break either.
Source: the documentation of the crate, https://docs.rs/regex/latest/regex/#syntax
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from gemini_userland.patterns import CLASSES
from gemini_userland.rg.categories import category
from gemini_userland.rg.errors import PatternError, syntax_error

LONE = r"\udc80-\udcff"
NOT_ALLOWED = """the literal '"\\n"' is not allowed in a regex

Consider enabling multiline mode with the --multiline flag (or -U for short).
When multiline mode is enabled, new line characters can be matched."""
WITH_PERL = """

Consider enabling PCRE2 with the --pcre2 flag, which can handle backreferences
and look-around."""
SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}
REPEAT = re.compile(r"([*+?]|\{\d+(?:,\d*)?\})(\??)")
NUMBER = re.compile(r"\{([0-9A-Fa-f]+)\}")
ANCHORS = set("bBAz<>")
DIGITS = {"x": 2, "u": 4, "U": 8}


@dataclass(frozen=True)
class Flags:
    """The state that flags such as `(?i)` have set.

    Attributes:
        dotall: Whether `.` matches line breaks.
        lazy: Whether repetitions are lazy unless `?` follows.
        verbose: Whether blanks and comments are left out.
        anchors: Whether `^` and `$` match at each line.
    """

    dotall: bool = False
    lazy: bool = False
    verbose: bool = False
    anchors: bool = True


class Translation:
    r"""A pattern on its way to Python.

    Args:
        pattern: The pattern.
        multiline: Whether a match may contain line breaks.
        dotall: Whether `.` matches them, too.
        crlf: Whether `$` matches before `\r\n`.
        perl: Whether look-around and back-references are allowed, as in PCRE2.
    """

    def __init__(
        self,
        pattern: str,
        *,
        multiline: bool = False,
        dotall: bool = False,
        crlf: bool = False,
        perl: bool = False,
    ) -> None:
        self._pattern = pattern
        self._multiline = multiline
        self._crlf = crlf
        self._perl = perl
        self._at = 0
        self._flags = Flags(dotall=dotall)

    def translate(self) -> str:
        """Return the expression, for the flag MULTILINE.

        Raises:
            PatternError: The pattern is invalid.
        """
        source = self._alternatives()
        if self._at < len(self._pattern):
            raise syntax_error(self._pattern, self._at, "unopened group")
        return source

    def _peek(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _follows(self, text: str) -> bool:
        return self._pattern.startswith(text, self._at)

    def _fail(self, message: str, at: int | None = None, length: int = 1) -> PatternError:
        return syntax_error(self._pattern, self._at if at is None else at, message, length)

    def _alternatives(self) -> str:
        flags = self._flags
        pieces: list[str] = []
        # Flags such as `(?i)` hold until the group ends, across its alternatives.
        opened = 0
        while self._at < len(self._pattern) and self._peek() != ")":
            if self._peek() == "|":
                self._at += 1
                pieces.append("|")
            elif (setting := self._setting()) is not None:
                if setting:
                    pieces.append(f"(?{setting}:")
                    opened += 1
            else:
                pieces.append(self._repeat(pieces))
        self._flags = flags
        return "".join(pieces) + ")" * opened

    def _setting(self) -> str | None:
        """Take a group that only sets flags; return those that Python must know, or None for another group."""
        match = re.compile(r"\(\?([imsUuxR]*)(?:-([imsUuxR]*))?\)").match(self._pattern, self._at)
        if match is None or match[0] == "(?)":
            return None
        self._at = match.end()
        return self._set(match[1], match[2] or "")

    def _set(self, on: str, off: str) -> str:
        for letters, value in ((on, True), (off, False)):
            for letter, name in (("s", "dotall"), ("U", "lazy"), ("x", "verbose"), ("m", "anchors")):
                if letter in letters:
                    self._flags = replace(self._flags, **{name: value})
        return ("i" if "i" in on else "") + ("a" if "u" in off else "") + ("-i" if "i" in off else "")

    def _repeat(self, before: list[str]) -> str:
        atom = self._atom()
        if atom == "":
            return ""
        count = 0
        while match := REPEAT.match(self._pattern, self._at):
            self._at = match.end()
            lazy = bool(match[2]) != self._flags.lazy
            possessive = self._perl and not match[2] and self._follows("+")
            self._at += possessive
            atom = f"(?:{atom})" if count else atom
            atom += match[1] + ("?" if lazy else "+" if possessive else "")
            count += 1
        if self._peek() == "{" and not self._perl:
            raise self._fail(
                "unclosed counted repetition"
                if "}" not in self._pattern[self._at :]
                else "repetition quantifier expects a valid decimal"
            )
        return atom

    def _atom(self) -> str:
        character = self._peek()
        start = self._at
        if character in "*+?" or (character == "{" and not self._perl):
            raise self._fail("repetition operator missing expression")
        self._at += 1
        if self._flags.verbose and (character.isspace() or character == "#"):
            if character == "#":
                end = self._pattern.find("\n", self._at)
                self._at = len(self._pattern) if end < 0 else end + 1
            return ""
        if character == "\\":
            return self._escape(start)
        if character == "[":
            return self._class(start)
        if character == "(":
            return self._group(start)
        if character == ".":
            breaks = "" if self._flags.dotall and self._multiline else r"\n"
            return f"[^{breaks}{LONE}]"
        if character == "^":
            return "^" if self._flags.anchors or not self._multiline else r"\A"
        if character == "$":
            return self._end()
        return self._literal(character)

    def _end(self) -> str:
        if not self._flags.anchors and self._multiline:
            return r"\Z"
        return r"(?=\r?$)" if self._crlf else "$"

    def _literal(self, character: str) -> str:
        if character == "\n" and not self._multiline:
            raise PatternError(NOT_ALLOWED)
        return re.escape(character)

    def _group(self, start: int) -> str:
        match = re.compile(r"\?(?:P?<([A-Za-z_]\w*)>|(:)|([imsUuxR]*)(?:-([imsUuxR]*))?:)").match(
            self._pattern, self._at
        )
        head = "("
        flags = self._flags
        if match:
            self._at = match.end()
            if match[1]:
                head = f"(?P<{match[1]}>"
            elif match[2]:
                head = "(?:"
            else:
                head = f"(?{self._set(match[3], match[4] or '')}:"
        elif look := re.compile(r"\?(?:<?[=!]|>|P[=>]|#)").match(self._pattern, self._at):
            if not self._perl:
                if look[0] in ("?=", "?!", "?<=", "?<!"):
                    message = (
                        "look-around, including look-ahead and look-behind, is not supported" + WITH_PERL
                    )
                    raise self._fail(message, start, 1 + len(look[0]))
                raise self._fail("unrecognized flag", self._at + 1)
            self._at = look.end()
            head = "(" + look[0]
        elif self._peek() == "?":
            raise self._fail("unrecognized flag", self._at + 1)
        inside = self._alternatives()
        self._flags = flags
        if self._peek() != ")":
            raise self._fail("unclosed group", start)
        self._at += 1
        return f"{head}{inside})"

    def _escape(self, start: int) -> str:
        letter = self._peek()
        if letter == "":
            raise self._fail("incomplete escape sequence, reached end of pattern prematurely", start)
        self._at += 1
        if letter.isdigit():
            if not self._perl:
                raise self._fail("backreferences are not supported" + WITH_PERL, start, 2)
            return f"(?:\\{letter})"
        if letter in "wWdDsS":
            return self._perl_class(letter)
        if letter in ANCHORS or (letter == "Z" and self._perl):
            return self._anchor(letter)
        if letter in "pP":
            return self._category(letter, start)
        if self._perl and letter in "hRKQ":
            return self._perl_escape(letter, start)
        return self._literal(self._character(letter, start))

    def _anchor(self, letter: str) -> str:
        if letter in "<>":
            return r"\b(?=\w)" if letter == "<" else r"\b(?<=\w)"
        if letter in "bB":
            return "\\" + letter
        # Lines are searched one at a time, so a line is the entire text.
        if letter == "A":
            return r"\A" if self._multiline else "^"
        return r"\Z" if self._multiline else "$"

    def _perl_escape(self, letter: str, start: int) -> str:
        if letter == "h":
            return r"[ \t]"
        if letter == "R" and self._multiline:
            return r"(?:\r\n|[\n\r])"
        raise self._fail(f"\\{letter} isn't supported", start, 2)

    def _perl_class(self, letter: str) -> str:
        if letter.islower():
            return r"[^\S\n]" if letter == "s" and not self._multiline else "\\" + letter
        return f"[^\\{letter.lower()}{'' if self._multiline else chr(92) + 'n'}{LONE}]"

    def _character(self, letter: str, start: int) -> str:
        """Return the character that an escape sequence stands for."""
        if letter in SIMPLE:
            return SIMPLE[letter]
        if letter in DIGITS:
            match = NUMBER.match(self._pattern, self._at)
            digits = match[1] if match else self._pattern[self._at : self._at + DIGITS[letter]]
            if not re.fullmatch(r"[0-9A-Fa-f]+", digits) or int(digits, 16) > 0x10FFFF:
                raise self._fail("invalid escape sequence: not a Unicode scalar value", start, 2)
            self._at = match.end() if match else self._at + DIGITS[letter]
            return chr(int(digits, 16))
        if letter.isalnum():
            raise self._fail("unrecognized escape sequence", start, 2)
        return letter

    def _category(self, letter: str, start: int) -> str:
        match = re.compile(r"\{(\^?)([^}]*)\}|()(\w)").match(self._pattern, self._at)
        name = (match[2] or match[4] or "") if match else ""
        ranges = category(name)
        if match is None or ranges is None:
            raise self._fail("Unicode property not found", start, 2)
        self._at = match.end()
        negated = (letter == "P") != bool(match[1])
        breaks = "" if self._multiline else r"\n"
        if negated:
            return f"[^{ranges}{breaks}{LONE}]"
        return f"(?:(?!{breaks})[{ranges}])" if breaks and re.match(f"[{ranges}]", "\n") else f"[{ranges}]"

    def _class(self, start: int) -> str:
        """Translate a set, whose `[` is behind."""
        negated = self._peek() == "^"
        self._at += negated
        left = self._items(start)
        if "\\\n" in left and not negated and not self._multiline:
            raise PatternError(NOT_ALLOWED)
        while (operator := self._pattern[self._at : self._at + 2]) in ("&&", "--", "~~"):
            self._at += 2
            right = self._items(start)
            if operator == "~~":
                left = f"(?:(?!{right}){left}|(?!{left}){right})"
            else:
                left = f"(?:(?{'=' if operator == '&&' else '!'}{right}){left})"
        self._at += 1
        # Python has no sets without these, so a look-ahead keeps them out.
        excluded = f"[{'' if self._multiline else chr(92) + 'n'}{LONE}]"
        if negated:
            return f"(?:(?!{left})(?!{excluded})[\\s\\S])"
        return f"(?:(?!{excluded}){left})" if re.search(r"\\[SWDs]|\[\^", left) else left

    def _items(self, start: int) -> str:
        """Return what matches one of the items of a set up to its end or the next operator."""
        body: list[str] = []
        others: list[str] = []
        first = True
        while True:
            character = self._peek()
            if character == "":
                raise self._fail("unclosed character class", start)
            if (character == "]" and not first) or self._pattern[self._at : self._at + 2] in (
                "&&",
                "--",
                "~~",
            ):
                break
            first = False
            if character == "[" and (named := re.compile(r"\[:(\^?)(\w+):\]").match(self._pattern, self._at)):
                self._at = named.end()
                if named[2] not in (*CLASSES, "ascii", "word"):
                    raise self._fail("unrecognized ASCII class", named.start())
                items = {"ascii": r"\x00-\x7f", "word": r"\w"}.get(named[2]) or CLASSES[named[2]]
                (others if named[1] else body).append(f"[^{items}]" if named[1] else items)
            elif character == "[":
                self._at += 1
                others.append(self._class(self._at - 1))
            else:
                self._item(body, others)
        parts = [f"[{''.join(body)}]"] if body else []
        parts += others
        if not parts:
            return r"(?!)"
        return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"

    def _item(self, body: list[str], others: list[str]) -> None:
        """Add a character, a range or a class of Perl's to a set."""
        start = self._at
        character = self._take(body, others)
        if character is None:
            return
        if self._peek() != "-" or self._pattern[self._at + 1 : self._at + 2] in ("]", "-", ""):
            body.append(_in_set(character))
            return
        self._at += 1
        last = self._take(body, others)
        if last is None or last < character:
            raise self._fail(
                "invalid character class range, the start must be <= the end", start, self._at - start
            )
        body.append(f"{_in_set(character)}-{_in_set(last)}")

    def _take(self, body: list[str], others: list[str]) -> str | None:
        """Take a character of a set and return it, or add the class that stands there and return None."""
        start = self._at
        character = self._peek()
        self._at += 1
        if character != "\\":
            return character
        letter = self._peek()
        self._at += 1
        if letter in "wWdDsS":
            body.append("\\" + letter)
            return None
        if letter in "pP":
            others.append(self._category(letter, start))
            return None
        if letter == "b" and self._perl:
            return "\b"
        if letter == "h" and self._perl:
            body.append(r" \t")
            return None
        return self._character(letter, start)


def _in_set(character: str) -> str:
    return re.escape(character) if character.isascii() and not character.isalnum() else character
