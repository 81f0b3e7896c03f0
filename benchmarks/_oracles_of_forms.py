"""Solvers of MiniWoB++ tasks that type or choose values."""

from __future__ import annotations

import re
from collections.abc import Sequence

from _oracles import ORDINALS, solves
from _tasks import Task

MONTHS: Sequence[str] = (
    "January February March April May June July August September October November December".split()
)


@solves("enter-text", "enter-text-dynamic")
def _text(task: Task) -> None:
    task.fill("#tt", task.quoted[0])
    task.submit()


@solves("enter-text-2")
def _case(task: Task) -> None:
    text = task.quoted[0]
    task.fill("#tt", text.upper() if "upper case" in task.query else text.lower())
    task.submit()


@solves("text-transform")
def _captcha(task: Task) -> None:
    task.fill("#tt", task.text("#captcha"))
    task.submit()


@solves("enter-password")
def _password(task: Task) -> None:
    for field in ("#password", "#verify"):
        task.fill(field, task.quoted[0])
    task.submit()


@solves("login-user")
def _login(task: Task) -> None:
    for field, text in zip(("#username", "#password"), task.quoted, strict=True):
        task.fill(field, text)
    task.submit("Login")


@solves("login-user-popup")
def _login_with_popup(task: Task) -> None:
    for field, text in zip(("#username", "#password"), task.quoted, strict=True):
        task.tap(field)
        if task.seek("Cancel", "button"):
            task.press("Cancel", "button")
        task.fill(field, text)
    task.submit("OK")


@solves("enter-date")
def _date(task: Task) -> None:
    month, day, year = task.matched(r"(\d+)/(\d+)/(\d+)")
    task.fill("#tt", f"{year}-{month}-{day}")
    task.submit()


@solves("enter-time")
def _time(task: Task) -> None:
    hour, minute, half = task.matched(r"(\d+):(\d+)\s*([AP])M")
    task.fill("#tt", f"{int(hour) % 12 + (12 if half == 'P' else 0):02}:{minute}")
    task.submit()


@solves("choose-date", "choose-date-easy", "choose-date-medium", "choose-date-nodelay")
def _calendar(task: Task) -> None:
    month, day, _ = map(int, task.matched(r"(\d+)/(\d+)/(\d+)"))
    task.tap("#datepicker")
    task.until("return $('#ui-datepicker-div:visible:not(:animated)').length > 0")
    while (shown := MONTHS.index(task.text(".ui-datepicker-month")) + 1) != month:
        task.tap(".ui-datepicker-prev" if month < shown else ".ui-datepicker-next")
    task.press(str(day), "link")
    task.submit()


@solves("multi-orderings")
def _movies(task: Task) -> None:
    genre, name, year = task.matched(r"for (.*) movies directed by (.*) from year (\d+)")
    for label, text in (("Genre", genre), ("Director", name), ("Year", year)):
        task.fill(f"{task.with_text('tr', label, 'th')} input", text)
    task.tap("#area .final")


CELL = """return [...document.querySelectorAll('#area tr')]
  .find((one) => one.firstElementChild.textContent === arguments[0]).lastElementChild.textContent"""


@solves("read-table")
def _table(task: Task) -> None:
    (key,) = task.matched(r"the value of (.*) into")
    task.fill("#tt", task.read(CELL, key))
    task.submit()


@solves("read-table-2")
def _table_twice(task: Task) -> None:
    for number in (1, 2):
        task.fill(f"#tt{number}", task.read(CELL, task.text(f"#ll{number}").removesuffix(":")))
    task.submit()


@solves("find-word")
def _word(task: Task) -> None:
    (place,) = task.matched(r"the (\d+)\w\w word")
    task.fill("#answer-input", task.text("#area p").split()[int(place) - 1].strip(",."))
    task.submit()


@solves("scroll-text")
def _last_word(task: Task) -> None:
    words = re.split(r"\s", task.text("#text-area"))
    task.fill("#answer-input", words[-1].strip(",.") or words[-2].strip(",."))
    task.submit()


@solves("copy-paste")
def _copy(task: Task) -> None:
    _copy_from(task, "#to-copy")


@solves("copy-paste-2")
def _copy_one(task: Task) -> None:
    (which,) = task.matched(r"from the (\w+) text area")
    _copy_from(task, f"#text-{ORDINALS[which]}")


def _copy_from(task: Task, selector: str) -> None:
    task.tap(selector)
    for key in ("Control+a", "Control+c"):
        task.act("pressKey", key=key)
    task.tap("#answer-input")
    task.act("pressKey", key="Control+v")
    task.submit()


@solves("highlight-text")
def _highlight(task: Task) -> None:
    _highlight_all(task, "#randomText")


@solves("highlight-text-2")
def _highlight_one(task: Task) -> None:
    (which,) = task.matched(r"in the (\w+) paragraph")
    _highlight_all(task, f"#randomText p:nth-child({ORDINALS[which]})")


def _highlight_all(task: Task, selector: str) -> None:
    ends = """
      const range = document.createRange();
      range.selectNodeContents(document.querySelector(arguments[0]));
      const boxes = [...range.getClientRects()];
      const [first, last] = [boxes[0], boxes.at(-1)];
      return [first.left + 1, first.top + first.height / 2, last.right - 1, last.top + last.height / 2];"""
    x, y, to_x, to_y = task.read(ends, selector)
    task.act("drag", x=x, y=y, to_x=to_x, to_y=to_y)
    task.submit()


@solves("simple-arithmetic")
def _arithmetic(task: Task) -> None:
    left, sign, right = task.text("#math-problem").split()[:3]
    one, other = int(left), int(right)
    task.fill("#math-answer", str({"+": one + other, "-": one - other, "x": one * other}[sign]))
    task.submit()


@solves("simple-algebra")
def _algebra(task: Task) -> None:
    left, sign, right, _, result = task.text("#math-problem").split()
    if left == "x":
        answer = int(result) + (int(right) if sign == "-" else -int(right))
    else:
        answer = int(left) - int(result) if sign == "-" else int(result) - int(left)
    task.fill("#math-answer", str(answer))
    task.submit()


@solves("visual-addition")
def _blocks(task: Task) -> None:
    task.fill("#math-answer", str(task.read("return document.querySelectorAll('.addition-block').length")))
    task.submit()


@solves("guess-number")
def _guess(task: Task) -> None:
    low, high = 0, 9
    while task.reward <= 0:
        guess = (low + high) // 2
        task.fill("#tt", str(guess))
        task.submit()
        if task.read("return !document.querySelector('#higher').classList.contains('hide')"):
            low = guess + 1
        else:
            high = guess - 1


@solves("use-autocomplete", "use-autocomplete-nodelay")
def _complete(task: Task) -> None:
    begin, end = [*task.quoted, ""][:2]
    task.fill("#tags", begin)
    items = """return [...document.querySelectorAll('.ui-autocomplete li')]
      .filter((one) => one.checkVisibility()).map((one) => one.textContent)"""
    names: list[str] = task.until(items)
    name = next(one for one in names if one.startswith(begin) and one.endswith(end))
    task.act("click", selector=task.with_text(".ui-autocomplete li div", name))
    task.submit()


@solves("use-spinner")
def _spinner(task: Task) -> None:
    (number,) = task.matched(r"Select (-?\d+)")
    for _ in range(abs(int(number))):
        task.tap(".ui-spinner-up" if int(number) > 0 else ".ui-spinner-down")
    task.submit()


def _slide(task: Task, selector: str, number: int) -> None:
    handle = f"{selector} .ui-slider-handle"
    task.tap(handle)
    task.act("pressKey", key="Home")
    value = "return $(arguments[0]).slider('value')"
    for _ in range(number - task.read(value, selector)):
        task.act("pressKey", key="ArrowRight")


@solves("use-slider")
def _slider(task: Task) -> None:
    (number,) = task.matched(r"Select (-?\d+)")
    _slide(task, "#slider", int(number))
    task.submit()


@solves("use-slider-2")
def _sliders(task: Task) -> None:
    for index, number in enumerate(task.matched(r"\[(\d+),(\d+),(\d+)\]"), 1):
        _slide(task, f"#slider-{index}", int(number))
    task.submit()


@solves("form-sequence")
def _form(task: Task) -> None:
    number, which = task.matched(r"Select (-?\d+) with the slider, click the (\w+)")
    _slide(task, "#slider", int(number))
    task.tap(f"#checkbox-{ORDINALS[which]}")
    task.submit()


@solves("form-sequence-2")
def _form_of_radios(task: Task) -> None:
    radio, field = task.matched(r"Check the (\w+) radio .* into the (\w+) textbox")
    task.tap(f"#area input[type=radio]:nth-child({ORDINALS[radio]})")
    task.fill(f"#input-{ORDINALS[field]}", task.quoted[0])
    task.submit()


@solves("form-sequence-3")
def _form_of_lists(task: Task) -> None:
    (height,) = task.matched(r"Choose (.*) from the dropdown")
    task.tap(".selectric")
    task.act("click", selector=task.with_text(".selectric-items li", height))
    task.press(task.quoted[0], "button")


@solves("use-colorwheel")
def _color(task: Task) -> None:
    (name,) = task.matched(r"Select (\w+) with")
    _pick(task, task.read("return ui_utils.colorNameToHex(arguments[0])", name))


@solves("use-colorwheel-2")
def _shown_color(task: Task) -> None:
    red, green, blue = task.read(
        "return getComputedStyle(document.querySelector('#query .cc')).backgroundColor.match(/\\d+/g)"
    )
    _pick(task, f"#{int(red):02x}{int(green):02x}{int(blue):02x}")


def _pick(task: Task, color: str) -> None:
    task.fill("#col", color.removeprefix("#"))
    # The picker covers the button until a press elsewhere.
    task.tap("#query")
    task.tap("#subbtn")


@solves("scroll-text-2")
def _scroll(task: Task) -> None:
    direction = "up" if " top " in task.query else "down"
    task.act("scroll", selector="#text-area", direction=direction, amount=10_000)
    task.submit()


@solves("sign-agreement")
def _sign(task: Task) -> None:
    if "Scroll" in task.query:
        name, button = task.quoted
        task.act("scroll", selector="#text-area", direction="down", amount=100_000)
        task.until("return !document.querySelector('#name').disabled")
        task.fill("#name", name)
        task.press(button, "button")
    else:
        task.press("Cancel", "button")
