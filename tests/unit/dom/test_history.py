"""Back and forward."""

from gemini.dom.history import History


def visited(*urls: str) -> History:
    history = History()
    for url in urls:
        history.visit(url)
    return history


def test_steps_lead_through_visits() -> None:
    history = visited("a", "b", "c")
    assert [history.step(-1), history.step(-1), history.step(-1)] == ["b", "a", None]
    assert [history.step(1), history.step(1), history.step(1)] == ["b", "c", None]


def test_a_visit_ends_what_lay_ahead() -> None:
    history = visited("a", "b", "c")
    history.step(-1)
    history.visit("d")
    assert history.step(1) is None
    assert history.step(-1) == "b"


def test_to_arrive_where_a_step_led_is_no_new_visit() -> None:
    history = visited("a", "b")
    history.visit(history.step(-1) or "")
    assert history.step(1) == "b"


def test_a_page_may_rename_itself() -> None:
    history = visited("a", "b")
    history.renamed("b#2")
    assert (history.step(-1), history.step(1)) == ("a", "b#2")


def test_nowhere_was_anybody_at_first() -> None:
    history = History()
    history.renamed("a")
    assert history.step(-1) is history.step(1) is None
