"""Language models in the page: added by the user, and used through the gateway in providers' wire formats."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_companion.network import Fetcher, Reach
from gemini_companion.serving.app import Companion
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.companions import companion_of, opened_by
from tests.providers import Completion, HttpError, Provider, call, running_provider
from tests.web.axe import violations
from tests.web.conftest import Start
from tests.web.names import CONNECT_MODEL
from tests.web.person import Person
from tests.web.test_agent_panel import open_panel, start_task, wait_until

pytestmark = pytest.mark.fortnightly

OPENAI, OPENAI_NAME, ANTHROPIC = "wire/small", "small (wire)", "claude/small"
CHART = """<!doctype html><title>Ten largest</title><h1>The ten largest files</h1><div id="chart"></div><script>
const files = {files};
const chart = document.getElementById("{place}");
for (const [name, size] of files) {{
  const bar = chart.appendChild(document.createElement("button"));
  bar.style = `display: block; width: ${{size / files[0][1] * 90}}%; background: teal; color: white`;
  bar.textContent = `${{name}} ${{size}}`;
}}
</script>"""
TASK = "Write a page that shows the ten largest files as a chart, open it, check that it shows, and fix what is wrong"
# A browser's own model. It answers with a tool call until it gets the call's result.
FAKE_MODEL = r"""
window.LanguageModel = class {
  static asked = [];
  static destroyed = 0;
  static async availability() { return "available"; }
  static async create({ initialPrompts }) { return Object.assign(new LanguageModel(), { initialPrompts }); }
  contextWindow = 8192;
  contextUsage = 77;
  promptStreaming(text) {
    LanguageModel.asked.push([...this.initialPrompts, text]);
    const whole = text.includes("The call to file_write returned")
      ? 'It is done.\n{"tool": "done", "arguments": {"result": "written"}}'
      : text.includes("Fall silent") ? "Well, "
      : 'I write it.\n```json\n{"tool": "file_write", "arguments": {"path": "PATH", "content": "hello"}}\n```';
    const pieces = whole.match(/[^]{1,5}/g);
    return new ReadableStream({
      pull(controller) {
        if (pieces.length) controller.enqueue(pieces.shift());
        else if (!text.includes("Fall silent")) controller.close();
        else return new Promise(() => {});
      },
    });
  }
  destroy() { LanguageModel.destroyed++; }
};
"""


@pytest.fixture(scope="module")
def served() -> Iterator[Provider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture
def provider(served: Provider) -> Provider:
    served.reset()
    return served


@pytest.fixture(scope="module")
def companion(
    surface_dist: Path, served: Provider, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Companion]:
    folder = tmp_path_factory.mktemp("configuration")
    file = folder / "control-surface" / "providers.toml"
    file.parent.mkdir()
    file.write_text(
        f'[providers.wire]\nbase_url = "{served.base_url("openai")}"\nkey = "none"\n'
        f'[providers.claude]\nbase_url = "{served.base_url("anthropic")}"\nkind = "anthropic"\nkey = "none"\n',
        encoding="utf-8",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(folder))
        patch.setenv("XDG_DATA_HOME", str(folder))
        # It stands for a provider on the internet, which the door could reach.
        address = urlsplit(served.url)
        reach = Reach(also={(str(address.hostname), address.port or 0)})
        with companion_of(surface_dist, network=Fetcher(reach)) as companion:
            yield companion


@pytest.fixture(scope="module")
def surface_of_module(companion: Companion, browsers: BrowserPool) -> Iterator[Surface]:
    with opened_by(companion, browsers) as surface:
        yield surface


def add(surface: Surface, provider: str, model: str = "small") -> None:
    """Add a model and make it the default, as the settings do."""
    surface.python(
        "import gemini.kernel.kernel\nfrom gemini.models.providers.choice import choice_of\n"
        f"models = gemini.kernel.kernel.kernel.models\nmodels.choose(models.add(choice_of({provider!r}, {model!r})))"
    )


def tools_done(asked: dict[str, Any]) -> list[str]:
    """Return the tool results in a request of OpenAI's API."""
    return [message["content"] for message in asked["messages"] if message["role"] == "tool"]


def open_models(person: Person) -> None:
    person.open_panel("settings")
    person.by_script('region "Language models"', "scrollIntoView()")
    person.find('region "Language models" [data-does="Connect a model…"]')


# The journeys of test_model_dialog.py connect one each time.
@pytest.mark.extended
def test_a_user_connects_a_model_and_tries_it(surface: Surface, person: Person, provider: Provider) -> None:
    open_models(person)
    person.sees('region "Language models"', "Connect one that runs on this computer")
    person.click("[data-does='Connect a model…']")
    # The companion has found it on this computer.
    person.click(f"{CONNECT_MODEL} [name=place][value=wire]")
    person.sees(f"{CONNECT_MODEL} [role=status]", "Found 2 models")
    person.click(f'{CONNECT_MODEL} button "Connect"')
    person.sees('list "Language models"', OPENAI_NAME)
    person.no_longer_sees("#models-why")
    surface.javascript(
        """globalThis.loads = [];
        new MutationObserver(() => {
          const shown = document.querySelector("#settings-own-models progress");
          if (shown) loads.push(shown.value / shown.max);
        }).observe(document.querySelector("#settings-own-models"),
          { subtree: true, childList: true, attributes: true });"""
    )
    provider.replies = [Completion("ready")]
    person.click(f'button "Try {OPENAI_NAME}"')
    person.sees(f"[data-of='model-{OPENAI}']", "Responded “ready”")
    # The packages for models loaded with this first request, and the progress covered their parts.
    person.no_longer_sees('region "Language models" progress')
    seen = surface.javascript("return loads")
    assert len(set(seen)) > 2 and seen == sorted(seen)
    person.click('list "Language models" .model-sampling summary')
    person.click('list "Language models" [name=temperature]')
    person.type("0.3")
    person.choose('list "Language models" [name=effort]', "low")
    person.click(f'button "Save the sampling of {OPENAI_NAME}"')
    person.sees(f"[data-of='model-{OPENAI}']", "Saved.")
    person.sees('list "Language models" .model-sampling summary', "2 set")
    provider.replies = [HttpError(500, "out of order")]
    person.click(f'button "Try {OPENAI_NAME}"')
    person.sees(f"[data-of='model-{OPENAI}']", "out of order")
    asked = provider.requests[-1]
    assert (asked["temperature"], asked["reasoning_effort"]) == (0.3, "low")
    assert violations(surface, 'region "Language models"') == []


def test_an_agent_has_its_own_model_and_models_get_custom_instructions(
    surface: Surface, person: Person, provider: Provider, start: Start
) -> None:
    add(surface, "wire")
    add(surface, "wire", "large")
    open_models(person)
    person.click(".model-agents summary")
    person.click("input[name=agent]")
    person.type("chat")
    person.choose("select[name=id]", OPENAI)
    person.click("[data-does='Set the agent’s model']")
    person.sees("[data-of=model-agent]", "chat now uses it.")
    person.click("textarea[name=prompt]")
    person.type("Speak like a pirate.")
    person.click("[data-does='Save instructions']")
    person.sees("[data-of=model-prompt]", "Saved. Applies to the next task.")
    provider.replies = [call("done", result="aye"), call("done", result="aye")]
    runs = start(
        "python_run",
        code="import gemini\nawait gemini.agents.run('Hi', tools=['files'])\n"
        "await gemini.agents.run('Hi', agent='chat', tools=['files'])",
    )
    # The user didn't press Start, so the companion asks for each model.
    for model in ("large", "small"):
        person.asked(model)
        person.click('button "Allow once"')
    runs.result()
    assert [asked["model"] for asked in provider.requests] == ["large", "small"]
    assert all("Speak like a pirate." in asked["messages"][0]["content"] for asked in provider.requests)
    person.click("[data-does='Reset to default for chat']")
    person.no_longer_sees("[data-does='Reset to default for chat']")
    surface.python("models.instruct('')")


@pytest.mark.extended
@pytest.mark.parametrize(("provider_name", "path"), [("wire", "openai"), ("claude", "anthropic")])
def test_a_run_through_the_gateway_calls_tools(
    surface: Surface, person: Person, provider: Provider, folder: str, provider_name: str, path: str
) -> None:
    add(surface, provider_name)
    both = Completion(
        "Both.", [("file_write", json.dumps({"path": f"{folder}/{name}", "content": name})) for name in "ab"]
    )
    provider.replies = [HttpError(529, "overloaded"), both, call("done", result="Both are there")]
    start_task(person, f"Write two files ({path})")
    wait_until(surface, "done", 2)
    assert person.sees('region "Outcome"', "Both are there")
    assert surface.call("file_read", path=f"{folder}/b")["content"] == "b"
    assert "240 tokens" in person.sees(".agent-run > .agent-facts")
    # Neither the page's token nor other data of the page reaches the provider.
    assert not [
        name
        for headers in provider.headers
        for name in headers
        if name in ("authorization", "cookie", "origin")
    ]


@pytest.mark.extended
def test_a_run_counts_its_tokens_as_they_come_and_starts_again_by_retry(
    surface: Surface, person: Person, provider: Provider
) -> None:
    add(surface, "wire")
    provider.replies = [
        Completion("Well, this is how it begins.", silent_after=5),
        call("done", result="At last"),
    ]
    start_task(person, "Be done")
    # Nothing is paid yet: the provider says how many at the end.
    person.sees(".agent-run > .agent-facts", "7 tokens")
    person.click('region "Agent" button "Cancel"')
    wait_until(surface, "cancelled")
    person.click('region "Agent" button "Retry"')
    person.sees('region "Outcome"', "At last")
    person.click(".agent-step > summary")
    person.sees(".agent-step .agent-inside", "first word after")


@pytest.mark.extended
def test_a_user_selects_another_model_for_a_run(surface: Surface, person: Person, provider: Provider) -> None:
    add(surface, "claude")
    add(surface, "wire")
    provider.replies = [call("done", result="by the other one")]
    open_panel(person)
    person.choose('region "Agent" select[name=model]', ANTHROPIC)
    person.click('region "Agent" textbox "Task"')
    person.type("Be done")
    person.press(Keys.ENTER, holding=Keys.CONTROL)
    person.sees('region "Outcome"', "by the other one")
    assert "system" in provider.requests[0] and "max_tokens" in provider.requests[0]


def test_a_chat_streams_and_a_stop_ends_the_request(
    surface: Surface, person: Person, provider: Provider
) -> None:
    add(surface, "wire")
    provider.replies = [Completion("Well, **this** is how it begins, and", silent_after=5)]
    person.open_panel("chat")
    person.click('region "Chat" textbox "Message"')
    person.type("How does it begin?")
    person.press(Keys.ENTER)
    person.sees('region "Chat"', "this is")
    person.click('region "Chat" button "Stop"')
    assert provider.left.wait(10)


def test_the_token_of_models_opens_nothing_else(surface: Surface) -> None:
    statuses = surface.python(
        "import json, js\nfrom gemini.core import ffi\nendpoint = await models.gateway.endpoint('wire')\n"
        "head = {'authorization': f'Bearer {endpoint.key}'}\n"
        "paths = ['/mcp', '/models/wire/models']\n"
        "[(await ffi.fetch(js.location.origin + path, 'GET', head, b'')).status for path in paths]"
    )
    # The kernel's origin has no such address, and its policy allows no other origin.
    assert statuses == [404, 200]


def test_the_browser_s_own_model_writes_a_file(surface: Surface, person: Person, folder: str) -> None:
    surface.javascript(FAKE_MODEL.replace("PATH", f"{folder}/own.txt"))
    add(surface, "builtin", "")
    start_task(person, "Write a file")
    wait_until(surface, "done", 2)
    person.sees('region "Outcome"', "written")
    assert surface.call("file_read", path=f"{folder}/own.txt")["content"] == "hello"
    system = surface.javascript("return LanguageModel.asked[0][0]")
    # Its context is small, so the prompt is the short one.
    assert system["role"] == "system"
    assert system["content"].startswith("You do the user's task by writing Python")
    # Each answer has its own session, which is destroyed.
    assert surface.javascript("return [LanguageModel.asked.length, LanguageModel.destroyed]") == [2, 2]
    start_task(person, "Fall silent")
    person.sees(".agent-stream", "Well,")
    person.click('region "Agent" button "Cancel"')
    wait_until(surface, "cancelled")
    surface.wait_for("LanguageModel.destroyed === 3")


def test_an_error_of_the_browser_s_own_model_has_its_type(surface: Surface) -> None:
    surface.javascript(
        "window.LanguageModel = { availability: async () => 'available',"
        " create: async () => { throw new DOMException('too long', 'QuotaExceededError') } }"
    )
    add(surface, "builtin", "")
    code = "run = gemini.agents.run('Say hello', max_steps=2)\n(await run).reason"
    assert "too long" in surface.python(f"import gemini\n{code}")
    ask = (
        "from gemini.errors import GeminiError\nfrom gemini.kernel.kernel import kernel\n"
        "try: await kernel.browser.ask_owner('model', {'method': 'open', 'params': {'messages': []}})\n"
        "except GeminiError as error: found = error\ntype(found).__name__"
    )
    assert surface.python(ask) == "ContextExceeded"
    surface.python("models.remove('builtin')")


def test_a_browser_without_a_model_says_so(surface: Surface, person: Person) -> None:
    surface.javascript("window.LanguageModel = { availability: async () => 'unavailable' }")
    add(surface, "builtin", "")
    surface.python("await models.refresh()")
    open_models(person)
    person.sees("[data-model=builtin]", "This browser has no built-in model")
    surface.python("models.remove('builtin')")


@pytest.mark.extended
def test_a_model_creates_views_and_fixes_a_chart(
    surface: Surface, person: Person, provider: Provider, folder: str
) -> None:
    """The model misspells a name in its page, looks at the page, and fixes the error."""
    surface.python(
        f"for n in range(14): open(f'{folder}/data-{{n:02}}.bin', 'w').write('x' * (n + 1) * 1000)"
    )
    page = f"{folder}/chart.html"

    def reply(asked: dict[str, Any]) -> Completion:
        done = tools_done(asked)
        match len(done):
            case 0:
                return call("terminal_execute", command=f"ls -lS {folder} | grep data- | head -n 10")
            case 1:
                listing = json.loads(done[0][done[0].index("{") : done[0].rindex("}") + 1])
                rows = [line.split() for line in listing["output"].splitlines()]
                files = [[row[-1], int(row[4])] for row in rows]
                return call(
                    "file_write", path=page, content=CHART.format(files=json.dumps(files), place="chrat")
                )
            case 2 | 6:
                return call("browser_navigate", url=page)
            case 3 | 7:
                return call("browser_snapshot")
            case 4:
                assert "data-13.bin" not in done[3]
                return call("browser_console")
            case 5:
                assert "null" in done[4]
                return call("file_edit", path=page, old='"chrat"', new='"chart"')
            case _:
                shown = [name for name in (f"data-{n:02}.bin" for n in range(14)) if name in done[7]]
                return call(
                    "done", result=f"The chart shows {len(shown)} files, from {shown[-1]} to {shown[0]}"
                )

    add(surface, "wire")
    provider.script = reply
    start_task(
        person,
        "Write a page that shows the ten largest files as a chart, open it, check that it shows, and fix what is wrong",
    )
    wait_until(surface, "done", 9)
    person.sees('region "Outcome"', "The chart shows 10 files, from data-13.bin to data-04.bin")
    # An agent's tab stays in the background.
    person.open_panel("browser")
    person.click('tablist "Open pages" [data-owner=finished]')
    person.sees('tablist "Open pages" [aria-selected=true]', "Ten largest")


def test_the_user_allows_a_model_in_all_scheduled_runs(
    surface: Surface, person: Person, provider: Provider
) -> None:
    def run(number: int) -> None:
        surface.python(f"import gemini\ngemini.schedule.run_now({row!r})")
        ended = "document.querySelector('#schedules .schedule-last')?.innerText.includes(arguments[0])"
        asked.extend(person.answer_until(ended, f": Hello {number}", decisions=["always"]))

    provider.script = lambda body: Completion(f"Hello {len(provider.requests)}")
    add(surface, "wire")
    person.open_panel("schedules")
    row = surface.python("import gemini\n(await gemini.schedule('every day at 9', 'Say hello'))['id']")
    asked: list[str] = []
    run(1)
    assert len(asked) == 1 and "a language model, for what it calls a scheduled run" in asked[0]
    run(2)
    assert len(asked) == 1 and len(provider.requests) == 2

    person.open_panel("activity")
    person.click('region "Activity" .activity-spending summary')
    assert "by your allowance" in person.sees('region "Activity" .activity-spending summary', "2 requests")
    person.sees('list "Uses of models in scheduled runs" li', "small of wire")
    assert violations(surface, 'region "Activity"') == []
    open_models(person)
    person.sees('list "Scheduled runs use these without asking"', "small of wire: 240 of")
    assert violations(surface, 'region "Keys of language models"') == []
    person.click('list "Scheduled runs use these without asking" button')
    person.sees('region "Keys of language models"', "Revoked. Scheduled runs ask again.")
    person.no_longer_sees('list "Scheduled runs use these without asking"')
    person.open_panel("schedules")
    run(3)
    assert len(asked) == 2
    surface.python(f"import gemini\ngemini.schedule.delete({row!r})")
