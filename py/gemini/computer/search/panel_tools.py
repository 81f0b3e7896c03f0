"""The queries of the omnibar. They run on every keystroke, so the activity log doesn't record them."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from typing_extensions import TypedDict

from gemini.computer.search.found import Found
from gemini.computer.search.similarity import Meaning
from gemini.errors import InvalidArguments
from gemini.tools.declaration import declare
from gemini.tools.writers import PERSON

if TYPE_CHECKING:
    from gemini.computer.search.reading import Reading
    from gemini.computer.search.search import Search

LIMIT = 30
# Calls are many, and repeat the content of files.
KINDS_BY_MEANING = ("file", "command", "python")


class Done(TypedDict):
    """The result of a setting."""

    success: bool


class Results(TypedDict):
    """The results, best first. If `unfinished`, files are still being indexed; `files` counts those in the index."""

    results: list[Found]
    unfinished: bool
    files: int


class MeaningResults(TypedDict):
    """The results, best first. `read` of the `passages` have been compared; a later search reads the others.

    If `cut`, there is more text than is compared.
    """

    results: list[Found]
    read: int
    passages: int
    cut: bool


class SearchTools:
    """Search, and the completion of paths.

    Args:
        search: Returns the index. It loads SQLite on first use.
        absolute: Returns the absolute form of a path.
        meaning: Returns what compares passages by meaning.
        reading: Returns what reads passages in the background.
    """

    def __init__(
        self,
        search: "Callable[[], Search]",
        absolute: Callable[[str], str],
        meaning: Callable[[], Meaning],
        reading: "Callable[[], Reading]",
    ) -> None:
        self._search = search
        self._absolute = absolute
        self._meaning = meaning
        self._reading = reading

    @declare(effect="read", untrusted=True, person_only=True, unlogged=True, action="search")
    async def search(
        self, text: str, kinds: list[str] | None = None, limit: Annotated[int, Field(ge=1, le=100)] = LIMIT
    ) -> Results:
        """Find files by name and content, commands, Python inputs and tool calls.

        Args:
            text: Words that must all occur, at least as prefixes. Words in quotes must be adjacent.
            kinds: The kinds to search; all by default.
            limit: The maximum number of results.
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

    @declare(effect="read", untrusted=True, person_only=True, unlogged=True, action="search_by_meaning")
    async def search_by_meaning(
        self,
        text: str,
        ticket: Annotated[str, Field(max_length=300)] | None = None,
        limit: Annotated[int, Field(ge=1, le=100)] = LIMIT,
    ) -> MeaningResults:
        """Find files, commands and Python inputs by words and by meaning.

        Args:
            text: The words, or a question.
            ticket: The ticket that the companion issued when the user started the search.
            limit: The maximum number of results.
        """
        meaning = self._meaning()
        meaning.grant(PERSON, ticket)
        found = await self._search().find_by_meaning(meaning, text, KINDS_BY_MEANING, limit)
        return MeaningResults(results=found.results, read=found.read, passages=found.passages, cut=found.cut)

    @declare(person_only=True, action="pause_reading")
    def pause_reading(self, paused: bool) -> Done:
        """Pause the reading of files for search by meaning on this computer, or continue it.

        Args:
            paused: False to continue.
        """
        self._reading().pause(paused=paused)
        return {"success": True}

    @declare(effect="read", person_only=True, unlogged=True, action="complete_path")
    def path_complete(self, path: str, limit: Annotated[int, Field(ge=1, le=100)] = LIMIT) -> list[str]:
        """Return the paths that start with a prefix; directories end in a slash.

        Args:
            path: The prefix; a relative one starts at the working directory.
            limit: The maximum number of paths.
        """
        folder, _, prefix = path.rpartition("/")
        shown = f"{folder}/" if "/" in path else ""
        try:
            with os.scandir(Path(self._absolute(shown or "."))) as entries:
                matches = [each for each in entries if each.name.casefold().startswith(prefix.casefold())]
        except OSError:
            # The directory is missing or unreadable.
            return []
        matches.sort(key=lambda each: (each.name.startswith("."), not each.is_dir(), each.name.casefold()))
        return [f"{shown}{each.name}{'/' if each.is_dir() else ''}" for each in matches[:limit]]
