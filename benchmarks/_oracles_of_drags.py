"""Solvers of MiniWoB++ tasks that drag, and of its terminal, mail and posts."""

from __future__ import annotations

import re

from _oracles import solves
from _tasks import Task


@solves("drag-box")
def _box(task: Task) -> None:
    task.act("drag", selector="#draggableSmall", to="#draggableLarge")
    task.submit()


MOVES = {"left": (-15, 0), "right": (15, 0), "up": (0, -15), "down": (0, 15)}


@solves("drag-circle", "drag-single-shape")
def _drag_shape(task: Task) -> None:
    (direction,) = task.matched(r"(left|right|up|down) then")
    x, y = MOVES[direction]
    task.act("drag", selector="svg :is(circle, rect, polygon)", dx=2 * x, dy=2 * y)
    task.submit()


@solves("drag-shapes")
def _gather(task: Task) -> None:
    (kind,) = task.matched(r"all (rectangles|circles|triangles)")
    name = {"rectangles": "rect:not(#shape-container)", "circles": "circle", "triangles": "polygon"}[kind]
    for index in range(
        task.read("return document.querySelectorAll(`#area_svg ${arguments[0]}`).length", name)
    ):
        shape = task.named(
            "return document.querySelectorAll(`#area_svg ${arguments[0]}`)[arguments[1]]", name, index
        )
        x, y = task.read(
            "const { x, y, width, height } = document.querySelector('#shape-container').getBoundingClientRect();"
            "return [x + width / 2, y + height / 2]"
        )
        task.act("drag", selector=shape, to_x=x + 8 * (index - 1.5), to_y=y)
    task.submit()


@solves("resize-textarea")
def _resize(task: Task) -> None:
    dimension, direction = task.matched(r"the (width|height) is (larger|smaller)")
    by = 15 if direction == "larger" else -15
    task.act(
        "drag",
        selector=".ui-resizable-se",
        dx=by if dimension == "width" else 0,
        dy=by if dimension == "height" else 0,
    )
    task.press("Submit", "button")


ITEMS = "return [...document.querySelectorAll('#sortable li div')].map((one) => one.textContent)"


def _put(task: Task, index: int, target: int) -> None:
    """Drag an item to the place of another, a bit further so that they change places."""
    body = """const items = document.querySelectorAll('#sortable li');
      return [items[arguments[0]], items[arguments[1]]].map((one) => one.getBoundingClientRect())
        .flatMap(({ x, y, width, height }) => [x + width / 2, y + height / 2])"""
    x, y, to_x, to_y = task.read(body, index, target)
    to_x, to_y = to_x + 4 * _sign(to_x - x), to_y + 4 * _sign(to_y - y)
    task.act("drag", selector=f"#sortable li:nth-child({index + 1})", path=[[x, to_y], [to_x, to_y]])


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


@solves("drag-items")
def _item(task: Task) -> None:
    name, place = task.matched(r"Drag (.*?) (to the .*|up by .*|down by .*)\.")
    items = task.read(ITEMS)
    index = items.index(name)
    number = re.search(r"(\d)", place)
    targets = {
        "to the top": 0,
        "to the bottom": 4,
        "up by one position": index - 1,
        "down by one position": index + 1,
    }
    _put(task, index, int(number[1]) - 1 if number else targets[place])


@solves("drag-items-grid")
def _grid_item(task: Task) -> None:
    name, place = task.matched(r"Drag (.*?) (to the .*|\w+ by one)\.")
    index = task.read(ITEMS).index(name)
    moves = {"up by one": -3, "down by one": 3, "left by one": -1, "right by one": 1}
    row = 0 if "top" in place else 2 if "bottom" in place else 1
    column = 0 if "left" in place else 2 if "right" in place else 1
    _put(task, index, index + moves[place] if place in moves else 3 * row + column)


@solves("drag-sort-numbers")
def _sort(task: Task) -> None:
    for place in range(3):
        items = [int(one) for one in task.read(ITEMS)]
        index = items.index(sorted(items)[place], place)
        if index != place:
            _put(task, index, place)
            task.until("return document.querySelectorAll('.ui-sortable-helper').length === 0")
    task.submit()


@solves("terminal")
def _terminal(task: Task) -> None:
    found = re.search(r"extension (\.\S+)", task.query)
    name = task.read(
        "return currentFiles.find((one) => arguments[0] ? one.endsWith(arguments[0]) : !one.includes('.'))",
        found[1] if found else "",
    )
    task.tap("#terminal")
    for key in f"rm {name}":
        task.act("pressKey", key=key)
    task.act("pressKey", key="Enter")


@solves(
    *(
        f"email-inbox{kind}"
        for kind in ("", "-delete", "-forward", "-important", "-noscroll", "-reply", "-star-reply")
    )
)
def _mail(task: Task) -> None:
    (sender,) = task.matched(r"email by (.*?) (?:and|to)")
    thread = task.with_text("#main .email-thread", sender, ".email-sender")
    if "trash" in task.query or "star icon" in task.query:
        task.tap(f"{thread} .{'trash' if 'trash' in task.query else 'star'}")
        return
    task.tap(f"{thread} .email-subject")
    if "reply" in task.query:
        task.tap(".email-reply")
        task.fill("#reply-text", task.quoted[0])
        task.tap("#send-reply")
    else:
        (receiver,) = task.matched(r"to (\w+)\.$")
        task.tap(".email-forward")
        task.fill(".forward-sender", receiver)
        task.tap("#send-forward")


@solves("social-media")
def _social(task: Task) -> None:
    user, action = task.matched(r"For the user (@\S+), click on the \"(.*)\" button")
    kinds = {
        "Reply": "reply",
        "Retweet": "retweet",
        "Like": "like",
        "Share via DM": "share",
        "Copy link to Tweet": "copy",
    }
    kinds |= {"Embed Tweet": "embed", "Mute": "menu-user", "Block": "block-user", "Report": "report"}
    post = task.with_text(".media", user, ".username")
    if action not in ("Reply", "Retweet", "Like"):
        task.tap(f"{post} .more")
    task.tap(f"{post} .{kinds[action]}")


@solves("social-media-all", "social-media-some")
def _social_many(task: Task) -> None:
    user, action = task.matched(r"by (@\S+)")[0], task.quoted[0].lower()
    count = re.search(r"on (\d+) post", task.query)
    body = """return [...document.querySelectorAll('.media')]
      .filter((one) => one.querySelector('.username').textContent === arguments[0])"""
    total = int(count[1]) if count else task.read(f"{body}.length", user)
    for index in range(total):
        task.tap(f"{task.named(f'{body}[arguments[1]]', user, index)} .{action}")
    task.submit()
