"""The Chat panel."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.names import CONNECT_MODEL
from tests.web.person import Person
from tests.web.shadow import TEXT

# A model that says one text after the other. A text that ends with "…" continues when the gate opens.
MODEL = """
import asyncio
from gemini.models.interface.model import Stopped, TextDelta
from gemini.models.interface.usage import Usage

class GatedModel:
    name = "parrot"
    context_tokens = 100_000

    def __init__(self, *texts):
        self.texts = list(texts)
        self.requests = []
        self.gate = asyncio.Event()

    async def stream(self, request):
        self.requests.append(request)
        text = self.texts.pop(0)
        for start in range(0, len(text), 9):
            yield TextDelta(text[start:start + 9])
            await asyncio.sleep(0)
        if text.endswith("…"):
            await self.gate.wait()
        yield Usage(input=10, output=5)
        yield Stopped("end")
"""
MESSAGES = "[...document.querySelectorAll('.chat-message')]"


def answer_with(surface: Surface, *texts: str) -> None:
    surface.python(f"{MODEL}\nmodel = gemini.agents.current().model = GatedModel(*{list(texts)!r})\nNone")


@pytest.fixture
def panel(surface: Surface, person: Person) -> Iterator[Person]:
    """Return the user in front of a new chat."""
    person.open_panel("chat")
    person.click('region "Chat" button "New chat"')
    yield person
    surface.python("gemini.agents.current().model = None")


def ask(person: Person, text: str) -> None:
    person.find('region "Chat" textbox "Message"').send_keys(text + Keys.ENTER)


def texts(surface: Surface) -> list[str]:
    return surface.javascript(
        f"return {MESSAGES}.map((found) => [...found.querySelectorAll('.chat-own, .untrusted')]"
        f".map((part) => {TEXT}(part).trim()).join('|'))"
    )


def ended(surface: Surface, text: str) -> None:
    """Wait until the last message is a finished answer with this text."""
    surface.wait_for(
        f"((last) => last?.dataset.role === 'assistant' && last.dataset.status !== 'streaming' && "
        f"{TEXT}(last).includes(arguments[0]))({MESSAGES}.at(-1))",
        text,
    )


def test_an_answer_streams_and_survives_a_reload(surface: Surface, panel: Person) -> None:
    answer_with(surface, "Some **bold** words…")
    ask(panel, "Tell me something")
    panel.sees(".chat-message[data-status=streaming] .markdown strong", "bold")
    assert surface.javascript("return document.querySelector('#chat [role=status]').textContent") == ""
    surface.python("model.gate.set()")
    ended(surface, "Some bold words…")
    panel.sees('region "Chat" [role=status]', "Answer: Some **bold** words…")
    surface.reload()
    panel.sees(".chat-message .markdown strong", "bold")
    assert texts(surface) == ["Tell me something", "Some bold words…"]
    [chosen] = Select(panel.find('region "Chat" combobox "Chat"')).all_selected_options
    assert chosen.text == "Tell me something"


@pytest.mark.extended
def test_a_killed_page_loses_nothing_of_a_partial_answer(surface: Surface, panel: Person) -> None:
    answer_with(surface, "Half an answer…")
    ask(panel, "What?")
    panel.sees(".chat-message .markdown", "Half an answer…")
    # An answer is saved once a second.
    surface.python("await asyncio.sleep(1.2)\nmodel.texts\nfrom gemini.kernel import kernel")
    surface.reload()
    ended(surface, "the page was closed")


def test_stop_ends_an_answer(surface: Surface, panel: Person) -> None:
    answer_with(surface, "Half an answer…", "More of it")
    ask(panel, "What?")
    panel.sees(".chat-message .markdown", "Half an answer…")
    panel.click('region "Chat" button "Stop"')
    ended(surface, "Stopped")
    ask(panel, "Go on")
    ended(surface, "More of it")
    assert texts(surface) == ["What?", "Half an answer…", "Go on", "More of it"]


def test_retry_and_edit_create_branches(surface: Surface, panel: Person) -> None:
    answer_with(surface, "one", "two", "three")
    ask(panel, "A number")
    ended(surface, "one")
    panel.click(".chat-message[data-role=assistant] footer button")
    ended(surface, "two")
    panel.sees(".chat-branches", "2/2")
    panel.click("[aria-label='Previous branch']")
    ended(surface, "one")
    panel.sees(".chat-branches", "1/2")
    panel.click(".chat-message[data-role=user] footer button")
    field = panel.find(".chat-edit textarea")
    assert surface.javascript("return document.activeElement.ariaLabel") == "Your message"
    field.send_keys(" please" + Keys.ENTER)
    ended(surface, "three")
    assert texts(surface) == ["A number please", "three"]
    panel.click("[aria-label='Previous branch']")
    # The newest answer of that branch.
    ended(surface, "two")
    assert texts(surface) == ["A number", "two"]


def test_the_model_s_calls_are_shown(surface: Surface, panel: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/tea.txt", content="green")
    surface.python(
        "from gemini.agents import ScriptedModel, call, say\n"
        f"turns = [call('file_read', path='{folder}/tea.txt'), say('It is green.')]\n"
        "gemini.agents.current().model = ScriptedModel(turns)\nNone"
    )
    ask(panel, "Which tea?")
    ended(surface, "It is green.")
    panel.click(".chat-aside summary")
    panel.sees(".chat-aside pre", "green")
    assert "tea.txt" in panel.sees(".chat-aside summary", "Read")
    panel.click(".chat-aside .agent-raw summary")
    panel.sees(".chat-aside .agent-raw", "file_read")


def test_dropped_files_are_attached_and_reach_the_model(
    surface: Surface, panel: Person, tmp_path: Path
) -> None:
    answer_with(surface, "A cup.")
    (tmp_path / "notes.txt").write_text("about tea")
    png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    (tmp_path / "cup.png").write_bytes(base64.b64decode(png))
    place = surface.javascript(
        "const { x, y, width, height } = document.querySelector('#chat-scroll').getBoundingClientRect();"
        "return { x: x + width / 2, y: y + height / 2 };"
    )
    files = [str(tmp_path / "notes.txt"), str(tmp_path / "cup.png")]
    for kind in ("dragEnter", "dragOver", "drop"):
        data = {"items": [], "files": files, "dragOperationsMask": 1}
        surface.driver.execute_cdp_cmd("Input.dispatchDragEvent", {"type": kind, "data": data, **place})
    panel.sees(".chat-composer .chat-attachments", "notes.txt")
    panel.sees(".chat-composer .chat-attachments", "cup.png")
    ask(panel, "What is this?")
    ended(surface, "A cup.")
    panel.no_longer_sees(".chat-composer .chat-attachments")
    surface.wait_for("document.querySelector('.chat-message .chat-attachments img').naturalWidth === 1")
    sent = surface.python("[(m.text[:11], len(m.images)) for m in model.requests[0].messages[1:]]")
    assert sent == [["<<untrusted", 0], ["What is thi", 1]]


def test_a_file_that_models_can_not_read_is_refused_with_a_reason(
    surface: Surface, panel: Person, tmp_path: Path
) -> None:
    (tmp_path / "program.bin").write_bytes(b"\0\1\2\xff")
    surface.driver.find_element(By.CSS_SELECTOR, "#chat-files").send_keys(str(tmp_path / "program.bin"))
    assert "neither text nor a picture" in panel.sees('region "Chat" [role=alert]', "program.bin")


@pytest.mark.fortnightly
def test_exports_contain_the_conversation(surface: Surface, panel: Person, tmp_path: Path) -> None:
    behaviour = {"behavior": "allow", "downloadPath": str(tmp_path), "eventsEnabled": True}
    surface.driver.execute_cdp_cmd("Browser.setDownloadBehavior", behaviour)
    answer_with(surface, "It is `tea`.")
    ask(panel, "What is it")
    ended(surface, "tea")
    downloaded = """
        const names = [];
        globalThis.saved = new Promise((resolve) => {
          const click = HTMLAnchorElement.prototype.click;
          HTMLAnchorElement.prototype.click = async function () {
            names.push([this.download, await (await fetch(this.href)).text()]);
            if (names.length < 2) return click.call(this);
            HTMLAnchorElement.prototype.click = click;
            resolve(names);
            click.call(this);
          };
        });
    """
    surface.javascript(downloaded)
    panel.click("[aria-label='Export Markdown']")
    panel.click("[aria-label='Export JSON, with all branches']")
    (markdown, text), (name, whole) = surface.javascript("return await saved")
    assert (markdown, text) == (
        "What is it.md",
        "# What is it\n\n## You\n\nWhat is it\n\n## parrot\n\nIt is `tea`.\n",
    )
    assert name == "What is it.json"
    assert [message["role"] for message in json.loads(whole)["messages"]] == ["user", "assistant"]


HOSTILE = """<script>window.hurt = 1</script><img src=x onerror="window.hurt = 2">
<a href="javascript:window.hurt = 3">press</a> [press](javascript:window.hurt=4) [out](https://example.com)
![spy](https://tracker.example/pixel.png) ![own](/surface/secret.png) <iframe src="https://example.com"></iframe>
<form action="https://example.com"><button>go</button></form><style>body { display: none }</style>
<svg onload="window.hurt = 5"></svg>

```html
<script>window.hurt = 6</script>
```
"""


def test_a_model_s_html_does_nothing(surface: Surface, panel: Person) -> None:
    answer_with(surface, HOSTILE)
    surface.javascript(
        """
        globalThis.asked = [];
        const note = (list) => asked.push(...list.getEntries().map(({ name }) => name));
        new PerformanceObserver(note).observe({ type: "resource" });
        """
    )
    ask(panel, "Hello")
    ended(surface, "press")
    panel.sees(".markdown", "external image, not loaded: spy")
    found = surface.javascript(
        """
        const text = document.querySelector(".chat-message[data-role=assistant] .untrusted").shadowRoot;
        return {
          hurt: window.hurt ?? null,
          asked: asked.filter((name) => /tracker|example|secret/.test(name)),
          elements: [...text.querySelectorAll("script, iframe, form, style, img, svg")].map(({ tagName }) => tagName),
          links: [...text.querySelectorAll("[role=link]")].map(({ href, title, target }) => [href, title, target]),
        };
        """
    )
    assert found == {
        "hurt": None,
        "asked": [],
        "elements": [],
        "links": [["", "https://example.com/", ""]],
    }


@pytest.mark.extended
def test_code_of_an_answer_runs_and_is_inserted(surface: Surface, panel: Person) -> None:
    answer_with(surface, "```python\nprint(6 * 7)\n```\n\n- Then:\n\n  ```sh\n  echo one\n  echo two\n  ```")
    ask(panel, "Which code?")
    panel.click("[aria-label='Run the code in python in the Python console']")
    panel.sees(".console-entry:last-of-type", "42")

    panel.click("[aria-label='Insert the code in sh']")
    assert "one" not in panel.reads("echo two").split("\n")

    # What isn't wholly seen on one line is shown before it runs, and Enter alone refuses.
    run = "[aria-label='Run the code in sh in a terminal']"
    panel.click(run)
    panel.sees("dialog.question pre", "echo one\necho two")
    assert violations(surface, "dialog.question") == []
    panel.press(Keys.ENTER)
    panel.no_longer_sees("dialog.question")
    assert "one" not in panel.screen.split("\n")
    panel.click(run)
    panel.click("dialog.question [value=run]")
    assert "one" in panel.reads_line("two").split("\n")


@pytest.mark.extended
def test_code_with_hidden_characters_does_not_run(surface: Surface, panel: Person) -> None:
    answer_with(surface, "```sh\necho \u202eone\n```")
    ask(panel, "Which code?")
    panel.sees("[aria-label='Insert the code in sh']")
    panel.no_longer_sees("[aria-label^='Run the code']")


@pytest.mark.extended
def test_code_of_an_answer_is_inserted_in_the_open_file(surface: Surface, panel: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/open.py", content="")
    surface.call("find_and_edit", pattern="open.py")
    panel.sees('tablist "Open files" [aria-selected=true]', "open.py")
    answer_with(surface, "```python\nprint(6 * 7)\n```")
    ask(panel, "Which code?")
    panel.click("[aria-label='Insert the code in python']")
    panel.sees('region "Editor" .cm-content', "print(6 * 7)")


def test_code_is_highlighted_and_copied(surface: Surface, panel: Person) -> None:
    answer_with(surface, "See:\n\n```python\ndef tea():\n    return 'green'\n```\n\nThat is all.")
    ask(panel, "Code")
    panel.sees(".markdown-code .tok-keyword", "def")
    panel.sees(".markdown-code-bar", "python")
    panel.copy("")
    panel.click(".markdown-code-bar [aria-label='Copy the code in python']")
    panel.sees(".markdown-code-bar button", "Copied")
    assert (
        surface.javascript("return await navigator.clipboard.readText()") == "def tea():\n    return 'green'"
    )


def test_streamed_text_looks_like_text_that_arrived_at_once(surface: Surface, panel: Person) -> None:
    blocks = "# Title\n\nA [link][1] here.\n\n- one\n- two\n\n  more\n\n1. a\n2. b\n\n> quote\n\n| a | b |\n|---|---|\n"
    text = (
        blocks
        + "| 1 | 2 |\n\n```js\nlet a = `x`;\n\nlet b;\n```\n\nEnd *here*\n\n[1]: https://example.com/one\n"
    )
    answer_with(surface, text, text.partition("[1]:")[0])
    ask(panel, "All at once")
    ended(surface, "End here")
    assert surface.javascript(
        """
        const text = document.querySelector(".chat-message[data-role=assistant] .untrusted").shadowRoot;
        return [...text.querySelectorAll("h1, a, li, blockquote, table td, pre, em")].map(({ tagName }) => tagName);
        """
    ) == ["H1", "A", "LI", "LI", "LI", "LI", "BLOCKQUOTE", "TD", "TD", "PRE", "EM"]


def test_a_failure_of_the_model_says_what_to_do(surface: Surface, panel: Person) -> None:
    surface.python(
        "from gemini.agents import ScriptedModel\nfrom gemini.errors import ModelRefused\n"
        "gemini.agents.current().model = ScriptedModel([ModelRefused('the key is wrong', hint='Look at it.')])\nNone"
    )
    ask(panel, "Hello")
    ended(surface, "the key is wrong")
    panel.sees(".chat-ended .hint", "Look at it.")


def test_without_a_model_the_panel_says_how_to_add_one(surface: Surface, panel: Person) -> None:
    surface.python("gemini.agents.current().model = None")
    ask(panel, "Hello")
    panel.sees('region "Chat" [role=alert]', "no language model is set up")
    panel.sees(".chat-empty", "No language model is connected")
    assert panel.find('region "Chat" textbox "Message"').get_property("value") == "Hello"
    panel.click('region "Chat" button "Connect a model"')
    panel.sees(CONNECT_MODEL, "Connect a language model")
    panel.press(Keys.ESCAPE)
    panel.no_longer_sees(CONNECT_MODEL)
    assert panel.focus == "chat-connect"
    answer_with(surface, "Here I am.")
    panel.click('region "Chat" button "Send"')
    ended(surface, "Here I am.")


@pytest.mark.extended
def test_the_omnibar_asks_and_finds_chats(surface: Surface, panel: Person) -> None:
    answer_with(surface, "Forty-two.")
    panel.press("k", holding=Keys.CONTROL)
    surface.javascript("document.querySelector('#omnibar-input').value = ''")
    while "Chat" not in panel.find('search "Search and commands" .quiet').text:
        panel.press(Keys.TAB)
    panel.type("The answer of all things")
    panel.sees('listbox "Suggestions" [aria-selected=true]', "The answer of all things")
    panel.press(Keys.ENTER)
    ended(surface, "Forty-two.")
    assert panel.focus == "chat-input"
    panel.click('region "Chat" button "New chat"')
    surface.wait_for(f"{MESSAGES}.length === 0")
    panel.press("k", holding=Keys.CONTROL)
    while "Chat" not in panel.find('search "Search and commands" .quiet').text:
        panel.press(Keys.TAB)
    panel.type("answer of")
    panel.sees('listbox "Suggestions" [role=option]:nth-child(2)', "The answer of all things")
    panel.press(Keys.ARROW_DOWN)
    panel.press(Keys.ENTER)
    ended(surface, "Forty-two.")


@pytest.mark.extended
def test_chats_are_renamed_and_deleted_by_keyboard(surface: Surface, panel: Person) -> None:
    answer_with(surface, "Yes.")
    ask(panel, "Is this one to go")
    ended(surface, "Yes.")
    surface.javascript("document.querySelector('.chat-actions button').focus()")
    panel.press(Keys.ENTER)
    panel.find('region "Chat" textbox "Chat name"')
    assert panel.focus == "chat-name"
    panel.press("a", holding=Keys.CONTROL)
    panel.type("Another name" + Keys.ENTER)
    panel.sees('region "Chat" combobox "Chat"', "Another name")
    surface.wait_for("document.activeElement.id === 'chat-select'")
    surface.javascript("[...document.querySelectorAll('.chat-actions button')].at(-1).focus()")
    panel.press(Keys.ENTER)
    panel.sees("dialog.question", "Another name")
    panel.press(Keys.TAB)
    panel.press(Keys.ENTER)
    surface.wait_for(
        "![...document.querySelector('#chat-select').options].some(({ text }) => text === 'Another name')"
    )
    surface.wait_for(f"{MESSAGES}.length === 0")


@pytest.mark.fortnightly
def test_a_long_answer_does_not_scroll_the_user_away(surface: Surface, panel: Person) -> None:
    answer_with(surface, "\n\n".join(f"Line {number}" for number in range(200)) + "…")
    ask(panel, "Many lines")
    panel.sees(".markdown", "Line 199…")
    at_end = (
        "((s) => s.scrollHeight - s.scrollTop - s.clientHeight < 5)(document.querySelector('#chat-scroll'))"
    )
    surface.wait_for(at_end)
    surface.javascript("document.querySelector('#chat-scroll').scrollTop = 100")
    surface.python("model.gate.set()")
    ended(surface, "Line 199…")
    assert surface.javascript("return document.querySelector('#chat-scroll').scrollTop") == 100


@pytest.mark.extended
def test_the_panel_is_accessible(surface: Surface, panel: Person) -> None:
    answer_with(
        surface,
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\nx = 1  # one\n```\n\n> *quote* [a](https://b.c)",
        "again",
    )
    ask(panel, "Show me all")
    panel.sees(".markdown-code .tok-comment", "# one")
    ended(surface, "quote")
    assert violations(surface, 'region "Chat"') == []
    panel.click(".chat-message[data-role=user] footer button")
    panel.find(".chat-edit textarea")
    assert violations(surface, 'region "Chat"') == []
    panel.press(Keys.ESCAPE)


@pytest.mark.fortnightly
def test_a_mention_is_chosen_by_keyboard(surface: Surface, panel: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/bread.txt", content="Flour and water")
    answer_with(surface, "Read.")
    panel.click('region "Chat" textbox "Message"')
    panel.type("Read @bread")
    panel.sees(".mentions [role=option]", "bread.txt")
    active = "document.querySelector('#chat-input').getAttribute('aria-activedescendant')"
    assert surface.javascript(f"return document.getElementById({active}).ariaSelected") == "true"
    assert violations(surface, 'region "Chat"') == []
    panel.press(Keys.ENTER)
    panel.no_longer_sees(".mentions [role=option]")
    name = f"{folder.removeprefix('/project/')}/bread.txt"
    surface.wait_for("document.querySelector('#chat-input').value === arguments[0]", f"Read @{name} ")
    panel.press(Keys.ENTER)
    panel.sees(".chat-message", "Read.")
    sent = surface.python("[message.text for message in model.requests[0].messages]")
    assert "Flour and water" in sent[1] and f"@{name} is the file" in sent[2]
