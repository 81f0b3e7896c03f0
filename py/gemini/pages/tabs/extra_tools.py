"""Browser tools that are off until the user switches their group on: others do the same in more calls."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from gemini.pages.tabs import filling, uploads
from gemini.pages.tabs.browser import Browser
from gemini.pages.tabs.filling import FieldValue, FilledFields
from gemini.pages.tabs.results import Answered, Filled, FoundElements, Requests, TableRows
from gemini.tools import Effect, current_call, declare

GROUP = "dom_extra"
Count = Annotated[int, Field(ge=1, le=500)]


class ExtraBrowserTools:
    """More browser tools.

    Args:
        browser: The tabs to act on.
        file: Returns the file at a caller's path, or raises a `FileProblem`.
    """

    def __init__(self, browser: Browser, file: Callable[[str], Path]) -> None:
        self._browser = browser
        self._file = file

    @declare(effect=Effect.WRITE, untrusted=True, group=GROUP, withholds="fields")
    async def browser_fill(self, fields: list[FieldValue], submit: bool = False) -> FilledFields:
        """Fill several fields of a form; report each one's new value or error.

        Args:
            fields: Each with the ref or label of a field, and its value: a text, an option, or whether it is checked.
            submit: Press Enter in the last one, if all were filled.
        """
        answer = await filling.fill(self._browser.tab_to_use(), fields, submit=submit)
        call = current_call()
        if call is not None and not any("consented" in row for row in answer["fields"]):
            call.reveal()
        return answer

    @declare(effect=Effect.READ, untrusted=True, group=GROUP)
    async def browser_find(
        self,
        text: str | None = None,
        role: str | None = None,
        pattern: str | None = None,
        limit: Count = 20,
        tab: str | None = None,
    ) -> FoundElements:
        """Find elements of the whole page, also plain text, with refs and the heading above each.

        Args:
            role: An ARIA role, such as heading or link.
            pattern: A regular expression of JavaScript, instead of text.
        """
        return await self._browser.tab(tab).ask("find", text=text, role=role, pattern=pattern, limit=limit)

    @declare(effect=Effect.READ, untrusted=True, group=GROUP)
    async def browser_table(
        self, ref: str | None = None, start: int = 0, count: Count = 50, tab: str | None = None
    ) -> TableRows:
        """Read a table or grid as rows.

        Args:
            ref: Of it or of something in it; the page's first table by default.
            start: The first row, from 0; next of the result before.
        """
        shown = self._browser.tab(tab)
        target: dict[str, Any] = {"selector": "body"} if ref is None else {"ref": ref}
        return await shown.ask("table", **target, start=start, count=count)

    @declare(effect=Effect.READ, untrusted=True, group=GROUP)
    async def browser_network(
        self,
        url: str | None = None,
        since: int | None = None,
        body: int | None = None,
        tab: str | None = None,
    ) -> Requests:
        """List a page's requests with status, size and time.

        Args:
            url: Only those whose URL contains this.
            since: The next of the result before.
            body: The id of a request, to get its answer's text.
        """
        return await self._browser.tab(tab).ask("network", url=url, since=since, body=body)

    @declare(effect=Effect.WRITE, untrusted=True, group=GROUP)
    async def browser_dialog(self, accept: bool, text: str | None = None) -> Answered:
        """Choose how the next alerts, questions and prompts of the page are answered; they are dismissed otherwise.

        Args:
            text: For prompts; by default what they propose.
        """
        return await self._browser.tab_to_use().ask("dialogs", accept=accept, text=text)

    @declare(effect=Effect.WRITE, untrusted=True, group=GROUP)
    async def browser_upload(self, paths: list[str], ref: str) -> Filled:
        """Put files of the surface into a file input, its button, or a drop zone.

        Args:
            ref: Of one of these.
        """
        files = uploads.read([self._file(path) for path in paths])
        return await self._browser.tab_to_use().type(files=files, ref=ref)
