"""A run of `patch`: applies the patch of one file after another, and reports."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments
from gemini_userland.patch.applying import Applied, Lines
from gemini_userland.patch.hunks import FilePatch, Hunk, PatchError, creating
from gemini_userland.patch.names import choose, dangerous, stripped
from gemini_userland.patch.rejects import rejected
from gemini_userland.text import decode

PERMISSIONS = 0o777
QUOTED = re.compile(r"[^\w@%+=:,./~-]")


@dataclass
class _Outcome:
    """The hunks of a file after they were tried."""

    lines: Lines
    failed: list[tuple[Hunk, int]] = field(default_factory=list[tuple[Hunk, int]])
    skips: bool = False
    mismatch: bool = False
    patch: FilePatch | None = None


class Job:
    """A run of patch.

    Args:
        invocation: The call of the command.
        given: The parsed options.
        operand: The file to patch; None to take it from the patches.
    """

    def __init__(self, invocation: Invocation, given: Arguments, operand: str | None) -> None:
        self._invocation = invocation
        self._given = given
        self._operand = operand
        self._quiet = "s" in given
        self._strip = given.number("p")
        self._fuzz = given.number("F", 2)
        self.status = 0

    def _say(self, text: str, end: str = "\n") -> None:
        self._invocation.print(text, end)

    def apply(self, found: FilePatch) -> None:
        """Apply the patch of one file."""
        original, found = found, found.reversed() if "R" in self._given else found
        if len(found.git) == 1 and not found.hunks:
            return
        if self._operand is None:
            for name in dangerous(found, self._strip):
                self._say(f"Ignoring potentially dangerous file name {name}")
        if self._operand is None and self._is_renamed(found):
            return
        name = (
            self._operand or self._find_old_name(found) or choose(found, self._strip, self._invocation.path)
        )
        if name is None:
            self._skip(original)
        else:
            self._patch(found, name)

    def _exists(self, name: str) -> bool:
        return os.path.lexists(self._invocation.path(name))

    def _find_old_name(self, found: FilePatch) -> str | None:
        if "rename from" not in found.git and "copy from" not in found.git:
            return None
        name = stripped(found.old.name, self._strip)
        return name if name and self._exists(name) else None

    def _is_renamed(self, found: FilePatch) -> bool:
        """Return whether a file was renamed before, and report it."""
        old, new = (stripped(one.name, self._strip) for one in (found.old, found.new))
        if found.hunks or "rename to" not in found.git or not old or not new:
            return False
        if self._exists(old) or not self._exists(new):
            return False
        self._say(f"patching file {_quote(new)} (already renamed from {_quote(old)})")
        return True

    def _skip(self, found: FilePatch) -> None:
        """Report a patch whose file is missing."""
        self.status = 1
        if not self._quiet:
            self._say(f"can't find file to patch at input line {found.line}")
            self._say(
                "Perhaps you should have used the -p or --strip option?"
                if self._strip is None
                else "Perhaps you used the wrong -p or --strip option?"
            )
            if found.header:
                self._say("The text leading up to this was:\n--------------------------")
                for line in found.header:
                    self._say("|" + decode(line).rstrip("\n"))
                self._say("--------------------------")
        if "f" in self._given or "t" in self._given:
            self._say("No file to patch.  Skipping patch.")
        else:
            self._say("File to patch: \nSkip this patch? [y] \nSkipping patch.")
        self._say(f"{_hunks(len(found.hunks), len(found.hunks))} ignored")

    def _patch(self, found: FilePatch, name: str) -> None:
        target = self._target(found, name)
        if not self._is_patchable(name):
            self._refuse(found, name, target)
            return
        content = self._content(name)
        question = self._doubt(found, name, content)
        if question:
            if not self._may_reverse(question):
                self.status = 1
                self._say(f"{_hunks(len(found.hunks), len(found.hunks))} ignored")
                return
            found = found.reversed()
        self._announce(found, name, target)
        outcome = self._try(found, re.findall(rb"[^\n]*\n|[^\n]+\Z", content))
        found = outcome.patch or found
        if outcome.failed and not self._exists(name):
            raise PatchError(f"Can't reopen file {_quote(name)} : No such file or directory")
        if "dry-run" not in self._given and not outcome.skips:
            self._write(found, name, target, content, outcome)
        if outcome.failed:
            self._report(found, target, outcome)

    def _is_patchable(self, name: str) -> bool:
        """Return whether a file is a regular one, or is missing; a link counts as its target only if that is wanted."""
        path = self._invocation.path(name)
        if not os.path.lexists(path):
            return True
        return os.path.isfile(path) and ("follow-symlinks" in self._given or not os.path.islink(path))

    def _refuse(self, found: FilePatch, name: str, target: str) -> None:
        """Reject all hunks, as the target is no regular file."""
        if "verbose" in self._given:
            self._say_kind(found)
        self._say(f"File {_quote(name)} is not a regular file -- refusing to patch")
        outcome = _Outcome(Lines([]), skips=True)
        for number, hunk in enumerate(found.hunks, 1):
            self._take(outcome, hunk, number, None)
        if outcome.failed:
            self._report(found, target, outcome)

    def _content(self, name: str) -> bytes:
        path = self._invocation.path(name)
        if not os.path.lexists(path):
            return b""
        with open(path, "rb") as file:
            return file.read()

    def _doubt(self, found: FilePatch, name: str, content: bytes) -> str:
        """Return the question for a patch that creates what exists or deletes what doesn't; "" for others."""
        back = ", when reversed," if "R" in self._given else ""
        if content and found.old.is_missing:
            return f"The next patch{back} would create the file {_quote(name)},\nwhich already exists!"
        if not self._exists(name) and found.new.is_missing:
            return f"The next patch{back} would delete the file {_quote(name)},\nwhich does not exist!"
        return ""

    def _target(self, found: FilePatch, name: str) -> str:
        output = self._given.last("o")
        if output is not None:
            return output
        if self._operand is None and ("rename to" in found.git or "copy to" in found.git):
            return stripped(found.new.name, self._strip) or name
        return name

    def _announce(self, found: FilePatch, name: str, target: str) -> None:
        if self._quiet:
            return
        if "verbose" in self._given:
            self._say_kind(found)
        verb = "checking" if "dry-run" in self._given else "patching"
        shown = "standard output" if target == "-" else _quote(target)
        origin = ""
        if "o" in self._given:
            origin = f" (read from {_quote(name)})"
        elif target != name:
            origin = f" ({'renamed' if 'rename to' in found.git else 'copied'} from {_quote(name)})"
        self._say(f"{verb} file {shown}{origin}")
        if "verbose" in self._given:
            self._say("Using Plan A...")

    def _say_kind(self, found: FilePatch) -> None:
        kind = {"unified": "a unified", "context": "a new-style context", "normal": "a normal"}.get(
            found.style
        )
        self._say(f"Hmm...  Looks like {kind or 'a git-style'} diff to me...")
        if found.header:
            self._say("The text leading up to this was:\n--------------------------")
            for line in found.header:
                self._say("|" + decode(line).rstrip("\n"))
            self._say("--------------------------")

    def _try(self, found: FilePatch, content: list[bytes]) -> _Outcome:
        lines = Lines(content, "l" in self._given)
        outcome = _Outcome(lines)
        at = 0
        while at < len(found.hunks):
            hunk = found.hunks[at]
            place, is_reversed = self._place(outcome, found, at)
            if is_reversed:
                found = outcome.patch = found.reversed()
                outcome.mismatch = True
                continue
            self._take(outcome, hunk, at + 1, place)
            at += 1
        return outcome

    def _place(self, outcome: _Outcome, found: FilePatch, at: int) -> tuple[Applied | None, bool]:
        """Return the place of a hunk, and whether the patch should be reversed instead."""
        hunk = found.hunks[at]
        may_turn = at == 0 and outcome.patch is None and "f" not in self._given
        for fuzz in range(min(self._fuzz, max(hunk.prefix, hunk.suffix)) + 1):
            if outcome.skips:
                return None, False
            place = outcome.lines.locate(hunk, fuzz)
            if place is not None:
                return place, False
            if may_turn and outcome.lines.locate(hunk.reversed(), fuzz):
                shown = "Unreversed" if "R" in self._given else "Reversed (or previously applied)"
                if self._may_reverse(f"{shown} patch detected!"):
                    return None, True
                outcome.skips = True
        return None, False

    def _may_reverse(self, question: str) -> bool:
        """Decide whether to apply a patch in the other direction; without a terminal, the answer is no."""
        back = "R" in self._given
        if "N" in self._given:
            self._say(f"{question}  Skipping patch.")
        elif "f" in self._given:
            if not self._quiet:
                self._say(f"{question}  Applying it anyway.")
        elif "t" in self._given:
            self._say(f"{question}  {'Ignoring' if back else 'Assuming'} -R.")
            return True
        else:
            self._say(f"{question}  {'Ignore' if back else 'Assume'} -R? [n] \nApply anyway? [n] ")
            if not self._quiet:
                self._say("Skipping patch.")
        return False

    def _take(self, outcome: _Outcome, hunk: Hunk, number: int, place: Applied | None) -> None:
        lines = outcome.lines
        shown = (place.line if place else hunk.first) + lines.growth
        if place is None:
            outcome.failed.append((hunk, lines.growth))
            outcome.mismatch = True
            if "verbose" in self._given or not (self._quiet or outcome.skips):
                self._say(f"Hunk #{number} {'ignored' if outcome.skips else 'FAILED'} at {shown}.")
            return
        offset = place.offset
        lines.apply(hunk, place)
        outcome.mismatch |= bool(place.fuzz or offset)
        if "verbose" in self._given or ((place.fuzz or offset) and not self._quiet):
            fuzz = f" with fuzz {place.fuzz}" if place.fuzz else ""
            moved = f" (offset {offset} line{'' if offset == 1 else 's'})" if offset else ""
            self._say(f"Hunk #{number} succeeded at {shown}{fuzz}{moved}.")

    def _report(self, found: FilePatch, name: str, outcome: _Outcome) -> None:
        """Report rejected hunks and save them."""
        self.status = 1
        verb = "ignored" if outcome.skips else "FAILED"
        text = f"{_hunks(len(outcome.failed), len(found.hunks))} {verb}"
        rejects = self._given.last("r", f"{name}.rej")
        if "dry-run" in self._given or rejects == "-":
            self._say(text)
            return
        self._say(f"{text} -- saving rejects to file {_quote(rejects)}")
        style = self._given.last("reject-format", "unified" if found.style == "unified" else "context")
        with creating(rejects), open(self._invocation.path(rejects), "wb") as file:
            file.write(rejected(found, outcome.failed, style, self._strip))

    def _write(self, found: FilePatch, name: str, target: str, content: bytes, outcome: _Outcome) -> None:
        data = b"".join(outcome.lines.finish())
        if target == "-":
            self._invocation.stdout.write(data)
            return
        path, source = self._invocation.path(target), self._invocation.path(name)
        changed = data != content or target != name or bool(found.git)
        if not changed and "b" not in self._given and not outcome.mismatch:
            return
        mode = os.stat(source).st_mode & PERMISSIONS if os.path.exists(source) else None
        self._back_up(target, outcome)
        removes = "o" not in self._given and not outcome.failed
        if removes and found.new.is_missing and data:
            self._say(f"Not deleting file {_quote(target)} as content differs from patch")
            self.status = 1
        elif removes and not data and (found.new.is_missing or "E" in self._given):
            self._remove(name)
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with self._invocation.create(path) as file:
            file.write(data)
        git_mode = found.git.get("new mode") or found.git.get("new file mode")
        if git_mode or mode is not None:
            os.chmod(path, int(git_mode, 8) & PERMISSIONS if git_mode else mode or 0)
        if "rename to" in found.git and target != name and "o" not in self._given:
            self._remove(name)

    def _number(self, target: str) -> str | None:
        """Return the name of the next numbered copy, if -V asks for one, or there is one already."""
        folder, name = os.path.split(self._invocation.path(target))
        pattern = re.compile(rf"{re.escape(name)}\.~(\d+)~")
        found = [int(match[1]) for one in os.listdir(folder) if (match := pattern.fullmatch(one))]
        control = self._given.last("V", "existing")
        if control in ("numbered", "t") or (control in ("existing", "nil") and found):
            return f"{target}.~{max(found, default=0) + 1}~"
        return None

    def _back_up(self, target: str, outcome: _Outcome) -> None:
        mismatch = outcome.mismatch and "no-backup-if-mismatch" not in self._given and "o" not in self._given
        if "b" not in self._given and not mismatch:
            return
        default = "" if self._given.last("B") or self._given.last("Y") else ".orig"
        head, tail = os.path.split(target)
        prefix = self._given.last("B", "")
        base = self._given.last("Y", "") + tail
        backup = prefix + os.path.join(head, base + self._given.last("z", default))
        backup = self._number(os.path.join(head, tail)) or backup
        path = self._invocation.path(target)
        data = b""
        if os.path.exists(path):
            with open(path, "rb") as file:
                data = file.read()
        try:
            with open(self._invocation.path(backup), "wb") as file:
                file.write(data)
        except OSError as error:
            raise PatchError(
                f"Can't rename file {_quote(target)} to {_quote(backup)} : {error.strerror}"
            ) from error

    def _remove(self, name: str) -> None:
        """Remove a file, and the folders that are empty then."""
        if "verbose" in self._given:
            self._say(f"Removing file {_quote(name)}")
        path = self._invocation.path(name)
        if os.path.lexists(path):
            os.unlink(path)
        folder = os.path.dirname(name)
        while folder and not os.listdir(self._invocation.path(folder)):
            os.rmdir(self._invocation.path(folder))
            folder = os.path.dirname(folder)


def _hunks(count: int, total: int) -> str:
    return f"{count} out of {total} hunk{'' if total == 1 else 's'}"


def _quote(name: str) -> str:
    return "'" + name.replace("'", "'\\''") + "'" if QUOTED.search(name) else name
