"""The tasks of `build.py bench tokens` on pages: a table, a form, two lists, five pages, six steps, a long text."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

from _token_clients import Tools, ref_of
from _token_tasks import ITEMS, Client, Task

Open = Callable[[Tools], Awaitable[Any]]


def _page(title: str, body: str, script: str = "") -> str:
    return (
        f"<!doctype html><meta charset=utf-8><link rel=icon href=data:,><title>{title}</title>"
        f"<h1>{title}</h1>{body}<script>{script}</script>"
    )


ROWS = [(f"Order {n}", ITEMS[n % 10], 7 + n * 13 % 90) for n in range(200)]
TOTAL = sum(row[2] for row in ROWS)
TABLE = _page(
    "Orders",
    "<table><tr><th>Order<th>Item<th>Amount</tr>"
    + "".join(f"<tr><td>{a}<td>{b}<td>{c}</tr>" for a, b, c in ROWS)
    + "</table>",
)
FIELDS = {f"Field {n}": f"value {n * 7}" for n in range(1, 31)}
FORM = _page(
    "Registration",
    "<form>"
    + "".join(f"<p><label>{name} <input name='f{n}'></label>" for n, name in enumerate(FIELDS, 1))
    + "<p><button>Register</button></form><output></output>",
    f"""const wanted = {json.dumps([*FIELDS.values()])};
document.forms[0].onsubmit = (event) => {{
  event.preventDefault();
  const given = [...new FormData(event.target).values()];
  document.querySelector("output").textContent = String(given) === String(wanted) ? "Registered as 4711" : "Wrong";
}};""",
)
PRICES = [
    {f"{item} {size}": 100 + 7 * n + 3 * k for n, item in enumerate(ITEMS) for k, size in enumerate("SML")}
    for _ in range(2)
]
PRICES[1]["tea M"] += 5
PRICES[1]["honey L"] -= 9
DIFFERENT = ("tea M", "honey L")
LISTS = {
    f"prices{number}.html": _page(
        f"Prices {number}",
        "<ul>"
        + "".join(f"<li><b>{name}</b>: <span>{price}</span>" for name, price in rows.items())
        + "</ul>",
    )
    for number, rows in enumerate(PRICES, 1)
}
BOOKS = {
    f"books{number}.html": _page(
        f"Books, page {number}",
        "".join(
            f"<article><h2>Book {number}.{k}</h2><p>By author {k * number % 7}.</article>" for k in range(10)
        )
        + (f"<a href='books{number + 1}.html'>Next</a>" if number < 5 else ""),
    )
    for number in range(1, 6)
}
BY_THREE = sum(k * number % 7 == 3 for number in range(1, 6) for k in range(10))
STEPS = ["Small", "Red", "Round", "Wood", "Fast", "Gift"]
WIZARD = _page(
    "Configure",
    "<main></main>",
    f"""const steps = {json.dumps([[f"Choose {step}", step, f"Not {step}"] for step in STEPS])}, chosen = [];
const add = (name, text) => {{
  const element = document.createElement(name);
  element.textContent = text;
  document.querySelector("main").append(element);
  return element;
}};
const show = () => {{
  const step = steps[chosen.length];
  document.querySelector("main").replaceChildren();
  add("p", step ? step[0] : chosen.every((name, n) => name === steps[n][1]) ? "Your code is K-9931" : "Wrong");
  for (const name of step ? step.slice(1) : [])
    add("button", name).onclick = () => {{ chosen.push(name); show(); }};
}};
show();""",
)
ARTICLE = _page(
    "A history of tea",
    "".join(
        f"<p>In {1200 + n} the merchants of town {n} wrote about harvest {n * 31 % 97} and the roads that led there, "
        f"{'where the first auction was held on 4 May 1679' if n == 173 else 'where nothing of note was sold'}.</p>"
        for n in range(300)
    ),
)
PAGES = {
    "orders.html": TABLE,
    "form.html": FORM,
    "wizard.html": WIZARD,
    "tea.html": ARTICLE,
    **LISTS,
    **BOOKS,
}
SUM = "[...document.querySelectorAll('td:nth-child(3)')].reduce((sum, cell) => sum + +cell.textContent, 0)"
PAIRS = (
    "Object.fromEntries([...document.querySelectorAll('li')].map((li) => [li.children[0].textContent, "
    "li.children[1].textContent]))"
)
AUTHORS = "[...document.querySelectorAll('article p')].filter((p) => p.textContent === 'By author 3.').length"
AUCTION = "document.body.textContent.match(/[^.]*first auction[^.]*/)[0]"
ALL_BOOKS = (
    "(async () => { let count = 0, next = location.href; while (next) { "
    "const d = new DOMParser().parseFromString(await (await fetch(next)).text(), 'text/html'); "
    "count += [...d.querySelectorAll('article p')].filter((p) => p.textContent === 'By author 3.').length; "
    "const a = d.querySelector('a'); next = a && new URL(a.getAttribute('href'), next); } return count; })()"
)


def _page_id(text: str) -> int:
    """Return the number of the page that chrome-devtools-mcp has opened."""
    return int(re.findall(r"^(\d+): .*\[selected\]", text, re.MULTILINE)[-1])


async def _opened(tools: Tools, page: str) -> int:
    return _page_id(await tools.call("new_page", url=tools.url(page)))


def by_script(page: str, script: str) -> tuple[Client, Client, Client]:
    """Return the clients of our list, of Playwright and of DevTools that open a page and run one script in it."""

    async def own(tools: Tools) -> str:
        await tools.call("browser_navigate", url=tools.url(page))
        if tools.name == "lean list":
            return await _read(tools)
        return await tools.call("browser_execute_js", code=f"return {script}")

    async def playwright(tools: Tools) -> str:
        await tools.call("browser_navigate", url=tools.url(page))
        return await tools.call("browser_evaluate", function=f"() => {script}")

    async def devtools(tools: Tools) -> str:
        number = await _opened(tools, page)
        return await tools.call("evaluate_script", pageId=number, function=f"() => {script}")

    return own, playwright, devtools


async def _read(tools: Tools) -> str:
    """Return all text of the open page, as a model reads it that has no scripts."""
    return json.loads(await tools.call("browser_get_text", max_chars=100_000))["text"]


def _code(*blocks: str, find: str) -> Client:
    async def code(tools: Tools) -> str:
        await tools.call("find", query=find)
        return [await tools.call("run", code=block.replace("ROOT", tools.url(""))) for block in blocks][-1]

    return code


def _python(script: str) -> Client:
    """Return the client of a shell, which reads the files of pages."""

    async def shell(tools: Tools) -> str:
        folder = tools.url("").rstrip("/")
        return await tools.call("bash", command=f"cd {folder} && {script}")

    return shell


def _says(*words: str) -> Callable[[str, Any], bool]:
    return lambda answer, files: all(word in answer for word in words)


async def _summed(text: str) -> str:
    return str(sum(int(number) for number in re.findall(r"(\d+)\W*$", text, re.MULTILINE)))


async def form_own(tools: Tools) -> str:
    await tools.call("browser_navigate", url=tools.url("form.html"))
    shown = json.loads(await tools.call("browser_snapshot", max_chars=20_000))
    answer = ""
    for name, value in FIELDS.items():
        answer = await tools.call("browser_type", text=value, ref=ref_of(shown, f'"{name}"'))
    answer = await tools.call("browser_click", ref=ref_of(shown, '"Register"'))
    return answer


async def form_playwright(tools: Tools) -> str:
    await tools.call("browser_navigate", url=tools.url("form.html"))
    shown = await tools.call("browser_snapshot")
    fields = [
        {"target": ref_of(shown, f'textbox "{name}"'), "name": name, "type": "textbox", "value": value}
        for name, value in FIELDS.items()
    ]
    await tools.call("browser_fill_form", fields=fields)
    await tools.call("browser_click", target=ref_of(shown, 'button "Register"'))
    return await tools.call("browser_find", text="Registered as")


async def form_devtools(tools: Tools) -> str:
    number = await _opened(tools, "form.html")
    shown = await tools.call("take_snapshot", pageId=number)
    elements = [{"uid": ref_of(shown, f'textbox "{name}"'), "value": value} for name, value in FIELDS.items()]
    await tools.call("fill_form", pageId=number, elements=elements)
    return await tools.call(
        "click", pageId=number, uid=ref_of(shown, 'button "Register"'), includeSnapshot=True
    )


async def lists_own(tools: Tools) -> str:
    texts: list[str] = []
    for page in LISTS:
        await tools.call("browser_navigate", url=tools.url(page))
        texts.append(
            await _read(tools)
            if tools.name == "lean list"
            else await tools.call("browser_execute_js", code=f"return {PAIRS}")
        )
    return _differing(*texts)


async def lists_playwright(tools: Tools) -> str:
    texts: list[str] = []
    for page in LISTS:
        await tools.call("browser_navigate", url=tools.url(page))
        texts.append(await tools.call("browser_evaluate", function=f"() => {PAIRS}"))
    return _differing(*texts)


async def lists_devtools(tools: Tools) -> str:
    texts: list[str] = []
    for page in LISTS:
        number = await _opened(tools, page)
        texts.append(await tools.call("evaluate_script", pageId=number, function=f"() => {PAIRS}"))
    return _differing(*texts)


def _differing(one: str, other: str) -> str:
    """Return the names with other prices, which a model sees in the two texts."""
    first, second = (
        {name: price for name, price in re.findall(r"(\w+ [SML])\W+(\d+)", text)} for text in (one, other)
    )
    return ", ".join(name for name, price in first.items() if second.get(name) != price)


async def books_own(tools: Tools) -> str:
    if tools.name != "lean list":
        await tools.call("browser_navigate", url=tools.url("books1.html"))
        return await tools.call("browser_execute_js", code=f"return await {ALL_BOOKS}")
    texts: list[str] = []
    for page in BOOKS:
        await tools.call("browser_navigate", url=tools.url(page))
        texts.append(await _read(tools))
    return str("\n".join(texts).count("By author 3."))


async def wizard_own(tools: Tools) -> str:
    await tools.call("browser_navigate", url=tools.url("wizard.html"))
    answer = json.loads(await tools.call("browser_snapshot"))
    for step in STEPS:
        answer = await tools.call(
            "browser_click", ref=ref_of(answer.replace("\\n", "\n"), f'button "{step}"')
        )
    return answer


async def wizard_playwright(tools: Tools) -> str:
    await tools.call("browser_navigate", url=tools.url("wizard.html"))
    for step in STEPS:
        # Each step shows other buttons.
        shown = await tools.call("browser_snapshot")
        await tools.call("browser_click", target=ref_of(shown, f'button "{step}"'))
    return await tools.call("browser_snapshot")


async def wizard_devtools(tools: Tools) -> str:
    number = await _opened(tools, "wizard.html")
    shown = await tools.call("take_snapshot", pageId=number)
    for step in STEPS:
        shown = await tools.call(
            "click", pageId=number, uid=ref_of(shown, f'button "{step}"'), includeSnapshot=True
        )
    return shown


def _tasks() -> list[Task]:
    table, table_playwright, table_devtools = by_script("orders.html", SUM)
    tea, tea_playwright, tea_devtools = by_script("tea.html", AUCTION)
    _, books_playwright, books_devtools = by_script("books1.html", ALL_BOOKS)

    async def summed(tools: Tools) -> str:
        text = await table(tools)
        return await _summed(text) if tools.name == "lean list" else text

    page = "browser.navigate('ROOT/{}')\n"
    js = "browser.execute_js({!r}).result"
    find = "run JavaScript in a page"
    fill = (
        page.format("form.html")
        + "import re\nshown = browser.snapshot(max_chars=20000)\n"
        + "ref = lambda name: re.search(rf'\"{name}\".*?(e\\d+)', shown)[1]\n"
        + "for n in range(1, 31): browser.type(f'value {n * 7}', ref(f'Field {n}'))\n"
        + "browser.click(ref('Register')).changed"
    )
    click = (
        page.format("wizard.html")
        + "import re\nfor name in 'Small Red Round Wood Fast Gift'.split():\n"
        + "    browser.click(re.search(rf'\"{name}\".*?(e\\d+)', browser.snapshot())[1])\nbrowser.snapshot()"
    )
    pairs = js.format(f"return {PAIRS}")
    compare = (
        "def prices(n):\n    browser.navigate(f'ROOT/prices{n}.html')\n    return "
        + pairs
        + "\na, b = prices(1), prices(2)\n{k: (v, b.get(k)) for k, v in a.items() if b.get(k) != v}"
    )
    return [
        Task(
            "sum a table of 200 rows in a page",
            {},
            _says(str(TOTAL)),
            summed,
            _code(page.format("orders.html") + js.format(f"return {SUM}"), find=find),
            _python("grep -o '<td>[0-9]*<' orders.html | tr -dc '0-9\\n' | awk '{s+=$1} END {print s}'"),
            table_playwright,
            table_devtools,
        ),
        Task(
            "fill a form of 30 fields",
            {},
            _says("4711"),
            form_own,
            _code(page.format("form.html") + "browser.snapshot()", fill, find="fill a form"),
            None,
            form_playwright,
            form_devtools,
        ),
        Task(
            "compare two pages",
            {},
            _says(*DIFFERENT),
            lists_own,
            _code(compare, find=find),
            _python("diff <(sed 's/<li>/\\n/g' prices1.html) <(sed 's/<li>/\\n/g' prices2.html)"),
            lists_playwright,
            lists_devtools,
        ),
        Task(
            "count in five linked pages",
            {},
            _says(str(BY_THREE)),
            books_own,
            _code(page.format("books1.html") + js.format(f"return await {ALL_BOOKS}"), find=find),
            _python("cat books?.html | grep -o 'By author 3\\.' | wc -l"),
            books_playwright,
            books_devtools,
        ),
        Task(
            "six steps, each with other buttons",
            {},
            _says("K-9931"),
            wizard_own,
            _code(page.format("wizard.html") + "browser.snapshot()", click, find="click a button"),
            None,
            wizard_playwright,
            wizard_devtools,
        ),
        Task(
            "one fact in a page of 300 paragraphs",
            {},
            _says("4 May 1679"),
            tea,
            _code(page.format("tea.html") + js.format(f"return {AUCTION}"), find=find),
            _python("grep -o '[^.]*first auction[^.]*' tea.html"),
            tea_playwright,
            tea_devtools,
        ),
    ]


OF_PAGES = _tasks()
