"""Makes a path what it was."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from gemini.errors import FileProblem, VersionGone
from gemini.files.edit import replace_file
from gemini.files.paths import problems
from gemini.history.states import State, state_now


class PuttingBack:
    """Puts back several paths, the last change first.

    Args:
    roots: Nothing outside of these is touched.
    note: Called with each path before it changes.
    """

    def __init__(self, roots: Sequence[Path], note: Callable[[str], None]) -> None:
        self._roots = [str(root) for root in roots]
        self._note = note
        self._moved: list[tuple[str, str]] = []

    def put(self, path: str, was: State) -> None:
        """Make a path what it was, with the directories above it.

        Raises:
            FileProblem: it can't be; it is as it was, or what it was in part.
            VersionGone: its contents are no longer kept.
        """
        self._require_own(path)
        now = state_now(path)
        with problems(path):
            if was.kind == "nothing":
                self._remove(path, now)
            elif was.now_at is not None and os.path.lexists(now_at := self._follow(was.now_at)):
                self._move_back(now_at, path, was)
            elif was.bare and now.kind == was.kind:
                self._set_mode(path, was.mode)
            elif was.bare and was.kind != "directory":
                raise FileProblem(f"{path!r} isn't there any more", data={"path": path})
            elif was.kind == "directory":
                self._make_directory(path, now, was)
            elif was.kind == "link":
                self._make_link(path, now, was)
            else:
                self._write(path, now, was)

    def _follow(self, path: str) -> str:
        """Where a file is after what was moved back before."""
        for source, target in self._moved:
            if path == source or path.startswith(f"{source}/"):
                path = target + path[len(source) :]
        return path

    def _require_own(self, path: str) -> None:
        real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        if real != path or not any(path.startswith(f"{root}/") for root in self._roots):
            raise FileProblem(
                f"{path!r} leads elsewhere by now",
                hint="A directory above it has become a link. Take that back first.",
                data={"path": path},
            )

    def _remove(self, path: str, now: State) -> None:
        if now.kind == "nothing":
            return
        self._note(path)
        if now.kind != "directory":
            os.unlink(path)
        elif os.listdir(path):
            raise FileProblem(f"{path!r} isn't empty: it has what others made", data={"path": path})
        else:
            os.rmdir(path)

    def _clear(self, path: str, now: State) -> None:
        """Make room for what was there."""
        if now.kind == "directory" and os.listdir(path):
            raise FileProblem(f"{path!r} is a directory now", hint="Move it away.", data={"path": path})
        self._remove(path, now)

    def _make_way(self, path: str) -> None:
        missing = [str(above) for above in Path(path).parents if not above.exists()]
        for above in reversed(missing):
            self._note(above)
            os.mkdir(above)

    def _move_back(self, now_at: str, path: str, was: State) -> None:
        self._require_own(now_at)
        data = was.read() if was.patched else b""
        self._clear(path, state_now(path))
        self._make_way(path)
        self._note(now_at)
        self._note(path)
        os.rename(now_at, path)
        self._moved.append((now_at, path))
        if was.patched:
            replace_file(path, data)
        if was.kind != "link":
            self._set_mode(path, was.mode)

    def _make_directory(self, path: str, now: State, was: State) -> None:
        if now.kind != "directory":
            self._clear(path, now)
            self._make_way(path)
            self._note(path)
            os.mkdir(path)
        self._set_mode(path, was.mode)

    def _make_link(self, path: str, now: State, was: State) -> None:
        self._clear(path, now)
        self._make_way(path)
        self._note(path)
        os.symlink(was.target, path)

    def _write(self, path: str, now: State, was: State) -> None:
        data = was.read()
        if len(data) != was.size:
            raise VersionGone(f"what is kept of {path!r} isn't what it was")
        if now.kind != "file":
            self._clear(path, now)
            self._make_way(path)
        self._note(path)
        replace_file(path, data)
        self._set_mode(path, was.mode)

    def _set_mode(self, path: str, mode: int) -> None:
        if state_now(path).mode != mode:
            self._note(path)
            os.chmod(path, mode)
