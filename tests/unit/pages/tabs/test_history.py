"""Tests for back and forward."""

from gemini.pages.tabs.history import History


def visited(*urls: str) -> History:
    history = History()
    for url in urls:
        history.visit(url)
    return history


def test_steps_go_through_the_visits() -> None:
    history = visited("a", "b", "c")
    assert [history.step(-1), history.step(-1), history.step(-1)] == ["b", "a", None]
    assert [history.step(1), history.step(1), history.step(1)] == ["b", "c", None]


def test_a_visit_drops_the_entries_ahead() -> None:
    history = visited("a", "b", "c")
    history.step(-1)
    history.visit("d")
    assert history.step(1) is None
    assert history.step(-1) == "b"


def test_visiting_the_url_of_a_step_adds_no_entry() -> None:
    history = visited("a", "b")
    history.visit(history.step(-1) or "")
    assert history.step(1) == "b"


def test_a_page_can_replace_its_url() -> None:
    history = visited("a", "b")
    history.replace("b#2")
    assert (history.step(-1), history.step(1)) == ("a", "b#2")


def test_an_empty_history_has_no_steps() -> None:
    history = History()
    history.replace("a")
    assert history.step(-1) is history.step(1) is None
