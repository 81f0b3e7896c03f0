"""The actions of the Source Control panel. They run as tools, but only the user can call them."""

import os
from collections.abc import Callable, Sequence
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from gemini.computer.source_control.git import Git, literally, path_in, run_git, stage
from gemini.computer.source_control.repositories import containing
from gemini.computer.source_control.source_control import SourceControl
from gemini.computer.source_control.status import Change
from gemini.errors import IdentityMissing, NothingStaged
from gemini.tools import Effect, declare

# A larger text would stop the page while it is compared.
MAX_TEXT_BYTES = 1_000_000

Message = Annotated[str, Field(pattern=r"\S")]


class FileTexts(TypedDict):
    """A file's text before and after a change; empty where there is no file. None means binary, or too large."""

    before: str | None
    now: str | None


class CommittedText(TypedDict):
    """A file's text in HEAD; None if HEAD or the repository has no such text."""

    text: str | None


class Changed(TypedDict):
    """The paths that the action changed."""

    paths: list[str]


class Committed(TypedDict):
    """The short id of a new commit."""

    commit: str


class Initialized(TypedDict):
    """The root of a new repository."""

    root: str


class SourceControlTools:
    """The actions of the panel. Each names the repository, since another one may be shown by the time it runs.

    Args:
        control: The repository that is shown.
        git: Calls git.
        trash: Moves absolute paths into the trash.
        on_change: Called after files have changed.
    """

    def __init__(
        self,
        control: SourceControl,
        git: Git,
        trash: Callable[[Sequence[str]], object],
        on_change: Callable[[], None],
    ) -> None:
        self._control = control
        self._git = git
        self._trash = trash
        self._on_change = on_change

    @declare(effect=Effect.READ, person_only=True, unlogged=True, action="refresh_changes")
    async def panel_refresh_changes(self) -> None:
        """Read the state of the repository again."""
        await self._control.refresh()

    @declare(effect=Effect.READ, person_only=True, action="select_repository")
    async def panel_select_repository(self, root: str) -> None:
        """Show another repository."""
        self._control.select(root)
        await self._control.refresh()

    @declare(person_only=True, action="init_repository")
    async def panel_init_repository(self, folder: str) -> Initialized:
        """Create a repository in a directory, with a branch `main` unless the configuration names another."""
        named = (await self._git.run(folder, ["config", "init.defaultBranch"])).stdout.strip()
        await run_git(self._git, folder, "init", *([] if named else ["-b", "main"]))
        self._control.select(folder)
        await self._control.refresh()
        return {"root": folder}

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="compare_change")
    async def panel_compare_change(self, root: str, path: str, staged: bool) -> FileTexts:
        """Return the two versions of a change: those of HEAD and the index, or of the index and the file."""
        self._control.require(root)
        index = await self._index_text(root, path)
        if not staged:
            return {"before": index, "now": _file_text(path_in(root, path))}
        done = await self._git.run(root, ["cat-file", "blob", f"HEAD:{path}"])
        return {"before": "" if done.exit_code else _text(done.stdout), "now": index}

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="committed_text")
    async def panel_committed_text(self, path: str) -> CommittedText:
        """Return a file's text in the last commit of the repository that the file is in.

        Args:
            path: An absolute path.
        """
        root = containing(os.path.dirname(path))
        if root is None:
            return {"text": None}
        name = os.path.relpath(path, root)
        done = await self._git.run(root, ["cat-file", "blob", f"HEAD:{name}"])
        return {"text": None if done.exit_code else _text(done.stdout)}

    @declare(person_only=True, action="stage_changes")
    async def panel_stage_changes(self, root: str, paths: list[str] | None = None) -> Changed:
        """Stage changes: all, or those of some files."""
        self._control.require(root)
        status = await self._control.status(root)
        named = _named(status["changes"], paths)
        if named:
            await stage(self._git, root, named)
        return await self._done(named)

    @declare(person_only=True, action="unstage_changes")
    async def panel_unstage_changes(self, root: str, paths: list[str] | None = None) -> Changed:
        """Unstage changes: all, or those of some files."""
        self._control.require(root)
        status = await self._control.status(root)
        named = _named(status["staged"], paths)
        if named:
            await run_git(self._git, root, "reset", "-q", "--", *literally(named))
        return await self._done(named)

    @declare(person_only=True, action="discard_changes")
    async def panel_discard_changes(self, root: str, paths: list[str] | None = None) -> Changed:
        """Discard changes that aren't staged: all, or those of some files. Untracked files move to the trash."""
        self._control.require(root)
        status = await self._control.status(root)
        untracked = _named([one for one in status["changes"] if one["letter"] == "U"], paths)
        tracked = _named([one for one in status["changes"] if one["letter"] not in "U!"], paths)
        if untracked:
            self._trash([path_in(root, path) for path in untracked])
        if tracked:
            await run_git(self._git, root, "restore", "--", *literally(tracked))
        self._on_change()
        return await self._done([*tracked, *untracked])

    @declare(person_only=True, action="commit_changes")
    async def panel_commit_changes(self, root: str, message: Message, stage_all: bool = False) -> Committed:
        """Commit the staged changes, or all changes.

        Raises:
            NothingStaged: There are no staged changes. Nothing was committed.
            IdentityMissing: The configuration lacks the author's name or email address.
        """
        self._control.require(root)
        await self._require_identity(root)
        status = await self._control.status(root)
        if stage_all and status["changes"]:
            await stage(self._git, root, _named(status["changes"], None))
        elif not status["staged"] and not os.path.exists(os.path.join(root, ".git", "MERGE_HEAD")):
            raise NothingStaged(
                "there are no staged changes", hint="Stage the changes to commit.", data={"root": root}
            )
        await run_git(self._git, root, "commit", "-m", message)
        commit = await run_git(self._git, root, "rev-parse", "--short", "HEAD")
        await self._control.refresh()
        return {"commit": commit.decode().strip()}

    async def _require_identity(self, root: str) -> None:
        missing = [
            name
            for name in ("user.name", "user.email")
            if not (await self._git.run(root, ["config", name])).stdout.strip()
        ]
        if missing:
            raise IdentityMissing(
                f"git doesn't know who commits: {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not set",
                hint="Enter them below, or run git config --global user.name and user.email in a terminal.",
                data={"missing": missing},
            )

    @declare(person_only=True, action="set_identity")
    async def panel_set_identity(self, root: str, name: Message, email: Message) -> None:
        """Set the author's name and email address for all repositories."""
        self._control.require(root)
        await run_git(self._git, root, "config", "--global", "user.name", name.strip())
        await run_git(self._git, root, "config", "--global", "user.email", email.strip())

    async def _done(self, paths: list[str]) -> Changed:
        await self._control.refresh()
        return {"paths": paths}

    async def _index_text(self, root: str, path: str) -> str | None:
        listed = await run_git(self._git, root, "ls-files", "-s", "--", *literally([path]))
        fields = listed.split()
        # A submodule's entry is a commit, which has no text here.
        if len(fields) < 2 or fields[0] == b"160000":
            return ""
        return _text(await run_git(self._git, root, "cat-file", "blob", fields[1].decode()))


def _named(changes: Sequence[Change], paths: Sequence[str] | None) -> list[str]:
    """Return the paths of changes that are named; None names all. Others are ignored: they no longer differ."""
    wanted = None if paths is None else set(paths)
    return [one["path"] for one in changes if wanted is None or one["path"] in wanted]


def _file_text(path: str) -> str | None:
    if os.path.islink(path):
        return os.readlink(path)
    if not os.path.isfile(path):
        return None if os.path.isdir(path) else ""
    if os.path.getsize(path) > MAX_TEXT_BYTES:
        return None
    with open(path, "rb") as file:
        return _text(file.read())


def _text(data: bytes) -> str | None:
    if len(data) > MAX_TEXT_BYTES or b"\0" in data:
        return None
    return data.decode("utf-8", "replace")
