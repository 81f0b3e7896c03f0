"""Solvers of MiniWoB++ tasks that need points, drawings, searches or an editor."""

from __future__ import annotations

import math
import re

from _oracles import solves
from _oracles_of_forms import MONTHS
from _tasks import Task

CENTERS = """return [...document.querySelectorAll(arguments[0])].map((one) => one.getBoundingClientRect())
  .map(({ x, y, width, height }) => [x + width / 2, y + height / 2])"""
# The part of the drawing that is free of buttons, in the page.
DRAWING = (4, 54, 146, 170)


def _centers(task: Task, selector: str) -> list[tuple[float, float]]:
    return [(x, y) for x, y in task.read(CENTERS, selector)]


def _is_inside(x: float, y: float) -> bool:
    left, top, right, bottom = DRAWING
    return left < x < right and top < y < bottom


def _press_along(task: Task, start: tuple[float, float], angles: tuple[float, ...]) -> None:
    """Press as far as possible from a point, in one of the directions."""
    ends = [
        (start[0] + length * math.cos(angle), start[1] + length * math.sin(angle), length)
        for angle in angles
        for length in range(10, 80, 5)
    ]
    x, y, _ = max((end for end in ends if _is_inside(end[0], end[1])), key=lambda end: end[2])
    task.act("click", x=x, y=y)
    task.submit()


@solves("find-midpoint")
def _midpoint(task: Task) -> None:
    (x, y), (other_x, other_y) = _centers(task, ".black-circle")
    task.act("click", x=(x + other_x) / 2, y=(y + other_y) / 2)
    task.submit()


@solves("right-angle")
def _right_angle(task: Task) -> None:
    [end], [vertex] = _centers(task, "#init-black"), _centers(task, "#init-blue")
    angle = math.atan2(end[1] - vertex[1], end[0] - vertex[0])
    _press_along(task, vertex, (angle + math.pi / 2, angle - math.pi / 2))


@solves("bisect-angle")
def _bisect(task: Task) -> None:
    [vertex] = _centers(task, ".init-blue")
    angles = [math.atan2(y - vertex[1], x - vertex[0]) for x, y in _centers(task, ".init-black")]
    x, y = sum(map(math.cos, angles)), sum(map(math.sin, angles))
    _press_along(task, vertex, (math.atan2(y, x),))


@solves("hot-cold")
def _hot(task: Task) -> None:
    x, y, width, height = task.read(
        "const { x, y, width, height } = document.querySelector('#touch-area').getBoundingClientRect();"
        "return [x, y, width, height]"
    )
    best = (x + width / 2, y + height / 2)
    for name, step, reach in (("COLD", 40, 80), ("WARM", 9, 45), ("HOT", 4, 12)):
        best = _warmer(task, name, best, (step, reach), (x, y, x + width, y + height))
    task.act("click", x=best[0], y=best[1])


def _warmer(
    task: Task,
    name: str,
    around: tuple[float, float],
    grid: tuple[int, int],
    area: tuple[float, float, float, float],
) -> tuple[float, float]:
    """Return a point of a grid around another where the signal has this name or a warmer one."""
    step, reach = grid
    wanted = ("COLD", "WARM", "HOT")[("COLD", "WARM", "HOT").index(name) :]
    offsets = sorted(
        ((dx, dy) for dx in range(-reach, reach + 1, step) for dy in range(-reach, reach + 1, step)),
        key=lambda offset: math.hypot(*offset),
    )
    for dx, dy in offsets:
        x, y = around[0] + dx, around[1] + dy
        if not (area[0] < x < area[2] and area[1] < y < area[3]):
            continue
        task.act("hover", x=x, y=y)
        if task.text("#display").strip() in wanted:
            return x, y
    raise AssertionError(f"nowhere is {name}")


@solves("drag-shapes-2")
def _separate(task: Task) -> None:
    (kind,) = task.matched(r"all (\w+)")
    names = {"rectangles": "rect", "circles": "circle", "triangles": "polygon"}
    boxes = _centers(task, "#shape-container")
    shapes = "#area_svg > :is(rect, circle, polygon):not(#shape-container)"
    for index in range(task.read("return document.querySelectorAll(arguments[0]).length", shapes)):
        shape = task.named("return document.querySelectorAll(arguments[0])[arguments[1]]", shapes, index)
        name, color = task.read(
            "const one = document.querySelector(arguments[0]); return [one.localName, one.getAttribute('fill')]",
            shape,
        )
        x, y = boxes[0 if names.get(kind, "") == name or color == kind else 1]
        task.act("drag", selector=shape, to_x=x + 6 * (index - 2), to_y=y)
    task.submit()


@solves("draw-line")
def _line(task: Task) -> None:
    [(x, y)] = _centers(task, "#circ")
    if "horizontal" in task.query:
        task.act("drag", x=4, y=y, path=[[x, y], [150, y]])
    else:
        task.act("drag", x=x, y=54, path=[[x, y], [x, 160]])
    task.submit()


@solves("draw-circle")
def _circle(task: Task) -> None:
    [(x, y)] = _centers(task, "#circ")
    points = [
        [x + 24 * math.cos(turn * math.pi / 12), y + 24 * math.sin(turn * math.pi / 12)] for turn in range(25)
    ]
    task.act("drag", x=points[0][0], y=points[0][1], path=points[1:])
    task.submit()


@solves("phone-book")
def _phone_book(task: Task) -> None:
    name, kind = task.matched(r"Find (.*) in the contact book and click on their (\w+)")
    while task.text("#contact .name") != name:
        task.press(">", "link")
    task.tap(f"#contact a.{kind}")


LEAST = """
const sign = arguments[2] ? -1 : 1;
const of = (one) => sign * Number(one.querySelector(`[data-${arguments[1]}]`).getAttribute(`data-${arguments[1]}`));
return [...document.querySelectorAll(arguments[0])].sort((one, other) => of(one) - of(other))[0];"""


@solves("buy-ticket")
def _ticket(task: Task) -> None:
    (wanted,) = task.matched(r"with the (.*)\.")
    most = wanted.startswith(("longest", "most"))
    ticket = task.named(LEAST, ".flight", "duration" if "duration" in wanted else "price", most)
    task.tap(f"{ticket} .buy-ticket")


@solves("book-flight", "book-flight-nodelay")
def _flight(task: Task) -> None:
    which, start, end, month, day = task.matched(
        r"the (\w+) one-way flight from: (.*) to: (.*) on (\d+)/(\d+)/\d+"
    )
    for field, city in (("#flight-from", start), ("#flight-to", end)):
        task.fill(field, city)
        items = """return [...document.querySelectorAll('.ui-autocomplete li')]
          .find((one) => one.checkVisibility() && one.textContent.includes(arguments[0]))"""
        task.until(items.replace("return ", "return !!"), city)
        task.act("click", selector=task.named(items, city))
    task.tap("#datepicker")
    task.until("return $('#ui-datepicker-div:visible:not(:animated)').length > 0")
    while (shown := MONTHS.index(task.text(".ui-datepicker-month")) + 1) != int(month):
        task.tap(".ui-datepicker-prev" if int(month) < shown else ".ui-datepicker-next")
    task.press(str(int(day)), "link")
    task.until("return $('#ui-datepicker-div:visible').length === 0")
    task.press("Search", "button")
    flight = task.named(LEAST, ".flight", "duration" if which == "shortest" else "price", False)
    task.tap(f"{flight} .flight-price")


@solves("multi-layouts")
def _layouts(task: Task) -> None:
    texts = task.matched(r"for (.*) movies directed by (.*) from year (\d+)")
    body = """return [...document.querySelectorAll('#area input')]
      .find((one) => one.closest('p, .row, tr, .field, .ui-entry').textContent.match(arguments[0]))"""
    for label, text in zip(("Genre", "Director", "Year|Date"), texts, strict=True):
        task.fill(task.named(body, label), text)
    task.tap("#area :is(button, .final, .ui-submit)")


@solves("text-editor")
def _style(task: Task) -> None:
    word = re.search(r"give the text (\S+) the", task.query)
    style, value = task.matched(r"the (style|color) (\w+)")
    if word is None:
        task.tap(".ql-editor")
        task.act("pressKey", key="Control+a")
    else:
        x, right, y = task.read(
            """
            const range = document.createRange();
            const editor = document.querySelector(".ql-editor");
            const text = document.createTreeWalker(editor, NodeFilter.SHOW_TEXT).nextNode();
            const at = ` ${text.data} `.indexOf(` ${arguments[0]} `);
            range.setStart(text, at);
            range.setEnd(text, at + arguments[0].length);
            const { left, right, top, height } = range.getBoundingClientRect();
            return [left, right, top + height / 2];""",
            word[1],
        )
        task.act("drag", x=x + 0.5, y=y, to_x=right - 0.5, to_y=y)
    if style == "style":
        task.tap({"bold": ".ql-bold", "italics": ".ql-italic", "underlined": ".ql-underline"}[value])
    else:
        task.tap(".ql-color .ql-picker-label")
        task.tap(
            f".ql-color .ql-picker-item[data-value='{task.read('return COLOR_MAP[arguments[0]][0]', value)}']"
        )
    task.submit()
