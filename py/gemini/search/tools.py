"""What the omnibar asks, with every key that a person types; so nothing of it is in the activity log."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from typing_extensions import TypedDict

from gemini.errors import InvalidArguments
from gemini.search.found import Found
from gemini.tools.declaration import declare

if TYPE_CHECKING:
    from gemini.search.search import Search

LIMIT = 30


class Results(TypedDict):
    """The best first. `unfinished`: files are still being looked at, so that there may be more; `files` by now."""

    results: list[Found]
    unfinished: bool
    files: int


class SearchTools:
    """Search, and the paths that begin with what was typed.

    Args:
        search: Makes the index, or gives it: it loads SQLite, so not before somebody asks.
        absolute: A path as its absolute one.
    """

    def __init__(self, search: "Callable[[], Search]", absolute: Callable[[str], str]) -> None:
        self._search = search
        self._absolute = absolute

    @declare(effect="read", untrusted=True, person_only=True, unlogged=True, action="search")
    async def search(
        self, text: str, kinds: list[str] | None = None, limit: Annotated[int, Field(ge=1, le=100)] = LIMIT
    ) -> Results:
        """Find files by name and content, and what was run and called.

        Args:
            text: Words that all have to be there, at least as beginnings; quoted ones side by side.
            kinds: Of what; everything unless told otherwise.
            limit: Of results.
        """
        search = self._search()
        unknown = [kind for kind in kinds or () if kind not in search.kinds]
        if unknown:
            raise InvalidArguments(
                f"there is no kind {unknown[0]!r} to search",
                hint=f"The kinds are: {', '.join(search.kinds)}.",
            )
        found, unfinished = await search.find(text, kinds or search.kinds, limit)
        return Results(results=found, unfinished=unfinished, files=search.files)

    @declare(effect="read", person_only=True, unlogged=True, action="complete_path")
    def path_complete(self, path: str, limit: Annotated[int, Field(ge=1, le=100)] = LIMIT) -> list[str]:
        """The paths that begin with one; those of directories end in a slash.

        Args:
            path: The beginning of a path; relative ones begin in the working directory.
            limit: Of paths.
        """
        folder, _, beginning = path.rpartition("/")
        shown = f"{folder}/" if "/" in path else ""
        try:
            with os.scandir(Path(self._absolute(shown or "."))) as entries:
                fitting = [each for each in entries if each.name.casefold().startswith(beginning.casefold())]
        except OSError:
            # Nothing begins with it.
            return []
        fitting.sort(key=lambda each: (each.name.startswith("."), not each.is_dir(), each.name.casefold()))
        return [f"{shown}{each.name}{'/' if each.is_dir() else ''}" for each in fitting[:limit]]
