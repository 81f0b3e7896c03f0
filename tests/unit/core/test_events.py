"""Numbering, delivery and batches of events."""

import asyncio

import pytest

from gemini.computer.files.events import FilesShown
from gemini.computer.terminal.events import TerminalClosed
from gemini.core.events import Batch, Event, EventFeed, EventLog, row_of
from gemini.tools.calls import Call, CallLog

Received = list[tuple[int, str]]


def closed(name: str) -> TerminalClosed:
    return TerminalClosed(name)


def record(log: EventLog, received: Received) -> None:
    def on_event(seq: int, event: Event) -> None:
        assert isinstance(event, TerminalClosed)
        received.append((seq, event.terminal_id))

    log.subscribe(on_event)


def test_events_are_numbered_from_one() -> None:
    log, received = EventLog(), Received()
    record(log, received)
    for name in "abc":
        log.publish(closed(name))
    assert received == [(1, "a"), (2, "b"), (3, "c")]
    assert log.seq == 3


def test_events_are_numbered_without_listeners() -> None:
    log, received = EventLog(), Received()
    log.publish(closed("a"))
    record(log, received)
    log.publish(closed("b"))
    assert received == [(2, "b")]


def test_a_listener_may_unsubscribe_during_delivery() -> None:
    log, received = EventLog(), Received()

    def once(seq: int, _: Event) -> None:
        received.append((seq, "once"))
        unsubscribe()

    unsubscribe = log.subscribe(once)
    record(log, received)
    log.publish(closed("a"))
    log.publish(closed("b"))
    assert received == [(1, "once"), (1, "a"), (2, "b")]


def test_events_of_listeners_are_delivered_afterwards() -> None:
    log, received = EventLog(), Received()

    def follow(_: int, event: Event) -> None:
        if event == closed("a"):
            log.publish(closed("because of a"))

    log.subscribe(follow)
    record(log, received)
    log.publish(closed("a"))
    assert received == [(1, "a"), (2, "because of a")]


def test_later_events_are_delivered_after_a_listener_failed() -> None:
    log, received = EventLog(), Received()

    def fail(_: int, event: Event) -> None:
        if event == closed("a"):
            raise RuntimeError

    log.subscribe(fail)
    record(log, received)
    with pytest.raises(RuntimeError):
        log.publish(closed("a"))
    log.publish(closed("b"))
    assert received[-1] == (2, "b")


def test_a_row_is_the_event_with_number_and_type() -> None:
    event = FilesShown("/a", [], truncated=True)
    assert row_of(7, event) == {
        "seq": 7,
        "type": "files_shown",
        "path": "/a",
        "entries": [],
        "truncated": True,
    }


async def test_a_feed_sends_a_burst_as_one_batch() -> None:
    log = EventLog()
    batches: asyncio.Queue[Batch] = asyncio.Queue()
    EventFeed(log, batches.put_nowait, delay_s=0.5, rest_s=0.5)
    for name in "abc":
        log.publish(closed(name))
    batch = await batches.get()
    assert [row["terminal_id"] for row in batch.events] == ["a", "b", "c"]
    assert (batch.first, batch.last) == (1, 3)
    log.publish(closed("d"))
    assert [row["seq"] for row in (await batches.get()).events] == [4]


async def test_an_ended_call_is_sent_once() -> None:
    log, batches = EventLog(), list[Batch]()
    feed = EventFeed(log, batches.append, delay_s=60)
    calls = CallLog(log)
    ended = Call(1, "one", "script", "read", {})
    calls.begin(ended, may_wait=True)
    calls.begin(Call(2, "two", "script", "read", {}), may_wait=True)
    calls.end(ended, True, "1")
    feed.flush()
    [batch] = batches
    assert [(row["seq"], row["call"]["tool"], row["call"]["ok"]) for row in batch.events] == [
        (2, "two", None),
        (3, "one", True),
    ]
    assert (batch.first, batch.last) == (1, 3)


async def test_a_feed_can_be_flushed_and_closed() -> None:
    log, batches = EventLog(), list[Batch]()
    feed = EventFeed(log, batches.append, delay_s=60)
    log.publish(closed("a"))
    feed.flush()
    feed.flush()
    assert [len(batch.events) for batch in batches] == [1]
    feed.close()
    log.publish(closed("b"))
    feed.flush()
    assert len(batches) == 1
