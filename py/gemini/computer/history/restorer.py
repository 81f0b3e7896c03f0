"""Restore paths to an earlier state."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from gemini.computer.files.edit import replace_file
from gemini.computer.files.paths import problems
from gemini.computer.history.states import State, current_state
from gemini.errors import FileProblem, VersionGone


class Restorer:
    """Restores several paths. The caller starts with the last change.

    Args:
        roots: The directories outside which nothing is changed.
        before_change: Called with each path before it changes.
    """

    def __init__(self, roots: Sequence[Path], before_change: Callable[[str], None]) -> None:
        self._roots = [str(root) for root in roots]
        self._before_change = before_change
        self._moved: list[tuple[str, str]] = []

    def restore(self, path: str, before: State) -> None:
        """Restore a path, and the directories above it.

        Raises:
            FileProblem: The path can't be restored; it may be restored in part.
            VersionGone: Its content is no longer saved.
        """
        self._require_inside(path)
        now = current_state(path)
        with problems(path):
            if before.kind == "nothing":
                self._remove(path, now)
            elif before.now_at is not None and os.path.lexists(now_at := self._follow(before.now_at)):
                self._move_back(now_at, path, before)
            elif before.mode_only and now.kind == before.kind:
                self._set_mode(path, before.mode)
            elif before.mode_only and before.kind != "directory":
                raise FileProblem(f"{path!r} no longer exists", data={"path": path})
            elif before.kind == "directory":
                self._create_directory(path, now, before)
            elif before.kind == "link":
                self._create_link(path, now, before)
            else:
                self._write(path, now, before)

    def _follow(self, path: str) -> str:
        """Return the path of a file after the moves that were already undone."""
        for source, target in self._moved:
            if path == source or path.startswith(f"{source}/"):
                path = target + path[len(source) :]
        return path

    def _require_inside(self, path: str) -> None:
        real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        if real != path or not any(path.startswith(f"{root}/") for root in self._roots):
            raise FileProblem(
                f"{path!r} now leads elsewhere",
                hint="A directory above it has become a link. Revert that first.",
                data={"path": path},
            )

    def _remove(self, path: str, now: State) -> None:
        if now.kind == "nothing":
            return
        self._before_change(path)
        if now.kind != "directory":
            os.unlink(path)
        elif os.listdir(path):
            raise FileProblem(f"{path!r} isn't empty: others have created files in it", data={"path": path})
        else:
            os.rmdir(path)

    def _clear(self, path: str, now: State) -> None:
        """Remove whatever is at a path now."""
        if now.kind == "directory" and os.listdir(path):
            raise FileProblem(
                f"{path!r} is a directory now", hint="Move it, then restore again.", data={"path": path}
            )
        self._remove(path, now)

    def _create_parents(self, path: str) -> None:
        missing = [str(above) for above in Path(path).parents if not above.exists()]
        for above in reversed(missing):
            self._before_change(above)
            os.mkdir(above)

    def _move_back(self, now_at: str, path: str, before: State) -> None:
        self._require_inside(now_at)
        data = before.read() if before.patched else b""
        self._clear(path, current_state(path))
        self._create_parents(path)
        self._before_change(now_at)
        self._before_change(path)
        os.rename(now_at, path)
        self._moved.append((now_at, path))
        if before.patched:
            replace_file(path, data)
        if before.kind != "link":
            self._set_mode(path, before.mode)

    def _create_directory(self, path: str, now: State, before: State) -> None:
        if now.kind != "directory":
            self._clear(path, now)
            self._create_parents(path)
            self._before_change(path)
            os.mkdir(path)
        self._set_mode(path, before.mode)

    def _create_link(self, path: str, now: State, before: State) -> None:
        self._clear(path, now)
        self._create_parents(path)
        self._before_change(path)
        os.symlink(before.target, path)

    def _write(self, path: str, now: State, before: State) -> None:
        data = before.read()
        if len(data) != before.size:
            raise VersionGone(f"the saved version of {path!r} is damaged")
        if now.kind != "file":
            self._clear(path, now)
            self._create_parents(path)
        self._before_change(path)
        replace_file(path, data)
        self._set_mode(path, before.mode)

    def _set_mode(self, path: str, mode: int) -> None:
        if current_state(path).mode != mode:
            self._before_change(path)
            os.chmod(path, mode)
