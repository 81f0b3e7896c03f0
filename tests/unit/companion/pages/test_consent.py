"""The companion's questions: what a page is shown, and which answers count."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gemini.errors import GeminiError, ProtocolError, Refused
from gemini_companion.pages.consent import CUT, LONGEST_WORD, MAX_FACTS, MAX_PENDING, MAX_WORDS, Decision
from tests.unit.companion.people import PersonAtPage

FACTS = {"action": "run", "command": "ls", "directory": "/home", "program": None}


def asking(person: PersonAtPage, **facts: Any) -> asyncio.Task[Decision]:
    return asyncio.create_task(person.questions.ask("host", {**FACTS, **facts}))


async def test_the_page_shows_facts_and_words_and_its_answer_is_the_decision() -> None:
    person = PersonAtPage()
    words = {"tool": "terminal_execute", "caller": "mcp:probe"}
    asking = asyncio.create_task(person.questions.ask("host", FACTS, words, ("once", "hour")))
    shown = await person.decide("hour", until=1_800_000_000_000)
    assert {name: shown[name] for name in ("kind", "facts", "words", "answers")} == {
        "kind": "host", "facts": FACTS, "words": words, "answers": ["once", "hour"],
    }  # fmt: skip
    assert await asking == Decision("hour", 1_800_000_000_000)
    assert person.questions.pending == 0 and person.withdrawn == []


async def test_a_refusal_has_its_own_error() -> None:
    person = PersonAtPage()
    asked = asking(person)
    await person.decide("refuse")
    with pytest.raises(Refused, match="the user refused"):
        await asked


async def test_ids_are_unique_and_can_not_be_guessed() -> None:
    person = PersonAtPage()
    first, second = asking(person), asking(person)
    ids = [(await person.shown())["id"], (await person.shown())["id"]]
    assert len(set(ids)) == 2 and all(len(each) >= 20 for each in ids)
    await asyncio.gather(*(person.answer(each, "once") for each in ids))
    await asyncio.gather(first, second)


async def test_an_answer_counts_once() -> None:
    person = PersonAtPage()
    asked = asking(person)
    shown = await person.decide("once")
    with pytest.raises(ProtocolError, match="no question with this id"):
        await person.answer(shown["id"], "always")
    assert (await asked).decision == "once"


async def test_an_answer_counts_for_the_question_that_it_names() -> None:
    person = PersonAtPage()
    harmless, harmful = asking(person), asking(person, command="rm -r .")
    first, second = await person.shown(), await person.shown()
    await person.answer(first["id"], "once")
    await harmless
    assert not harmful.done()
    await person.answer(second["id"], "refuse")
    with pytest.raises(Refused):
        await harmful


async def test_an_answer_of_another_page_is_ignored() -> None:
    person, other = PersonAtPage(), PersonAtPage()
    asked = asking(person)
    shown = await person.shown()
    with pytest.raises(ProtocolError, match="no question with this id"):
        await other.answer(shown["id"], "once")
    assert not asked.done()
    await person.answer(shown["id"], "once")
    await asked


@pytest.mark.parametrize(
    "answer",
    [
        {"decision": "session"},
        {"decision": "Once"},
        {"decision": True},
        {"decision": None},
        {"decision": "once", "facts": {"command": "ls"}},
        {"decision": "once", "until": "tomorrow"},
        {"decision": "once", "until": -1},
        {"decision": "once", "until": "NaN"},
        {"id": 1, "decision": "once"},
        {"id": None, "decision": "once"},
        {"id": "1", "decision": "once"},
        {"id": "", "decision": "once"},
    ],
    ids=str,
)
async def test_an_invalid_answer_leaves_the_question_open(answer: dict[str, Any]) -> None:
    person = PersonAtPage()
    asked = asking(person)
    shown = await person.shown()
    with pytest.raises(GeminiError):
        await person.page.request("consent/answer", {"id": shown["id"], **answer})
    assert not asked.done()
    await person.answer(shown["id"], "once")
    assert (await asked).decision == "once"


async def test_only_the_answers_that_a_question_accepts_count() -> None:
    person = PersonAtPage()
    asked = asyncio.create_task(person.questions.ask("host", FACTS, answers=("once",)))
    shown = await person.shown()
    for decision in ("always", "hour", "program", "run"):
        with pytest.raises(ProtocolError, match="doesn't accept"):
            await person.answer(shown["id"], decision)
    await person.answer(shown["id"], "once")
    assert (await asked).decision == "once"


async def test_a_cancelled_caller_withdraws_its_question() -> None:
    person = PersonAtPage()
    asked = asking(person)
    shown = await person.shown()
    asked.cancel()
    await asyncio.wait([asked])
    assert asked.cancelled() and person.withdrawn == [shown["id"]] and person.questions.pending == 0
    with pytest.raises(ProtocolError, match="no question with this id"):
        await person.answer(shown["id"], "always")


async def test_a_closed_page_refuses_pending_and_later_questions() -> None:
    person = PersonAtPage()
    first, second = asking(person), asking(person)
    shown = await person.shown()
    person.questions.close()
    for asked in (first, second):
        with pytest.raises(Refused, match="has not answered: the page was closed"):
            await asked
    with pytest.raises(Refused, match="the page was closed"):
        await person.questions.ask("host", FACTS)
    with pytest.raises(ProtocolError):
        await person.answer(shown["id"], "once")


async def test_a_simultaneous_answer_and_cancellation_allow_nothing() -> None:
    person = PersonAtPage()
    asked = asking(person)
    shown = await person.shown()
    answer = asyncio.create_task(person.answer(shown["id"], "once"))
    asked.cancel()
    await asyncio.wait([asked, answer])
    assert asked.cancelled() and person.questions.pending == 0


async def test_a_page_without_a_person_refuses_at_once() -> None:
    person = PersonAtPage(attended=False)
    with pytest.raises(Refused, match="nobody is at the page"):
        await person.questions.ask("host", FACTS)
    assert person.asked == []


async def test_pending_questions_are_limited() -> None:
    person = PersonAtPage()
    waiting = [asking(person) for _ in range(MAX_PENDING)]
    for _ in waiting:
        await person.shown()
    with pytest.raises(Refused, match="are waiting for the user"):
        await person.questions.ask("host", FACTS)
    await person.answer(person.asked[0]["id"], "once")
    await waiting[0]
    again = asking(person)
    await person.shown()
    for each in (*waiting[1:], again):
        each.cancel()
    await asyncio.wait([*waiting[1:], again])
    assert len(person.withdrawn) == MAX_PENDING


async def test_facts_that_are_too_long_are_refused_uncut() -> None:
    person = PersonAtPage()
    with pytest.raises(Refused, match="more than can be shown"):
        await person.questions.ask("host", {**FACTS, "command": "x" * MAX_FACTS})
    assert person.asked == [] and person.questions.pending == 0


@pytest.mark.parametrize(
    "text",
    [
        "\u202egnp.exe",
        "a\x1b[2Jb\x00\r\n",
        "\ud800 alone",
        "\u00e9 e\u0301",
        "<b>bold</b> ${x}",
        "\u200b\ufeff",
    ],
    ids=["bidi", "controls", "surrogate", "normal-forms", "markup", "invisible"],
)
async def test_characters_are_unchanged(text: str) -> None:
    person = PersonAtPage()
    asked = asyncio.create_task(person.questions.ask("host", {**FACTS, "command": text}, {"why": text}))
    shown = await person.decide("once")
    assert shown["facts"]["command"] == text and shown["words"]["why"] == text
    await asked


async def test_long_words_are_cut() -> None:
    person = PersonAtPage()
    nested: Any = "bottom"
    for _ in range(100):
        nested = [nested]
    words = {"why": "x" * 2 * LONGEST_WORD, "n" * 2 * LONGEST_WORD: 1, "nested": nested}
    asked = asyncio.create_task(person.questions.ask("host", FACTS, words))
    shown = await person.decide("once")
    await asked
    assert shown["words"]["why"] == "x" * LONGEST_WORD + CUT
    assert all(len(name) <= LONGEST_WORD for name in shown["words"]) and "bottom" not in str(shown["words"])
    asked = asyncio.create_task(
        person.questions.ask("host", FACTS, {str(each): "x" * 1000 for each in range(100)})
    )
    shown = await person.decide("once")
    await asked
    assert list(shown["words"]) == ["cut"] and len(str(shown["words"])) < MAX_WORDS
    assert shown["facts"] == FACTS
