"""A model of the filesystem after random operations, on CPython and without a real filesystem."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass, replace
from typing import Any

ROOT = "/project"
NUMBER = f"{ROOT}/transaction"
NAMES = ("a", "b", "c.txt", "größe", "a b", "__proto__", "constructor", "x" * 80, "🦊", "0", "17")

Operation = list[Any]


@dataclass(frozen=True)
class Entry:
    """A file, directory or link. `mtime` is in milliseconds, or None if the model can't know it."""

    type: str
    mode: int | None = None
    mtime: int | None = None
    contents: bytes = b""
    target: str = ""
    digest: str = ""

    def with_contents(self, contents: bytes) -> Entry:
        return replace(self, contents=contents, digest=hashlib.sha256(contents).hexdigest(), mtime=None)

    def matches(self, seen: list[Any]) -> bool:
        """Return whether the browser's (type, mode, mtime, digest or target) matches this entry."""
        type_, mode, mtime, digest = seen
        return (
            type_ == self.type
            and digest == (self.target if self.type == "link" else self.digest)
            and self.mode in (None, mode)
            and self.mtime in (None, mtime)
        )


State = dict[str, Entry]


def differences(state: State, seen: dict[str, list[Any]]) -> list[str]:
    """Return the paths that are missing, unexpected or different."""
    return sorted(
        path
        for path in state.keys() | seen.keys()
        if path not in state or path not in seen or not state[path].matches(seen[path])
    )


class Generator:
    """Seeded transactions, each a list of operations that are valid in order."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._transactions = 0
        self.state: State = {}

    def transaction(self) -> list[Operation]:
        """Return the next transaction and update `state`. It writes its number into the file NUMBER."""
        self._transactions += 1
        operations: list[Operation] = []
        for _ in range(self._random.randint(1, 8)):
            operations += self._operation()
        # The number is written as a pattern that only this transaction's seed generates.
        operations.append(["write", NUMBER, self._transactions, 8])
        self._touch(NUMBER)
        self.state[NUMBER] = Entry("file").with_contents(pattern(self._transactions, 8))
        return operations

    def _operation(self) -> list[Operation]:
        name = self._random.choice(CHOICES)
        operation: Operation | None = getattr(self, f"_{name}")()
        return [] if operation is None else [operation]

    def _pick(self, *types: str) -> str | None:
        paths = [path for path, entry in self.state.items() if entry.type in types and path != NUMBER]
        return self._random.choice(paths) if paths else None

    def _directory(self) -> str:
        return self._pick("directory") or ROOT if self._random.random() < 0.7 else ROOT

    def _free(self) -> str | None:
        path = f"{self._directory()}/{self._random.choice(NAMES)}"
        return None if path in self.state or path.count("/") > 8 else path

    def _below(self, path: str) -> list[str]:
        return [each for each in self.state if each.startswith(f"{path}/")]

    def _touch(self, path: str) -> None:
        """Mark the parent directory's time as changed."""
        parent = path.rpartition("/")[0]
        if parent in self.state:
            self.state[parent] = replace(self.state[parent], mtime=None)

    def _length(self) -> int:
        return self._random.choice((0, 1, 100, 5_000, 16_384, 40_000, 200_000))

    def _seed(self) -> int:
        return self._random.randrange(1 << 30)

    def _write(self) -> Operation | None:
        path = self._pick("file") if self._random.random() < 0.4 else self._free()
        if path is None:
            return None
        seed, length = self._seed(), self._length()
        if path not in self.state:
            self._touch(path)
        self.state[path] = self.state.get(path, Entry("file")).with_contents(pattern(seed, length))
        return ["write", path, seed, length]

    def _append(self) -> Operation | None:
        path = self._pick("file")
        if path is None:
            return None
        seed, length = self._seed(), self._random.choice((1, 300, 20_000))
        self.state[path] = self.state[path].with_contents(self.state[path].contents + pattern(seed, length))
        return ["append", path, seed, length]

    def _patch(self) -> Operation | None:
        """Patch a file anywhere, also beyond its end, which leaves a hole."""
        path = self._pick("file")
        if path is None:
            return None
        old = self.state[path].contents
        seed, length = self._seed(), self._random.choice((1, 500, 30_000))
        offset = self._random.randrange(len(old) + 50_000)
        held = old.ljust(offset, b"\0")
        self.state[path] = self.state[path].with_contents(
            held[:offset] + pattern(seed, length) + held[offset + length :]
        )
        return ["patch", path, offset, seed, length]

    def _map_patch(self) -> Operation | None:
        path = self._pick("file")
        if path is None or len(self.state[path].contents) < 2:
            return None
        old = self.state[path].contents
        offset = self._random.randrange(len(old))
        seed, length = self._seed(), self._random.randint(1, len(old) - offset)
        self.state[path] = self.state[path].with_contents(
            old[:offset] + pattern(seed, length) + old[offset + length :]
        )
        return ["map_patch", path, offset, seed, length]

    def _truncate(self) -> Operation | None:
        path = self._pick("file")
        if path is None:
            return None
        old = self.state[path].contents
        size = self._random.randrange(2 * len(old) + 10)
        self.state[path] = self.state[path].with_contents(old[:size].ljust(size, b"\0"))
        return ["truncate", path, size]

    def _mkdir(self) -> Operation | None:
        path = self._free()
        if path is None:
            return None
        self._touch(path)
        self.state[path] = Entry("directory")
        return ["mkdir", path]

    def _symlink(self) -> Operation | None:
        path = self._free()
        if path is None:
            return None
        target = self._random.choice(("a", "../b", "/nowhere", "größe/🦊"))
        self._touch(path)
        self.state[path] = Entry("link", target=target)
        return ["symlink", target, path]

    def _unlink(self) -> Operation | None:
        path = self._pick("file", "link")
        if path is None:
            return None
        del self.state[path]
        self._touch(path)
        return ["unlink", path]

    def _rmdir(self) -> Operation | None:
        path = self._pick("directory")
        if path is None or self._below(path):
            return None
        del self.state[path]
        self._touch(path)
        return ["rmdir", path]

    def _rmtree(self) -> Operation | None:
        path = self._pick("directory")
        if path is None or self._random.random() < 0.5:
            return None
        for each in [path, *self._below(path)]:
            del self.state[each]
        self._touch(path)
        return ["rmtree", path]

    def _rename(self) -> Operation | None:
        """Rename to a free name, or over a file, a link or an empty directory."""
        old = self._pick("file", "link", "directory")
        if old is None:
            return None
        is_directory = self.state[old].type == "directory"
        if self._random.random() < 0.6:
            new = self._free()
        else:
            new = self._pick(*(["directory"] if is_directory else ["file", "link"]))
        if new is None or new == old or new.startswith(f"{old}/") or (is_directory and self._below(new)):
            return None
        moved = {new + each[len(old) :]: self.state.pop(each) for each in [old, *self._below(old)]}
        self.state.update(moved)
        self._touch(old)
        self._touch(new)
        return ["rename", old, new]

    def _chmod(self) -> Operation | None:
        path = self._pick("file", "directory")
        if path is None:
            return None
        mode = self._random.choice((0o700, 0o755, 0o744, 0o1777))
        self.state[path] = replace(self.state[path], mode=mode)
        return ["chmod", path, mode]

    def _utime(self) -> Operation | None:
        path = self._pick("file", "directory")
        if path is None:
            return None
        ms = self._random.randrange(2_000_000_000_000)
        self.state[path] = replace(self.state[path], mtime=ms)
        return ["utime", path, ms * 1_000_000]

    def _outside(self) -> Operation | None:
        path = self._pick("directory")
        if path is None:
            return None
        name, seed = self._random.choice(NAMES), self._seed()
        inside = f"{path}/{name}"
        if inside in self.state and self.state[inside].type != "file":
            return None
        self._touch(inside)
        self._touch(path)
        self.state[inside] = self.state.get(inside, Entry("file")).with_contents(pattern(seed, 700))
        return ["outside", path, name, seed, 700]

    def _move_out(self) -> Operation | None:
        path = self._pick("directory", "file")
        if path is None or self._random.random() < 0.5:
            return None
        for each in [path, *self._below(path)]:
            del self.state[each]
        self._touch(path)
        return ["move_out", path, self._seed()]

    def _import_tree(self) -> Operation | None:
        path = self._free()
        if path is None or self._random.random() < 0.7:
            return None
        seed, count = self._seed(), self._random.choice((1, 5, 60))
        self._touch(path)
        self.state[path] = Entry("directory")
        self.state[f"{path}/sub"] = Entry("directory")
        for i in range(count):
            self.state[f"{path}/sub/{i}"] = Entry("file").with_contents(pattern(seed + i, 50))
        return ["import_tree", path, seed, count]


CHOICES = (
    *("write",) * 6,
    *("append", "patch", "truncate", "rename", "mkdir") * 3,
    *(
        "map_patch",
        "unlink",
        "symlink",
        "chmod",
        "utime",
        "rmdir",
        "rmtree",
        "outside",
        "move_out",
        "import_tree",
    ),
)


def pattern(seed: int, length: int) -> bytes:
    """Return the same bytes as operations.py in the browser."""
    return random.Random(seed).randbytes(length)


@dataclass(frozen=True)
class History:
    """Transactions and their states: `states[n]` is the state after n transactions."""

    transactions: list[list[Operation]]
    states: list[State]

    @classmethod
    def seeded(cls, seed: int, length: int) -> History:
        generator = Generator(seed)
        transactions: list[list[Operation]] = []
        states: list[State] = [{}]
        for _ in range(length):
            transactions.append(generator.transaction())
            states.append(dict(generator.state))
        return cls(transactions, states)

    def reached(self, seen: dict[str, list[Any]]) -> int:
        """Return the number of transactions in the files, by the number that each one writes."""
        if NUMBER not in seen:
            return 0
        numbers = [
            n
            for n, state in enumerate(self.states)
            if NUMBER in state and state[NUMBER].matches(seen[NUMBER])
        ]
        assert len(numbers) == 1, f"{NUMBER} has contents that no transaction wrote"
        return numbers[0]
