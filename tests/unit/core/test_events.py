"""What happened, numbered, in order, to everybody who listens."""

import asyncio

import pytest

from gemini.core.events import Batch, Event, EventFeed, EventLog, row_of
from gemini.files.events import FilesShown
from gemini.terminal.events import TerminalClosed
from gemini.tools.calls import Call, CallLog

Heard = list[tuple[int, str]]


def closed(name: str) -> TerminalClosed:
    return TerminalClosed(name)


def hearing(log: EventLog, heard: Heard) -> None:
    def hear(seq: int, event: Event) -> None:
        assert isinstance(event, TerminalClosed)
        heard.append((seq, event.terminal_id))

    log.subscribe(hear)


def test_events_are_numbered_from_one() -> None:
    log, heard = EventLog(), Heard()
    hearing(log, heard)
    for name in "abc":
        log.publish(closed(name))
    assert heard == [(1, "a"), (2, "b"), (3, "c")]
    assert log.seq == 3


def test_numbers_go_on_where_nobody_listens() -> None:
    log, heard = EventLog(), Heard()
    log.publish(closed("a"))
    hearing(log, heard)
    log.publish(closed("b"))
    assert heard == [(2, "b")]


def test_a_listener_may_leave_while_it_is_told() -> None:
    log, heard = EventLog(), Heard()

    def once(seq: int, _: Event) -> None:
        heard.append((seq, "once"))
        leave()

    leave = log.subscribe(once)
    hearing(log, heard)
    log.publish(closed("a"))
    log.publish(closed("b"))
    assert heard == [(1, "once"), (1, "a"), (2, "b")]


def test_what_a_listener_publishes_comes_after_what_it_heard() -> None:
    log, heard = EventLog(), Heard()

    def follow(_: int, event: Event) -> None:
        if event == closed("a"):
            log.publish(closed("because of a"))

    log.subscribe(follow)
    hearing(log, heard)
    log.publish(closed("a"))
    assert heard == [(1, "a"), (2, "because of a")]


def test_a_listener_that_fails_stops_nothing_later() -> None:
    log, heard = EventLog(), Heard()

    def fail(_: int, event: Event) -> None:
        if event == closed("a"):
            raise RuntimeError

    log.subscribe(fail)
    hearing(log, heard)
    with pytest.raises(RuntimeError):
        log.publish(closed("a"))
    log.publish(closed("b"))
    assert heard[-1] == (2, "b")


def test_a_row_is_what_goes_over_the_wire() -> None:
    event = FilesShown("/a", [{"name": "b"}])
    assert row_of(7, event) == {
        "seq": 7,
        "type": "files_shown",
        "path": "/a",
        "entries": [{"name": "b"}],
        "truncated": False,
    }


async def test_a_feed_sends_a_burst_as_one_batch() -> None:
    log = EventLog()
    batches: asyncio.Queue[Batch] = asyncio.Queue()
    EventFeed(log, batches.put_nowait, delay_s=0.001, rest_s=0.001)
    for name in "abc":
        log.publish(closed(name))
    batch = await batches.get()
    assert [row["terminal_id"] for row in batch.events] == ["a", "b", "c"]
    assert (batch.first, batch.last) == (1, 3)
    log.publish(closed("d"))
    assert [row["seq"] for row in (await batches.get()).events] == [4]


async def test_of_a_call_that_has_ended_one_row_is_told() -> None:
    log, batches = EventLog(), list[Batch]()
    feed = EventFeed(log, batches.append, delay_s=60)
    calls = CallLog(log)
    ended = calls.started(Call(1, "one", "script", "read", {}), may_wait=True)
    calls.started(Call(2, "two", "script", "read", {}), may_wait=True)
    calls.finished(ended, 0.0, True, "1")
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
