"""States of terminals come back in the order in which the terminals were made."""

from contextlib import closing
from pathlib import Path

from gemini.storage.database import open_database
from gemini.storage.terminals import TerminalStore


def test_states_come_back_in_order_of_creation(tmp_path: Path) -> None:
    with closing(open_database(tmp_path)) as database:
        store = TerminalStore(database)
        for number in (10, 9, 1):
            store.save(f"term-{number}", {"cwd": "/project", "env": {"N": str(number)}})
        store.save("term-10", {"cwd": "/home"})
        store.forget("term-9")
        store.forget("term-that-never-was")

    with closing(open_database(tmp_path)) as database:
        assert TerminalStore(database).load() == [
            ("term-10", {"cwd": "/home"}),
            ("term-1", {"cwd": "/project", "env": {"N": "1"}}),
        ]


def test_one_that_was_forgotten_comes_last_when_it_is_made_again() -> None:
    store = TerminalStore(open_database(None))
    store.save("a", {})
    store.save("b", {})
    store.forget("a")
    store.save("a", {"again": True})
    assert store.load() == [("b", {}), ("a", {"again": True})]
