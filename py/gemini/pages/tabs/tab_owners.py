"""The agents that have tabs: which tabs they may read, use and navigate.

The user and their scripts use the tab in front. An agent navigates only in its own tabs. It reads the tab in front
while it has none, and acts on the user's tab only after it has named it.
"""

import re
from collections.abc import Callable, Mapping

from gemini.errors import UsageProblem
from gemini.pages.tabs.tab import PAGE, Tab
from gemini.pages.tabs.tab_owner import Owner, TabOwner
from gemini.tools.calls import acting_call
from gemini.tools.writers import PERSON, SCRIPT, current_run

# The companion names a client of MCP `mcp:<key> “<its own name>” #<number>`.
MCP_NAME = re.compile(r"^mcp:.*?“(?P<name>.*)”(?P<number> #\d+)?$")


# Runs that have ended and left no tabs are remembered, for a run that continues one.
MOST_ENDED = 50


class Owners:
    """The owners by id, and the rules of their tabs.

    Args:
        tabs: The open tabs by id.
        publish: Publishes a tab that has changed.
    """

    def __init__(self, tabs: Mapping[str, Tab], publish: Callable[[Tab], None]) -> None:
        self._tabs = tabs
        self._publish = publish
        self._owners: dict[str, Owner] = {}

    def acting(self) -> Owner | None:
        """Return the agent that the running code works for; None for the user and their scripts.

        A script that an agent runs works for the agent.
        """
        call = acting_call()
        run = (call.run if call is not None else None) or current_run.get()
        caller = SCRIPT if call is None else call.caller
        if run is not None:
            # Runs have been added; a chat's calls have its id.
            return self._owners.get(run) or self._add(Owner(run, caller.removeprefix("agent:")))
        if caller in (PERSON, SCRIPT):
            return None
        client = f"client:{caller}"
        return self._owners.get(client) or self._add(Owner(client, _name_of(caller)))

    def restore(self, row: TabOwner) -> Owner:
        """Return the owner of a tab that an earlier kernel opened. Its run, if it is one, has stopped."""
        known = self._owners.get(row["id"])
        if known is not None:
            return known
        owner = self._add(Owner(row["id"], row["name"], row.get("run")))
        owner.finished = owner.run is not None
        return owner

    def begin_run(self, run: str, name: str, continues: str | None = None) -> None:
        """Add a run, for the agent that starts it.

        It gets its tabs from before a restart, and the tabs of the run that it continues.
        """
        earlier = [found for owner in (run, continues) if owner and (found := self._owners.get(owner))]
        owner = self._add(Owner(run, name, run, self.acting()))
        for before in earlier:
            owner.tab = owner.tab or before.tab
            self._pass_on(before, owner)

    def end_run(self, run: str) -> None:
        """Mark the tabs of a run as finished."""
        owner = self._owners.get(run)
        if owner is not None and not owner.finished:
            owner.finished = True
            self._pass_on(owner, owner)
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        """Forget runs that have ended and left no tabs, except the newest."""
        used = {id(tab.owner) for tab in self._tabs.values()}
        idle = [owner.id for owner in self._owners.values() if owner.finished and id(owner) not in used]
        for oldest in idle[: max(0, len(idle) - MOST_ENDED)]:
            del self._owners[oldest]

    def _pass_on(self, before: Owner, owner: Owner) -> None:
        for tab in self._tabs.values():
            if tab.owner is before:
                self.give(tab, owner)

    def give(self, tab: Tab, owner: Owner | None) -> None:
        """Make a tab an agent's, or the user's."""
        if owner is None and tab.owner is not None and tab.owner.tab == tab.id:
            tab.owner.tab = None
        tab.owner = owner
        self._publish(tab)

    def tab_of(self, owner: Owner) -> Tab | None:
        """Return the tab that an agent's calls use: the focused one, its last one, or its starter's."""
        found = self._tabs.get(owner.tab or "") or self.own_tab(owner)
        return self.tab_of(owner.parent) if found is None and owner.parent is not None else found

    def own_tab(self, owner: Owner) -> Tab | None:
        """Return the last tab that an agent has opened."""
        return next((tab for tab in reversed([*self._tabs.values()]) if tab.owner is owner), None)

    def may_use(self, tab: Tab) -> bool:
        """Return whether a call that names no tab may act on this one."""
        owner = self.acting()
        return owner is None or tab.id == PAGE or tab is self.tab_of(owner)

    def require_use(self, tab: Tab, *, named: bool) -> None:
        """Check that the running code may act on a tab.

        Raises:
            UsageProblem: The tab is another agent's, or the user's and wasn't named.
        """
        owner = self.acting()
        if owner is None:
            return
        if tab.owner is not None and not tab.owner.finished and not owner.works_for(tab.owner):
            raise UsageProblem(
                f"{tab.id} is used by {tab.owner.name}", hint="Open the page in a tab of your own."
            )
        if not named and not self.may_use(tab):
            raise UsageProblem(
                f"you have no tab; {tab.id} is the user's",
                hint="Open a page, which gets a tab of yours. To act on the user's tab, focus it by browser_tabs.",
            )

    def require_own(self, tab: Tab) -> None:
        """Check that the running code may navigate and close a tab.

        Raises:
            UsageProblem: An agent didn't open it.
        """
        owner = self.acting()
        if owner is not None and tab.owner is not owner:
            raise UsageProblem(
                f"{tab.id} isn't your tab",
                hint="Agents navigate, reload and close only tabs that they opened.",
            )

    def tab_to_navigate(self, tab: Tab) -> Tab | None:
        """Return the tab in which a page opens if `tab` is asked for; None for a new one."""
        owner = self.acting()
        if owner is not None:
            return tab if tab.owner is owner else self.own_tab(owner)
        if tab.owner is not None and tab.owner.finished:
            self.give(tab, None)
        return None if tab.id == PAGE else tab

    def _add(self, owner: Owner) -> Owner:
        self._owners[owner.id] = owner
        return owner


def _name_of(caller: str) -> str:
    """Return the name of a client for people."""
    if caller == "webmcp":
        return "WebMCP"
    found = MCP_NAME.match(caller)
    return f"{found['name']}{found['number'] or ''}" if found else caller
