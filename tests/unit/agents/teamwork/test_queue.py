"""The queue: order, leases, failures, messages, and the graph of tasks."""

from typing import Any

import pytest

from gemini.agents.loop.run_setup import Reply
from gemini.agents.teamwork.graph import blocked
from gemini.agents.teamwork.queue import MAX_FAILURES, MAX_TEAMS, MAX_WAIT_S, Queue
from gemini.agents.teamwork.waits import Waits
from gemini.core.clock import ManualClock
from gemini.errors import TaskMissing, TaskRefused
from gemini.storage.database import open_database
from gemini.storage.team import Task, TaskWait, TeamStore

BRIEF = "Compare the three libraries by speed and size, in a table."
EXPECTS = "a table with sources"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def store() -> TeamStore:
    return TeamStore(open_database(None))


@pytest.fixture
def queue(store: TeamStore, clock: ManualClock) -> Queue:
    return Queue(store, clock)


@pytest.fixture
def first(queue: Queue) -> Task:
    queue.start("orchestrator", "Lead", {})
    task = queue.claim()
    assert task is not None
    queue.park(task.id, "tasks")
    return task


def add(queue: Queue, first: Task, agent: str, number: int = 0, **more: Any) -> Task:
    return queue.add(first, agent, f"{BRIEF} Part {number}.", EXPECTS, **more)


def claimed(queue: Queue) -> list[str]:
    found: list[str] = []
    while (task := queue.claim()) is not None:
        found.append(task.agent)
    return found


def test_three_agents_run_at_once_and_each_has_one_task(queue: Queue, first: Task) -> None:
    for number, agent in enumerate(["coder", "coder", "writer", "analyst", "researcher"]):
        add(queue, first, agent, number)
    assert claimed(queue) == ["coder", "writer", "analyst"]
    assert not queue.unpark(first.id)
    coder = next(task for task in queue.store.tasks(first.id) if task.agent == "coder")
    queue.end(coder, "done", "It is done", None)
    assert claimed(queue) == ["coder"]


@pytest.mark.parametrize("waits", ["consent", "call", "pause", "slot"])
def test_a_task_that_waits_in_the_middle_of_its_work_frees_its_slot_but_not_its_agent(
    queue: Queue, first: Task, waits: TaskWait
) -> None:
    tasks = [
        add(queue, first, agent, n)
        for n, agent in enumerate(["coder", "writer", "analyst", "coder", "tester"])
    ]
    assert claimed(queue) == ["coder", "writer", "analyst"]
    queue.park(tasks[0].id, waits)
    assert claimed(queue) == ["tester"]
    queue.end(tasks[1], "done", "", None)
    assert queue.unpark(tasks[0].id)
    assert queue.task(tasks[0].id).status == "running"


def test_a_question_holds_its_task_only(queue: Queue, first: Task) -> None:
    asking = add(queue, first, "coder")
    assert claimed(queue) == ["coder"]
    queue.park(asking.id, "question")
    # Also tasks of other teams.
    other = queue.start("orchestrator", "Lead", {})
    task, later = add(queue, other, "coder", 1), add(queue, other, "coder", 2)
    assert claimed(queue) == ["orchestrator", "coder"]
    # Its answer is there, and the agent works on another task: it continues after that, and before new tasks.
    queue.park(asking.id, "slot")
    assert not queue.unpark(asking.id)
    assert queue.busy_with(queue.task(asking.id)) == queue.task(task.id)
    queue.end(task, "done", "", None)
    assert claimed(queue) == []
    assert queue.unpark(asking.id)
    assert claimed(queue) == []
    queue.end(asking, "done", "", None)
    assert claimed(queue) == ["coder"]
    assert queue.task(later.id).status == "running"


def test_two_answered_tasks_of_an_agent_go_on_one_after_the_other(queue: Queue, first: Task) -> None:
    one, two = add(queue, first, "coder", 1), add(queue, first, "coder", 2)
    for task in (one, two):
        assert claimed(queue) == ["coder"]
        queue.park(task.id, "question")
    for task in (one, two):
        queue.park(task.id, "slot")
    assert queue.unpark(two.id) and not queue.unpark(one.id)
    queue.end(two, "done", "", None)
    assert queue.unpark(one.id)


def test_after_a_restart_an_agent_has_one_task_again(
    queue: Queue, first: Task, store: TeamStore, clock: ManualClock
) -> None:
    asking, working = add(queue, first, "coder", 1), add(queue, first, "coder", 2)
    assert claimed(queue) == ["coder"]
    queue.park(asking.id, "question")
    assert claimed(queue) == ["coder"]
    later = Queue(store, clock)
    later.open(first.team)
    assert claimed(later) == ["orchestrator", "coder"]
    assert later.task(asking.id).owner == later.owner
    later.park(asking.id, "question")
    assert claimed(later) == ["coder"]
    assert later.task(working.id).owner == later.owner


def test_what_a_task_waits_for_is_named(queue: Queue, first: Task, clock: ManualClock) -> None:
    def wait(task: Task) -> str | None:
        return Waits(queue, queue.store.tasks(task.team)).of(queue.task(task.id))

    coder, writer = add(queue, first, "coder"), add(queue, first, "writer")
    after = add(queue, first, "analyst", after=[coder.id])
    assert claimed(queue) == ["coder", "writer"]
    other = queue.start("orchestrator", "Lead", {})
    assert claimed(queue) == ["orchestrator"]
    same, tester = add(queue, other, "coder", 1), add(queue, other, "tester")
    brief = f"“{BRIEF} Part 0.”"
    assert wait(coder) is None
    assert wait(first) == f"coder: {brief}; writer: {brief}; analyst: {brief}, which waits for coder: {brief}"
    assert wait(after) == f"coder: {brief}"
    assert wait(same) == f"another task of coder of another team, {brief}"
    assert wait(tester) == "a slot: 3 agents work at once"
    queue.park(coder.id, "consent")
    assert wait(coder) == "the user's consent to a call"
    assert (
        wait(same)
        == f"another task of coder of another team, {brief}, which waits for the user's consent to a call"
    )
    queue.ask(writer.id, "Which language?")
    queue.park(writer.id, "question")
    assert wait(writer) == "an answer of orchestrator or the user to “Which language?”"
    queue.park(writer.id, "pause")
    assert wait(writer) == "the user to resume its run"
    queue.fail(writer, None, "it broke")
    assert wait(writer) == "its next attempt"
    clock.advance(2)
    assert wait(writer) == "a slot: 3 agents work at once"
    queue.end(other, "done", "", None)
    assert wait(other) is None
    later = Queue(queue.store, clock)
    waits = Waits(later, queue.store.tasks(after.team), to_user=True).all()
    assert waits[after.id] == "you to continue the team"


def test_a_task_waits_for_those_before_it(queue: Queue, first: Task) -> None:
    one = add(queue, first, "coder")
    two = add(queue, first, "writer", after=[one.id])
    assert claimed(queue) == ["coder"]
    queue.end(one, "done", "", None)
    assert claimed(queue) == ["writer"]
    assert queue.task(two.id).after == (one.id,)


def test_a_task_behind_a_dead_one_is_blocked_until_that_is_retried(queue: Queue, first: Task) -> None:
    one = add(queue, first, "coder")
    two = add(queue, first, "writer", after=[one.id])
    three = add(queue, first, "analyst", after=[two.id])
    queue.end(one, "dead", None, "it broke")
    assert blocked(queue.store.tasks(first.id)) == {two.id: one.id, three.id: one.id}
    queue.retry(one.id)
    assert not blocked(queue.store.tasks(first.id))
    assert claimed(queue) == ["coder"]


def test_edges_form_no_circle(queue: Queue, first: Task) -> None:
    one = add(queue, first, "coder")
    two = add(queue, first, "writer", after=[one.id])
    # The leader's task ends the others, so what comes after it would wait forever.
    for after in ([two.id], [one.id], ["task-none"], [first.id]):
        with pytest.raises(TaskRefused):
            queue.order(one.id, after)
    queue.order(two.id, [])
    queue.order(one.id, [two.id])
    assert claimed(queue) == ["writer"]


def test_an_expired_lease_is_claimed_with_its_run(store: TeamStore, clock: ManualClock) -> None:
    queue = Queue(store, clock)
    queue.start("orchestrator", "Lead", {})
    task = queue.claim()
    assert task is not None and task.run_id is not None
    later = Queue(store, clock)
    assert later.claim() is None
    later.open(task.team)
    again = later.claim()
    assert again is not None and (again.id, again.run_id, again.owner) == (task.id, task.run_id, later.owner)
    with pytest.raises(TaskRefused, match="another surface"):
        queue.renew(task.id)


def test_a_lease_lasts_until_it_is_not_renewed(store: TeamStore, clock: ManualClock) -> None:
    ours, theirs = Queue(store, clock), Queue(store, clock)
    task = ours.start("orchestrator", "Lead", {})
    theirs.open(task.id)
    assert ours.claim() is not None
    for _ in range(3):
        clock.advance(40)
        ours.renew(task.id)
        assert theirs.claim() is None
    clock.advance(61)
    assert theirs.claim() is not None


def test_a_team_that_was_cut_off_binds_no_agent(
    queue: Queue, first: Task, store: TeamStore, clock: ManualClock
) -> None:
    left = add(queue, first, "coder")
    assert claimed(queue) == ["coder"]
    later = Queue(store, clock)
    again = later.start("orchestrator", "Lead again", {})
    task = add(later, again, "coder", 1)
    assert claimed(later) == ["orchestrator", "coder"]
    assert later.task(task.id).status == "running" and later.task(left.id).owner == queue.owner
    assert store.unfinished() == [first.team, again.team]
    later.end(again, "done", None, None)
    assert store.unfinished() == [first.team, again.team]
    later.end(task, "cancelled", None, None)
    assert store.unfinished() == [first.team]


def test_the_oldest_teams_are_deleted(queue: Queue, first: Task, store: TeamStore) -> None:
    add(queue, first, "coder")
    ended: list[str] = []
    for number in range(MAX_TEAMS + 2):
        team = queue.start("orchestrator", f"Lead {number}", {})
        after = add(queue, team, "writer")
        add(queue, team, "coder", after=[after.id])
        queue.post(team.id, "coder", "orchestrator", "Hello", None)
        queue.end(team, "done", None, None)
        ended.append(team.id)
    known = {task.team for task in map(store.task, [first.id, *ended]) if task is not None}
    assert known == {first.id, *ended[-MAX_TEAMS:]}
    assert not store.tasks(ended[0]) and len(store.tasks(first.id)) == 2


def test_failures_wait_longer_each_time_and_end_dead(queue: Queue, first: Task, clock: ManualClock) -> None:
    task = add(queue, first, "coder")
    waits: list[float] = []
    runs: set[str | None] = set()
    for _ in range(MAX_FAILURES):
        found = queue.claim()
        assert found is not None
        runs.add(found.run_id)
        queue.fail(found, None, "it broke")
        waits.append(queue.seconds_to_next() or 0)
        assert queue.claim() is None
        clock.advance(waits[-1])
    assert waits == [2, 4, 8, 16, 0] and len(runs) == MAX_FAILURES
    dead = queue.task(task.id)
    assert (dead.status, dead.failures, dead.reason) == ("dead", MAX_FAILURES, "it broke")
    queue.retry(task.id)
    assert (queue.task(task.id).failures, claimed(queue)) == (0, ["coder"])
    assert MAX_WAIT_S > 16


def test_a_cut_off_task_that_waits_for_a_slot_is_no_reason_to_look_at_once(
    store: TeamStore, clock: ManualClock
) -> None:
    first = Queue(store, clock).start("orchestrator", "Lead", {})
    killed = Queue(store, clock, slots=2)
    killed.open(first.id)
    assert claimed(killed) == ["orchestrator"]
    add(killed, first, "coder")
    assert claimed(killed) == ["coder"]

    queue = Queue(store, clock, slots=1)
    queue.open(first.id)
    assert claimed(queue) == ["orchestrator"]
    assert queue.seconds_to_next() is None
    queue.park(first.id, "tasks")
    assert claimed(queue) == ["coder"]


def test_what_a_run_spends_counts_once(queue: Queue, first: Task, clock: ManualClock) -> None:
    task = add(queue, first, "coder")
    assert queue.claim() is not None
    queue.spend(task.id, 100, 0.5)
    queue.spend(task.id, 150, 0.75)
    queue.fail(task, None, "it broke")
    clock.advance(2)
    assert queue.claim() is not None
    queue.spend(task.id, 10, 0.25)
    assert (queue.task(task.id).tokens, queue.task(task.id).cost) == (160, 1.0)
    assert queue.spent_today("coder") == (160, 1.0)
    clock.advance(86_400)
    assert queue.spent_today("coder") == (0, 0.0)


def test_tiny_briefs_are_refused_with_a_hint(queue: Queue, first: Task) -> None:
    for brief, expects in (("", EXPECTS), ("Fix it", EXPECTS), (BRIEF, ""), (" " * 90, EXPECTS)):
        with pytest.raises(TaskRefused) as caught:
            queue.add(first, "coder", brief, expects)
        assert "knows nothing else" in (caught.value.hint or "")
    task = add(queue, first, "coder")
    with pytest.raises(TaskRefused):
        queue.edit(task.id, "Less", EXPECTS)
    assert queue.task(task.id).brief == f"{BRIEF} Part 0."


def test_the_same_task_is_added_once_and_specialists_add_none(queue: Queue, first: Task) -> None:
    task = add(queue, first, "coder")
    assert add(queue, first, "coder").id == task.id
    with pytest.raises(TaskRefused, match="delegates"):
        add(queue, task, "writer")


def test_messages_reach_one_run(queue: Queue, first: Task) -> None:
    one, other = add(queue, first, "coder", 1), add(queue, first, "coder", 2)
    queue.post(first.id, "coder", "orchestrator", "Mind the tests", None)
    queue.post(first.id, "coder", "orchestrator", "Mind the tests", None)
    queue.post(first.id, "writer", "orchestrator", "Be brief", None)
    [message] = queue.messages(one)
    assert (message.sender, message.body, message.origin) == ("orchestrator", "Mind the tests", None)
    queue.store.delivered([message], "run-1")
    assert queue.messages(one) == queue.messages(other) == []


def test_an_answer_outlives_the_run_that_asked(queue: Queue, first: Task) -> None:
    task = add(queue, first, "coder")
    assert queue.ask(task.id, "Which?") is None
    queue.answer(task.id, Reply("That one", "orchestrator", None))
    with pytest.raises(TaskRefused, match="asks nothing"):
        queue.answer(task.id, Reply("Another"))
    assert queue.ask(task.id, "Which?") == Reply("That one", "orchestrator", None)
    assert queue.ask(task.id, "And now?") is None


def test_the_end_of_the_first_task_ends_the_others(queue: Queue, first: Task) -> None:
    running, waiting = add(queue, first, "coder", 1), add(queue, first, "coder", 2)
    assert claimed(queue) == ["coder"]
    queue.end(first, "done", "All of it", None)
    assert queue.task(waiting.id).status == "cancelled"
    assert queue.task(running.id).stopping
    with pytest.raises(TaskRefused, match="team has ended"):
        queue.retry(waiting.id)
    with pytest.raises(TaskMissing):
        queue.task("task-none")
