"""An agent that has its own tabs."""

from typing import NotRequired

from typing_extensions import TypedDict

MOST_NAME = 40


class TabOwner(TypedDict):
    """The agent that opened a tab: a run, whose id `run` has, a chat, or a client of WebMCP or MCP.

    `finished` is true after the run's end.
    """

    id: str
    name: str
    run: NotRequired[str]
    finished: bool


class Owner:
    """An agent that has tabs.

    Args:
        owner_id: The id of a run or chat, or `client:` and the caller's name.
        name: The name that users see.
        run: The id of the run.
        parent: The agent that started the run, whose tabs it may use.

    Attributes:
        tab: The id of the tab that its calls use if they name none; None if it has chosen none.
        finished: Whether the run has ended. The tabs of a finished run are anybody's to use.
    """

    def __init__(
        self, owner_id: str, name: str, run: str | None = None, parent: "Owner | None" = None
    ) -> None:
        self.id, self.name, self.run, self.parent = owner_id, name[:MOST_NAME], run, parent
        self.tab: str | None = None
        self.finished = False

    def works_for(self, other: "Owner") -> bool:
        """Return whether this is the other agent, or was started for it, at first hand or not."""
        return self is other or (self.parent is not None and self.parent.works_for(other))

    def row(self) -> TabOwner:
        """Return the owner as the page and other agents get it."""
        row: TabOwner = {"id": self.id, "name": self.name, "finished": self.finished}
        return row if self.run is None else {**row, "run": self.run}
