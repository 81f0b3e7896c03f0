"""Solvers of MiniWoB++ tasks: each reads the task's sentence and the page, and acts by one task's actions."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from _tasks import VISIBLE, Task

Oracle = Callable[[Task], None]
ORACLES: dict[str, Oracle] = {}
ORDINALS = {"1st": 1, "2nd": 2, "3rd": 3}


def solves(*names: str) -> Callable[[Oracle], Oracle]:
    """Register the solver of tasks."""

    def register(oracle: Oracle) -> Oracle:
        ORACLES.update(dict.fromkeys(names, oracle))
        return oracle

    return register


@solves("click-test")
def _click(task: Task) -> None:
    task.press("Click Me!")


@solves("click-test-2", "click-test-transfer")
def _click_one(task: Task) -> None:
    task.press("ONE")


@solves("click-button", "unicode-test")
def _click_button(task: Task) -> None:
    task.press(task.quoted[0], "button")


@solves("click-button-sequence")
def _click_two(task: Task) -> None:
    task.press("ONE")
    task.press("TWO")


@solves("button-delay")
def _click_later(task: Task) -> None:
    (seconds,) = task.matched(r"wait (\d) seconds")
    second = task.seek("TWO")
    task.press("ONE")
    task.until("return Date.now() - currentTime >= arguments[0]", 1000 * int(seconds) - 100)
    task.act("click", ref=second)


@solves("click-dialog")
def _close(task: Task) -> None:
    task.press("Close", "button")


@solves("click-dialog-2")
def _answer(task: Task) -> None:
    task.press("Close" if task.quoted[0] == "x" else task.quoted[0], "button")


@solves("click-link")
def _click_link(task: Task) -> None:
    task.press(task.quoted[0])


@solves("click-tab")
def _click_tab(task: Task) -> None:
    (tab,) = task.matched(r"on (Tab #\d)")
    task.press(tab, "tab", "link")


def _is_shown(task: Task, text: str) -> str | None:
    return task.read(
        f"""const link = [...document.querySelectorAll(".alink")].filter({VISIBLE})
        .find((one) => one.textContent === arguments[0]);
        return link ? geminiPage.snapshot({{ max_chars: 1e6 }}).elements
          .find(({{ ref }}) => geminiPage.element(ref) === link)?.ref ?? "" : null""",
        text,
    )


@solves("click-tab-2", "click-tab-2-easy", "click-tab-2-medium", "click-tab-2-hard")
def _link_in_a_tab(task: Task) -> None:
    for tab in range(1, task.read("return document.querySelectorAll('#area li a').length") + 1):
        task.tap(f"#area li:nth-child({tab}) a")
        if _is_shown(task, task.quoted[0]):
            break
    # The right tab alone solves some.
    if link := _is_shown(task, task.quoted[0]):
        task.act("click", ref=link)


@solves("click-collapsible-2", "click-collapsible-2-nodelay")
def _link_in_a_section(task: Task) -> None:
    for section in (1, 2, 3):
        task.tap(f"#area h3:nth-of-type({section})")
        task.until("return $('.ui-accordion-content:animated').length === 0")
        if _is_shown(task, task.quoted[0]):
            break
    task.act("click", ref=_is_shown(task, task.quoted[0]))


@solves("click-collapsible", "click-collapsible-nodelay")
def _expand(task: Task) -> None:
    task.tap("#area h3")
    task.until("return $('.ui-accordion-content:visible:not(:animated)').length === 1")
    task.submit()


@solves("click-option")
def _choose_radio(task: Task) -> None:
    (name,) = task.matched(r"Select (.*) and click")
    task.press(name, "radio")
    task.submit()


@solves("click-checkboxes", "click-checkboxes-large", "click-checkboxes-transfer")
def _check(task: Task) -> None:
    (names,) = task.matched(r"Select (.*) and click")
    for name in [] if names == "nothing" else names.split(", "):
        task.press(name, "checkbox")
    task.submit()


@solves("click-checkboxes-soft")
def _check_similar(task: Task) -> None:
    (names,) = task.matched(r"similar to (.*) and click")
    groups = task.read("return SYNONYMS")
    boxes = [entry for entry in task.page.snapshot()["elements"] if entry["role"] == "checkbox"]
    for name in names.split(", "):
        group = next(one for one in groups if name in one)
        task.act("click", ref=next(entry["ref"] for entry in boxes if entry["name"] in group))
    task.submit()


@solves("click-color")
def _click_color(task: Task) -> None:
    color = re.findall(
        r": (\w+);|on the (\w+) colored", task.read("return core.getUtterance() + query.innerHTML")
    )
    name = next(one for pair in color for one in pair if one)
    task.tap(f"#area .color[data-color={name}]")


# Finds the shapes of an SVG grid that match a description, as shapes.js describes them.
SHAPES = """
const words = arguments[0].split(" ");
const kind = { circle: "circle", rect: "rectangle", polygon: "triangle" };
return [...document.querySelectorAll("#area_svg > :is(text, circle, rect, polygon)")].filter((one) => {
  const text = one.localName === "text" ? one.textContent : kind[one.localName];
  const type = one.localName !== "text" ? "shape" : /\\d/.test(text) ? "digit" : "letter";
  const size = one.localName === "text" ? parseFloat(one.getAttribute("font-size"))
    : one.localName === "circle" ? 2 * one.getAttribute("r") : one.getBBox().width;
  const known = [text, type, "item", one.getAttribute("fill"), size > 15 ? "large" : "small"];
  return words.every((word) => known.includes(word));
})"""


@solves("click-shape")
def _click_shape(task: Task) -> None:
    (described,) = task.matched(r"Click on a (.*)")
    task.act("click", selector=task.named(f"{SHAPES}[0]", described))


@solves("count-shape")
def _count_shapes(task: Task) -> None:
    (described,) = task.matched(r"How many (.*)s are there")
    task.press(str(task.read(f"{SHAPES}.length", described)), "button")


@solves("identify-shape")
def _identify(task: Task) -> None:
    kinds = {"circle": "Circle", "rect": "Rectangle", "polygon": "Triangle"}
    name, text = task.read("const one = area_svg.firstElementChild; return [one.localName, one.textContent]")
    task.press(kinds.get(name) or ("Number" if text.isdigit() else "Letter"), "button")


@solves("click-menu")
def _menu(task: Task) -> None:
    (path,) = task.matched(r"Select (.*)")
    *menus, last = path.split(">")
    for name in [*menus, last]:
        ref = task.until(
            "return geminiPage.snapshot({ max_chars: 1e6 }).elements.find((one) => one.name === arguments[0])?.ref",
            name,
        )
        task.act("click" if name == last else "hover", ref=ref)


@solves("click-menu-2")
def _icon_menu(task: Task) -> None:
    names = {"disk": "Save", "seek-start": "Prev", "stop": "Stop", "play": "Play", "seek-end": "Next"}
    names |= {"zoomin": "Zoom In", "zoomout": "Zoom Out"}
    icon = re.search(r"ui-icon-([\w-]+)", task.read("return query.innerHTML"))
    name = names[icon[1]] if icon else task.quoted[1]
    task.press("Menu", "button")
    if name in ("Prev", "Stop", "Play", "Next"):
        task.press("Playback")
        task.until("return $('.ui-menu .ui-menu:visible:not(:animated)').length > 0")
    task.press(name, "menuitem")


@solves("click-pie", "click-pie-nodelay")
def _pie(task: Task) -> None:
    label = task.quoted[0]
    task.act("click", selector=task.with_text("#divWheel text", "+"))
    # Its slices spread for a second.
    time.sleep(1.5)
    task.act("click", selector=task.with_text("#divWheel text", label))


@solves("choose-list")
def _list(task: Task) -> None:
    (name,) = task.matched(r"Select (.*) from the list")
    task.act("select", selector="#options", option=name)
    task.submit()


@solves("click-scroll-list")
def _scroll_list(task: Task) -> None:
    (names,) = task.matched(r"Select (.*) from the scroll list")
    task.act("select", selector="#options", option=names.split(", "))
    task.submit()


@solves("click-shades")
def _shades(task: Task) -> None:
    (color,) = task.matched(r"shades of (\w+)")
    for number in range(
        task.read("return document.querySelectorAll(`#area span[data-color=${arguments[0]}]`).length", color)
    ):
        body = "return document.querySelectorAll(`#area span[data-color=${arguments[0]}]`)[arguments[1]]"
        task.act("click", selector=task.named(body, color, number))
    task.submit()


@solves("click-widget")
def _widget(task: Task) -> None:
    task.tap(f"[data-type={task.quoted[0]}]")


@solves("focus-text")
def _focus(task: Task) -> None:
    task.tap("#tt")


@solves("focus-text-2")
def _focus_one(task: Task) -> None:
    (which,) = task.matched(r"the (\w+) input")
    task.tap(f"#tt{ORDINALS[which]}")


@solves("navigate-tree")
def _tree(task: Task) -> None:
    name = task.quoted[0]
    shown = (
        f"return [...document.querySelectorAll('#tree span')].filter({VISIBLE}).map((one) => one.textContent)"
    )
    while name not in task.read(shown):
        task.tap("#tree .expandable > .hitarea")
    task.act("click", selector=task.with_text("#tree span", name))


@solves("ascending-numbers")
def _ascending(task: Task) -> None:
    task.act("click", selector=task.with_text("svg text", "1"))
    for index in (2, 3, 4, 5):
        task.tap(f"rect[data-index='{index}']")


@solves("grid-coordinate")
def _coordinate(task: Task) -> None:
    (point,) = task.matched(r"(\(.*?\))")
    task.tap(f"circle[id='{point}']")


@solves("circle-center")
def _center(task: Task) -> None:
    task.tap(".black-circle")
    task.submit()


@solves("number-checkboxes")
def _number(task: Task) -> None:
    rows = task.read("return PATTERNS[arguments[0]]", int(task.quoted[0]))
    for row, columns in enumerate(rows, 1):
        for column, wanted in enumerate(columns, 1):
            if wanted:
                task.tap(f"#checkboxes p:nth-child({row}) input:nth-child({column})")
    task.submit()


@solves("odd-or-even")
def _parity(task: Task) -> None:
    for row in (1, 2, 3):
        number = int(task.text(f"#numbers .row:nth-child({row}) .display-number"))
        task.tap(f"#numbers .row:nth-child({row}) .{'odd' if number % 2 else 'even'}")
    task.submit()


@solves("generate-number")
def _generate(task: Task) -> None:
    found = re.search(r"(less|greater) than (\d+)", task.query)

    def fits(number: int) -> bool:
        if found is None:
            return number % 2 == ("an odd" in task.query)
        return number < int(found[2]) if found[1] == "less" else number > int(found[2])

    while True:
        task.press("Generate")
        if fits(int(task.text("#display-number"))):
            return task.submit()


@solves("find-greatest")
def _greatest(task: Task) -> None:
    numbers = task.read(
        "return [...document.querySelectorAll('.card-value')].map((one) => Number(one.textContent))"
    )
    task.tap(f".card:nth-child({numbers.index(max(numbers)) + 1})")
    task.submit()


@solves("simon-says")
def _simon(task: Task) -> None:
    pushed = task.read("""
      const pushed = [];
      let last = performance.now();
      const observer = new MutationObserver((records) => {
        for (const { target } of records.filter((one) => one.target.classList.contains("push"))) {
          pushed.push(target.id);
          last = performance.now();
        }
      });
      observer.observe(area, { subtree: true, attributes: true, attributeFilter: ["class"] });
      while (performance.now() - last < 1500) await new Promise((done) => setTimeout(done, 50));
      observer.disconnect();
      return pushed;""")
    for button in pushed:
        task.tap(f"#{button}")


@solves("stock-market")
def _buy(task: Task) -> None:
    (limit,) = task.matched(r"less than \$([\d.]+)\.$")
    body = (
        "return parseFloat(document.querySelector('#stock-price').textContent.slice(1)) <= arguments[0] - 0.3"
    )
    task.until(body, float(limit), seconds=12)
    task.press("Buy")


@solves("order-food")
def _order(task: Task) -> None:
    if task.query.startswith("Order one of each"):
        wanted = [(name, 1) for name in task.query.partition(": ")[2].split(", ")]
        # One name begins with a space.
        items = [
            (f".food-item:is([data-item={name!r}], [data-item={f' {name}'!r}])", count)
            for name, count in wanted
        ]
    else:
        number, kind = task.matched(r"Order (\d+) items that are (.*)")
        items = [(f".food-item:has(img[alt={kind!r}])", int(number))]
    for selector, count in items:
        for _ in range(count):
            task.tap(f"{selector} .add")
    task.submit("Order!")


@solves("search-engine")
def _search(task: Task) -> None:
    (place,) = task.matched(r"click the (\d)")
    task.fill("#search-text", task.quoted[0])
    task.press("Search", "button")
    index = int(place) - 1
    if index >= 3:
        task.press(str(index // 3 + 1), "link")
    task.tap(f"#page-content a[data-result='{index}']")
