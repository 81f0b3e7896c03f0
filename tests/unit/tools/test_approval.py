"""What reaches outside or spends money waits for a person's word."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import gemini
from gemini.errors import InvalidArguments, Refused
from gemini.events import Event, row_of
from gemini.tools import Registry, require_consent
from tests.unit.tools.conftest import Add, Call


@pytest.fixture
def sent(add: Add) -> list[str]:
    """What the tool `send`, which reaches outside, has sent."""
    sent: list[str] = []

    def send(text: str) -> int:
        """Send a text to another origin."""
        sent.append(text)
        return len(sent)

    add(send, effect="outside")
    return sent


class Person:
    """Somebody who sees questions of consent and answers them."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.events: list[dict[str, Any]] = []
        self.asked = asyncio.Semaphore(0)
        registry.approval.attended = True
        registry.events.subscribe(self._see)

    def _see(self, seq: int, event: Event) -> None:
        row = row_of(seq, event)
        if row["type"].startswith("approval"):
            self.events.append(row)
        if row["type"] == "approval_requested":
            self.asked.release()

    async def question(self) -> dict[str, Any]:
        """The next question."""
        await self.asked.acquire()
        return [row for row in self.events if row["type"] == "approval_requested"][-1]["approval"]

    async def answers(self, decision: str) -> dict[str, Any]:
        question = await self.question()
        self.registry.approval.answer(question["id"], decision)
        return question


@pytest.fixture
def person(registry: Registry) -> Person:
    return Person(registry)


@pytest.mark.parametrize("effect", ["read", "write"])
async def test_what_stays_inside_needs_no_word(add: Add, call: Call, effect: str) -> None:
    def act() -> str:
        """Act."""
        return "done"

    add(act, effect=effect)
    assert await call("act") == "done"


@pytest.mark.parametrize("effect", ["outside", "spend"])
async def test_where_nobody_is_there_to_ask_it_is_refused(add: Add, call: Call, effect: str) -> None:
    def act() -> str:
        """Act."""
        return "done"

    add(act, effect=effect)
    answer = await call("act")
    assert answer["error"]["type"] == "Refused"
    assert "nobody is there to ask" in answer["error"]["message"]


async def test_the_person_sees_who_asks_and_the_real_arguments(
    registry: Registry, person: Person, sent: list[str], call: Call
) -> None:
    calling = asyncio.create_task(call("send", {"text": "hello"}, caller="webmcp"))
    question = await person.question()
    assert question == {
        "id": question["id"],
        "tool": "send",
        "within": None,
        "caller": "webmcp",
        "effect": "outside",
        "arguments": {"text": "hello"},
        "asked": question["asked"],
    }
    assert datetime.now(UTC) - datetime.fromisoformat(question["asked"]) < timedelta(minutes=1)
    assert registry.approval.rows() == [question]
    assert sent == []
    registry.approval.answer(question["id"], "once")
    assert await calling == 1
    assert sent == ["hello"]
    assert registry.approval.rows() == []
    assert person.events[-1] == {
        "seq": person.events[-1]["seq"],
        "type": "approval_settled",
        "approval_id": question["id"],
        "decision": "once",
    }


async def test_once_is_once(person: Person, sent: list[str], call: Call) -> None:
    for text in ("a", "b"):
        calling = asyncio.create_task(call("send", {"text": text}))
        await person.answers("once")
        await calling
    assert sent == ["a", "b"]


async def test_always_holds_for_this_tool_and_caller_only(
    person: Person, sent: list[str], add: Add, call: Call
) -> None:
    def pay() -> str:
        """Pay."""
        return "paid"

    add(pay, effect="spend")
    calling = asyncio.create_task(call("send", {"text": "a"}, caller="agent"))
    await person.answers("always")
    await calling
    assert await call("send", {"text": "b"}, caller="agent") == 2
    for tool, arguments, caller in (("send", {"text": "c"}, "webmcp"), ("pay", {}, "agent")):
        calling = asyncio.create_task(call(tool, arguments, caller=caller))
        await person.answers("refuse")
        assert (await calling)["error"]["type"] == "Refused"
    assert sent == ["a", "b"]


async def test_a_refusal_is_an_error_that_says_so(person: Person, sent: list[str], call: Call) -> None:
    calling = asyncio.create_task(call("send", {"text": "a"}))
    await person.answers("refuse")
    answer = await calling
    assert answer["error"]["message"] == "the person refused send"
    assert "Don't try it again" in answer["error"]["hint"]
    assert sent == []


async def test_a_call_that_is_given_up_withdraws_its_question(
    registry: Registry, person: Person, sent: list[str], call: Call
) -> None:
    calling = asyncio.create_task(call("send", {"text": "a"}))
    question = await person.question()
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    assert registry.approval.rows() == []
    assert person.events[-1]["decision"] == "withdrawn"
    registry.approval.answer(question["id"], "once")
    assert sent == []


async def test_wrong_arguments_are_no_question(person: Person, sent: list[str], call: Call) -> None:
    assert (await call("send", {"text": 5}))["error"]["type"] == "InvalidArguments"
    assert person.events == []


async def test_questions_wait_side_by_side(
    registry: Registry, person: Person, sent: list[str], call: Call
) -> None:
    first = asyncio.create_task(call("send", {"text": "a"}))
    one = await person.question()
    second = asyncio.create_task(call("send", {"text": "b"}))
    other = await person.question()
    assert [row["arguments"]["text"] for row in registry.approval.rows()] == ["a", "b"]
    registry.approval.answer(other["id"], "once")
    await second
    registry.approval.answer(one["id"], "once")
    await first
    assert sent == ["b", "a"]


async def test_an_answer_is_one_of_three(registry: Registry) -> None:
    with pytest.raises(InvalidArguments, match="once, always, refuse, not 'maybe'"):
        registry.approval.answer(1, "maybe")


async def test_an_answer_to_no_question_changes_nothing(registry: Registry) -> None:
    registry.approval.answer(99, "always")


async def test_no_tool_can_answer_for_the_person(shared: Registry) -> None:
    names = {tool.declaration.name for tool in shared}
    assert not any("approv" in name or "consent" in name for name in names)


@pytest.fixture
def attended(shared: Registry) -> Any:
    """The shared registry's person; `require_consent` asks there."""
    person = Person(shared)
    yield person
    shared.approval.attended = False


async def test_a_tool_asks_before_it_reaches_outside(attended: Person, shared: Registry) -> None:
    @gemini.tool(effect="write")
    async def fetch(url: str) -> str:
        """Fetch, from elsewhere too."""
        if "://" in url:
            await require_consent(action="fetch from another origin", arguments={"url": url})
        return f"fetched {url}"

    assert await shared.call("fetch", {"url": "/here"}) == "fetched /here"
    calling = asyncio.create_task(shared.call("fetch", {"url": "https://there"}, caller="agent"))
    question = await attended.answers("once")
    assert (question["tool"], question["within"]) == ("fetch from another origin", "fetch")
    assert (question["caller"], question["effect"]) == ("agent", "outside")
    assert question["arguments"] == {"url": "https://there"}
    assert await calling == "fetched https://there"
    calling = asyncio.create_task(shared.call("fetch", {"url": "https://there"}, caller="agent"))
    await attended.answers("refuse")
    with pytest.raises(Refused):
        await calling


async def test_a_script_of_the_person_s_own_needs_no_consent(shared: Registry) -> None:
    await require_consent(action="anything", arguments={})
    assert shared.approval.rows() == []
