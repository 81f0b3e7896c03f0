"""The tasks of `build.py bench tokens` on pages, and each client's ideal calls.

What a page has is read by a script in it where a client can run one. Fields are filled and buttons pressed by the
client's own actions, since many pages ignore what a script does to them. Playwright MCP runs code of Playwright, which
a client has to allow; without it, it needs more calls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from _token_clients import Tools, ref_of
from _token_pages import BOOKS, BY_THREE, DIFFERENT, FIELDS, LISTS, ROWS, STEPS, TOTAL
from _token_tasks import FOLDER, Client, Task

SUM = "[...document.querySelectorAll('td:nth-child(3)')].reduce((sum, cell) => sum + +cell.textContent, 0)"
PAIRS = (
    "Object.fromEntries([...document.querySelectorAll('li')].map((li) => [li.children[0].textContent, "
    "li.children[1].textContent]))"
)
DIFFERENCES = (
    "(async () => { const read = async (n) => Object.fromEntries([...new DOMParser().parseFromString(await (await "
    "fetch(`prices${n}.html`)).text(), 'text/html').querySelectorAll('li')].map((li) => [li.children[0].textContent, "
    "li.children[1].textContent])); const a = await read(1), b = await read(2); "
    "return Object.keys(a).filter((name) => a[name] !== b[name]); })()"
)
CSV = "".join(f"{','.join(map(str, row))}\n" for row in ROWS).replace("Order ", "Order-")
AS_CSV = (
    "[...document.querySelectorAll('tr')].slice(1).map((tr) => [...tr.cells].map((cell) => "
    "cell.textContent.replace(' ', '-')).join()).join('\\n')"
)
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


def by_script(page: str, script: str, read: Client | None = None) -> tuple[Client, Client, Client]:
    """Return the clients of our list, of Playwright and of DevTools that open a page and run one script in it.

    Args:
        page: The page.
        script: An expression in JavaScript, or the promise of a value.
        read: Solves the task without scripts; by default, it reads the page.
    """

    async def own(tools: Tools) -> str:
        if tools.name == "lean list" and read is not None:
            return await read(tools)
        await tools.call("browser_navigate", url=tools.url(page))
        if tools.name == "lean list":
            return await _read(tools)
        return await tools.call("browser_execute_js", code=f"return {script}")

    async def playwright(tools: Tools) -> str:
        return await _playwright(tools, page, f"return page.evaluate(() => {script})")

    async def devtools(tools: Tools) -> str:
        number = await _opened(tools, page)
        return await tools.call("evaluate_script", pageId=number, function=f"() => {script}")

    return own, playwright, devtools


async def _playwright(tools: Tools, page: str, statements: str) -> str:
    """Open a page and run code of Playwright."""
    opened = f"await page.goto('{tools.url(page)}'); "
    return await tools.call("browser_run_code_unsafe", code=f"async (page) => {{ {opened}{statements}; }}")


async def _read(tools: Tools) -> str:
    """Return all text of the open page, as a model reads it that has no scripts."""
    return json.loads(await tools.call("browser_get_text", max_chars=100_000))["text"]


def _code(*blocks: str) -> Client:
    """Return the client of code mode, which needs no `find`: `run` names the functions."""

    async def code(tools: Tools) -> str:
        return [
            await tools.call("run", code=block.replace("ROOT", tools.url("").rstrip("/"))) for block in blocks
        ][-1]

    return code


def _shell(script: str) -> Client:
    """Return the client of a shell, which reads the files of pages."""

    async def shell(tools: Tools) -> str:
        folder = tools.url("").rstrip("/")
        return await tools.call("bash", command=f"cd {folder} && {script}")

    return shell


def _says(*words: str) -> Callable[[str, Any], bool]:
    return lambda answer, files: all(word in answer for word in words)


def _summed(text: str) -> str:
    return str(sum(int(number) for number in re.findall(r"(\d+)\W*$", text, re.MULTILINE)))


async def form_own(tools: Tools) -> str:
    await tools.call("browser_navigate", url=tools.url("form.html"))
    shown = _lines(await tools.call("browser_snapshot", max_chars=20_000))
    for name, value in FIELDS.items():
        await tools.call("browser_type", text=value, ref=ref_of(shown, f'"{name}"'))
    await tools.call("browser_click", ref=ref_of(shown, '"Register"'))
    return await tools.call("browser_get_text")


async def form_playwright(tools: Tools) -> str:
    fill = "await page.getByLabel('Field ' + n, { exact: true }).fill('value ' + n * 7)"
    press = "await page.getByRole('button').click()"
    read = "return page.locator('output').textContent()"
    return await _playwright(tools, "form.html", f"for (let n = 1; n <= 30; n++) {fill}; {press}; {read}")


async def form_devtools(tools: Tools) -> str:
    number = await _opened(tools, "form.html")
    shown = await tools.call("take_snapshot", pageId=number)
    elements = [{"uid": ref_of(shown, f'textbox "{name}"'), "value": value} for name, value in FIELDS.items()]
    await tools.call("fill_form", pageId=number, elements=elements)
    return await tools.call(
        "click", pageId=number, uid=ref_of(shown, 'button "Register"'), includeSnapshot=True
    )


async def csv_own(tools: Tools) -> str:
    await tools.call("browser_navigate", url=tools.url("orders.html"))
    if tools.name == "lean list":
        await _read(tools)
    else:
        await tools.call("browser_execute_js", code=f"return {AS_CSV}")
    # The model has read the rows, and writes all of them.
    return await tools.call("file_write", path=f"{FOLDER}/orders.csv", content=CSV)


async def csv_playwright(tools: Tools) -> str:
    link = "Object.assign(document.createElement('a'), { download: '', href: URL.createObjectURL(new Blob([text])) })"
    begin = f"page.evaluate(() => {{ const text = {AS_CSV}; {link}.click(); }})"
    both = f"const [file] = await Promise.all([page.waitForEvent('download'), {begin}])"
    return await _playwright(tools, "orders.html", f"{both}; await file.saveAs('orders.csv')")


async def csv_devtools(tools: Tools) -> str:
    number = await _opened(tools, "orders.html")
    script = f"() => {AS_CSV}"
    answer = await tools.call("evaluate_script", pageId=number, function=script, filePath="orders.csv")
    if "orders.json" in answer:
        raise ValueError("it saves results as JSON only")
    return answer


async def lists_own(tools: Tools) -> str:
    texts: list[str] = []
    for page in LISTS:
        await tools.call("browser_navigate", url=tools.url(page))
        texts.append(await _read(tools))
    return _differing(*texts)


def _differing(one: str, other: str) -> str:
    """Return the names with other prices, which a model sees in the two texts."""
    first, second = (
        {name: price for name, price in re.findall(r"(\w+ [SML])\W+(\d+)", text)} for text in (one, other)
    )
    return ", ".join(name for name, price in first.items() if second.get(name) != price)


async def books_own(tools: Tools) -> str:
    texts: list[str] = []
    for page in BOOKS:
        await tools.call("browser_navigate", url=tools.url(page))
        texts.append(await _read(tools))
    return str("\n".join(texts).count("By author 3."))


async def wizard_own(tools: Tools) -> str:
    await tools.call("browser_navigate", url=tools.url("wizard.html"))
    for step in STEPS:
        # Each step shows other buttons.
        shown = _lines(await tools.call("browser_snapshot", changed_only=True))
        await tools.call("browser_click", ref=ref_of(shown, "button", f'"{step}"'))
    return await tools.call("browser_get_text")


def _lines(answer: str) -> str:
    """Return an answer in JSON as lines of plain text."""
    return answer.replace('\\"', '"').replace("\\n", "\n")


async def wizard_playwright(tools: Tools) -> str:
    press = f"for (const name of {json.dumps(STEPS)}) await page.getByRole('button', {{ name, exact: true }}).click()"
    return await _playwright(tools, "wizard.html", f"{press}; return page.locator('body').innerText()")


async def wizard_devtools(tools: Tools) -> str:
    number = await _opened(tools, "wizard.html")
    shown = await tools.call("take_snapshot", pageId=number)
    for step in STEPS:
        shown = await tools.call(
            "click", pageId=number, uid=ref_of(shown, f'button "{step}"'), includeSnapshot=True
        )
    return shown


OPEN = "browser.navigate('ROOT/{}')\n"
FILL = """import re
for ref, n in re.findall(r'(e\\d+)\\] textbox.*"Field (\\d+)"', browser.snapshot()):
    browser.type(f'value {int(n) * 7}', ref)
browser.click(re.search(r'(e\\d+)\\] button', browser.snapshot())[1])
browser.execute_js('return document.body.innerText.slice(-60)').result"""
CLICK = """import re
for name in 'Small Red Round Wood Fast Gift'.split():
    browser.click(re.search(rf'(e\\d+)\\].*"{name}"', browser.snapshot())[1])
browser.execute_js('return document.body.innerText').result"""


def _js(script: str) -> str:
    """Return the expression of code mode for the value of a script in the page."""
    return f"browser.execute_js({f'return {script}'!r}).result"


COMPARE = f"""def prices(n):
    browser.navigate(f'ROOT/prices{{n}}.html')
    return {_js(PAIRS)}
a, b = prices(1), prices(2)
{{k: (v, b.get(k)) for k, v in a.items() if b.get(k) != v}}"""


def table_task() -> Task:
    """Return the task to sum a table."""
    table, playwright, devtools = by_script("orders.html", SUM)

    async def own(tools: Tools) -> str:
        text = await table(tools)
        return _summed(text) if tools.name == "lean list" else text

    return Task(
        "sum a table of 200 rows in a page",
        {},
        _says(str(TOTAL)),
        own,
        _code(OPEN.format("orders.html") + _js(SUM)),
        _shell("grep -o '<td>[0-9]*<' orders.html | tr -dc '0-9\\n' | awk '{s+=$1} END {print s}'"),
        playwright,
        devtools,
    )


def csv_task() -> Task:
    """Return the task to save a table as a file."""
    save = f"open('{FOLDER}/orders.csv', 'w').write({_js(AS_CSV)})"
    split = "sed 's/<tr>/\\n/g' orders.html | grep -o '<td>.*' | sed 's/<td>/,/g; s/^,//; s/<.*//'"
    return Task(
        "a page's table as a CSV file",
        {},
        lambda answer, files: files.get("orders.csv", "").split() == CSV.split(),
        csv_own,
        _code(OPEN.format("orders.html") + save),
        _shell(f"{split} | tr ' ' - > orders.csv"),
        csv_playwright,
        csv_devtools,
    )


def form_task() -> Task:
    """Return the task to fill a form."""
    code = _code(OPEN.format("form.html") + FILL)
    name = "fill a form of 30 fields"
    return Task(name, {}, _says("4711"), form_own, code, None, form_playwright, form_devtools)


def lists_task() -> Task:
    """Return the task to compare two pages."""
    own, playwright, devtools = by_script("prices1.html", DIFFERENCES, lists_own)
    return Task(
        "compare two pages",
        {},
        _says(*DIFFERENT),
        own,
        _code(COMPARE),
        _shell("diff <(sed 's/<li>/\\n/g' prices1.html) <(sed 's/<li>/\\n/g' prices2.html)"),
        playwright,
        devtools,
    )


def books_task() -> Task:
    """Return the task to count in linked pages."""
    own, playwright, devtools = by_script("books1.html", ALL_BOOKS, books_own)
    return Task(
        "count in five linked pages",
        {},
        _says(str(BY_THREE)),
        own,
        _code(OPEN.format("books1.html") + _js(f"await {ALL_BOOKS}")),
        _shell("cat books?.html | grep -o 'By author 3\\.' | wc -l"),
        playwright,
        devtools,
    )


def wizard_task() -> Task:
    """Return the task to choose in six steps."""
    code = _code(OPEN.format("wizard.html") + CLICK)
    name = "six steps, each with other buttons"
    return Task(name, {}, _says("K-9931"), wizard_own, code, None, wizard_playwright, wizard_devtools)


def tea_task() -> Task:
    """Return the task to find a fact in a long page."""
    own, playwright, devtools = by_script("tea.html", AUCTION)
    return Task(
        "one fact in a page of 300 paragraphs",
        {},
        _says("4 May 1679"),
        own,
        _code(OPEN.format("tea.html") + _js(AUCTION)),
        _shell("grep -o '[^.]*first auction[^.]*' tea.html"),
        playwright,
        devtools,
    )


OF_PAGES = [
    table_task(),
    csv_task(),
    form_task(),
    lists_task(),
    books_task(),
    wizard_task(),
    tea_task(),
]
