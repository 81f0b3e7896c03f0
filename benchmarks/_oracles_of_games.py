"""Solvers of MiniWoB++ tasks that move by themselves, are played, or are described in free language."""

from __future__ import annotations

import functools
import time

from _oracles import solves
from _oracles_of_drawings import CENTERS
from _tasks import Task

# The number of sides is the frequency that is strongest in the distances of the outline from the middle.
SIDES = """
const { width, height } = c;
const { data } = c.getContext("2d").getImageData(0, 0, width, height);
const farthest = Array(360).fill(0);
for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (data[(y * width + x) * 4 + 3] > 128) {
  const [dx, dy] = [x + 0.5 - width / 2, y + 0.5 - height / 2];
  const angle = Math.round(Math.atan2(dy, dx) * 180 / Math.PI + 360) % 360;
  farthest[angle] = Math.max(farthest[angle], Math.hypot(dx, dy));
}
const strength = (sides) => Math.hypot(...[Math.cos, Math.sin].map((wave) =>
  farthest.reduce((sum, distance, angle) => sum + distance * wave(sides * angle * Math.PI / 180), 0)));
return [3, 4, 5, 6, 7].reduce((best, sides) => (strength(sides) > strength(best) ? sides : best));"""
# The first half hours of the time window that no event covers, as many as the event takes.
FREE = """
const [from, to, count] = arguments;
const isCovered = (hour) => {
  const box = hour.getBoundingClientRect();
  return [...document.querySelectorAll(".event")].some((event) => {
    const { top, bottom } = event.getBoundingClientRect();
    return top < box.bottom && bottom > box.top;
  });
};
for (let start = from; start + count <= to; start++) {
  const hours = Array.from({ length: count }, (_, index) => document.getElementById(`hh-${start + index}`));
  if (!hours.some(isCovered)) return hours.map(({ id }) => `#${id}`);
}"""
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
# The part of the computer's moves that are random.
RANDOM = 0.55
# The middles of the circles that are entirely in the picture.
IN_VIEW = """
const area = area_svg.getBoundingClientRect();
return [...document.querySelectorAll("circle")].map((one) => one.getBoundingClientRect())
  .filter(({ left, right }) => left > area.left && right < area.right)
  .map(({ x, y, width, height }) => [x + width / 2, y + height / 2]);"""


@solves("count-sides")
def _count_sides(task: Task) -> None:
    task.press(str(task.read(SIDES)), "button")


@solves("chase-circle")
def _chase(task: Task) -> None:
    while not task.read("return WOB_DONE_GLOBAL"):
        [[x, y]] = task.read(CENTERS, "#circ")
        task.act("hover", x=x, y=y)


@solves("hover-shape")
def _hover_lit(task: Task) -> None:
    for _ in range(3):
        while not task.read("return document.querySelector('#highlight')?.dataset.hover === 'true'"):
            [[x, y]] = task.read(CENTERS, "#highlight")
            task.act("hover", x=x, y=y)
        # Another one lights up every two seconds, sometimes the same.
        task.until("return !document.querySelector('#highlight').dataset.hover", seconds=60)
    # The task itself has no reward.
    task.read("core.endEpisode(1)")


@solves("moving-items")
def _press_moving(task: Task) -> None:
    while not task.read("return WOB_DONE_GLOBAL"):
        for x, y in task.read(IN_VIEW)[:1]:
            task.act("click", x=x, y=y)


@solves("drag-cube")
def _turn_cube(task: Task) -> None:
    [wanted] = task.quoted
    deadline = time.monotonic() + 60
    while (side := _side_at_rest(task)) != wanted:
        assert time.monotonic() < deadline, f"the cube stays at {side}"
        is_level = wanted in "2345" and side in "2345"
        turn = {"dx": 12, "dy": 0} if is_level else {"dx": 0, "dy": 12}
        task.act("drag", x=80, y=110, hold=0, **turn)
    task.submit()


def _side_at_rest(task: Task) -> str:
    task.until("return Math.abs(cube.viewport.torqueX) <= 1 && Math.abs(cube.viewport.torqueY) <= 1")
    return task.text(".active")


@solves("daily-calendar")
def _plan(task: Task) -> None:
    amount, unit, name, start, end = task.matched(
        r"Create a ([\d.]+) (hour|min)s? event named \"(\w+)\", between (\w+) and (\w+)\."
    )
    count = round(float(amount) * 2) if unit == "hour" else int(amount) // 30
    hours = task.read(FREE, _half_hour(start), _half_hour(end), count)
    # A drag within one half hour must move, too.
    task.act("drag", selector=hours[0], **({"to": hours[-1]} if count > 1 else {"dx": 4, "dy": 2}))
    task.fill("#event-name", name)
    task.press("Create", "button")


def _half_hour(text: str) -> int:
    """Return the number of the half hour at which a time such as `4PM` begins."""
    return 2 * (int(text[:-2]) % 12 + (12 if text.endswith("PM") else 0))


@solves("email-inbox-forward-nl", "email-inbox-forward-nl-turk", "email-inbox-nl-turk")
def _mail_in_free_language(task: Task) -> None:
    # The sentences are for models; what they ask for is listed in the page, too.
    fields = task.read("return core.currentFields")
    thread = task.with_text("#main .email-thread", fields["by"], ".email-sender")
    kind = fields.get("task", "forward")
    if kind in ("delete", "star"):
        task.tap(f"{thread} .{'trash' if kind == 'delete' else 'star'}")
        return
    task.tap(f"{thread} .email-subject")
    task.tap(f".email-{kind}")
    if kind == "reply":
        task.fill("#reply-text", fields["message"])
    else:
        task.fill(".forward-sender", fields["to"])
    task.tap(f"#send-{kind}")


@solves("tic-tac-toe")
def _play(task: Task) -> None:
    while not task.read("return WOB_DONE_GLOBAL"):
        board = tuple(task.read("return gameState"))
        task.tap(f"#ttt-{max(_free(board), key=lambda space: _chance(_with(board, space, 1), -1))}")


def _free(board: tuple[int, ...]) -> list[int]:
    return [space for space, mark in enumerate(board) if mark == 0]


def _with(board: tuple[int, ...], space: int, mark: int) -> tuple[int, ...]:
    return (*board[:space], mark, *board[space + 1 :])


def _wins(board: tuple[int, ...], mark: int) -> bool:
    return any(all(board[space] == mark for space in line) for line in LINES)


@functools.cache
def _chance(board: tuple[int, ...], turn: int) -> float:
    """Return the chance to win against the computer, which often moves at random."""
    free = _free(board)
    if _wins(board, 1):
        return 1
    if _wins(board, -1) or not free:
        return 0
    if turn == 1:
        return max(_chance(_with(board, space, 1), -1) for space in free)
    by_space = {space: _chance(_with(board, space, -1), 1) for space in free}
    at_random = sum(by_space.values()) / len(free)
    urgent = [space for mark in (-1, 1) for space in free if _wins(_with(board, space, mark), mark)]
    return RANDOM * at_random + (1 - RANDOM) * (by_space[urgent[0]] if urgent else at_random)
