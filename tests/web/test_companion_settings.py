"""The companion in the settings panel: MCP, configurations, this computer, and language models."""

from __future__ import annotations

import asyncio
import json
import subprocess
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import keyring
import keyring.backends.fail
import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import Implementation
from selenium.webdriver.common.keys import Keys

from gemini_companion.host.policy import HostPolicy
from gemini_companion.mcp import keys as tokens
from gemini_companion.mcp.keys import FILE
from gemini_companion.models.providers import BUILT_IN
from gemini_companion.network import Fetcher, Reach
from gemini_companion.serving.app import Companion
from gemini_companion.serving.server import Server, running
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.companions import client_of, companion_of, opened_by, server_on_used_ports
from tests.git.server import git_server
from tests.unit.companion.keyrings import MemoryKeyring, memory_keyring
from tests.unit.companion.models.upstreams import KEY, FakeProvider, models, served
from tests.web.axe import violations
from tests.web.names import CONNECT, CONNECT_MODEL, FACT
from tests.web.person import Background, Person, erase
from tests.web.shadow import FOUND

pytestmark = pytest.mark.fortnightly

# The page refuses these itself, so they never reach the companion.
BY_PYTHON = """
import asyncio
from gemini.kernel.kernel import kernel
methods = [
    "settings/git_credentials", "settings/delete_git_credential",
    "settings/secrets", "settings/save_secret", "settings/delete_secret",
    "settings/search", "settings/choose_search", "settings/set_search_key", "settings/delete_search_key",
    "settings/status", "settings/mcp", "settings/move_port", "settings/set_key", "settings/providers",
    "settings/delete_key", "settings/look_up", "settings/try_model", "settings/local_models", "settings/add_server",
    "settings/look_up_embeddings", "settings/make_search_model",
    "settings/remove_server", "host/press", "host/keys",
    "host/revoke", "consent/answer", "consent/tainted", "models/grant", "models/ceiling", "page/hello",
]
asked = [asyncio.wait_for(kernel.host.request(method, {}), 3) for method in methods]
sorted({str(each).partition("for")[0] for each in await asyncio.gather(*asked, return_exceptions=True)})
"""
CLIPBOARD = "navigator.clipboard.readText()"
SWITCH = 'switch "Answer MCP clients"'


@contextmanager
def served_in_thread(app: Any) -> Generator[str]:
    """Run `served` for a test without an event loop."""
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()
    ready = threading.Event()
    urls: list[str] = []

    async def serve() -> None:
        async with served(app) as url:
            urls.append(url)
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    ready.wait()
    try:
        yield urls[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


@pytest.fixture(scope="module")
def provider() -> FakeProvider:
    return FakeProvider()


@pytest.fixture(scope="module")
def secrets() -> Iterator[MemoryKeyring]:
    with memory_keyring() as memory:
        yield memory


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("machine")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the URL of an empty repository that wants a user name and a password."""
    folder = tmp_path_factory.mktemp("repositories")
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", "private.git"], cwd=folder, check=True)
    with git_server(folder) as url:
        yield f"{url}/private.git"


@pytest.fixture(scope="module")
def companion(
    surface_dist: Path, provider: FakeProvider, secrets: MemoryKeyring, machine: Path, repository: str
) -> Iterator[Companion]:
    with pytest.MonkeyPatch.context() as patch, served_in_thread(provider) as url:
        for variable in (each for provider in BUILT_IN for each in provider.variables):
            patch.delenv(variable, raising=False)
        patch.setenv("ANTHROPIC_API_KEY", KEY)
        file = machine / "configuration" / "control-surface" / "providers.toml"
        file.parent.mkdir(parents=True)
        file.write_text(f'[providers.mine]\nbase_url = "{url}"\nkey = "needed"\n', encoding="utf-8")
        patch.setenv("XDG_CONFIG_HOME", str(machine / "configuration"))
        patch.setenv("XDG_DATA_HOME", str(machine / "data"))
        reach = Reach(also={("127.0.0.1", urlsplit(repository).port or 0)})
        policy = HostPolicy(allowed=True, directories=(machine,))
        with companion_of(surface_dist, policy, Fetcher(reach), tokens.Keys(machine / FILE)) as companion:
            yield companion


@pytest.fixture(scope="module")
def surface_of_module(companion: Companion, browsers: BrowserPool) -> Iterator[Surface]:
    with opened_by(companion, browsers) as surface:
        yield surface


@pytest.fixture
def panel(surface: Surface, person: Person) -> Iterator[Person]:
    """Return the user at the settings, with MCP on."""
    open_settings(person)
    person.sees('region "MCP clients" dd code')
    yield person
    if surface.javascript(f"return {FOUND}(arguments[0], true)[0].ariaChecked", SWITCH) == "false":
        person.click(SWITCH)
        person.sees(SWITCH, "On")


def open_settings(person: Person) -> None:
    person.open_panel("settings")


def use(companion: Companion, *tools: str, mode: Any = "auto") -> None:
    """Call tools without arguments as a client named Editor."""

    async def main() -> None:
        info = Implementation(name="Editor", version="1")
        async with client_of(companion, mode, client_info=info) as client:
            for tool in tools:
                await client.call_tool(tool, {})

    asyncio.run(main())


def does(label: str, within: str = 'region "Settings"') -> str:
    return f'{within} button "{label}"'


def test_it_says_how_to_connect_and_then_lists_clients(companion: Companion, panel: Person) -> None:
    panel.sees('region "MCP clients"', "None yet")
    assert panel.sees('region "MCP clients" dd code') == companion.mcp_url
    use(companion, "terminal_list", "terminal_list", "file_list")
    row = panel.sees('list "Connected clients" li', "3 calls, the last one to file_list")
    assert "Editor" in row and "over HTTP" in row and "terminal_list × 2" in row
    panel.sees('list "Connected clients" li[data-live=false]', "disconnected")


def test_the_mcp_test_makes_a_real_call_that_is_logged(companion: Companion, panel: Person) -> None:
    panel.find(does("Test MCP")).send_keys(Keys.ENTER)
    shown = panel.sees("[data-of=mcp-test]", "It works")
    assert "tools listed, " in shown and ", MCP 20" in shown
    panel.sees('list "Connected clients" li', "Test of the settings")


@pytest.mark.extended
def test_clients_are_refused_while_mcp_is_off(companion: Companion, surface: Surface, panel: Person) -> None:
    panel.by_script(SWITCH)
    use(companion, "terminal_list")
    panel.find(SWITCH).send_keys(Keys.SPACE)
    panel.sees('region "MCP clients"', "MCP is off. Clients get an error")
    panel.sees(FACT, "MCP off")
    with pytest.raises((MCPError, ExceptionGroup), match=r"turned it off|unhandled"):
        use(companion, "terminal_list")
    panel.click(does("Test MCP"))
    panel.sees("[data-of=mcp-test]", "MCP is off")

    panel.click(SWITCH)
    panel.sees(SWITCH, "On")
    use(companion, "terminal_list")
    panel.click(does("Test MCP"))
    panel.sees("[data-of=mcp-test]", "It works")
    surface.wait_for("document.querySelector('#status-companion').innerText === 'Companion'")


def test_a_configuration_is_copied_with_its_masked_token(
    companion: Companion, surface: Surface, panel: Person
) -> None:
    token = companion.keys.of("VS Code")
    panel.copy("")
    panel.click('region "MCP clients" radio "VS Code"')
    secret = ".configuration[data-secret=true]"
    assert token not in surface.javascript("return document.documentElement.outerHTML")
    panel.by_script(f"{secret} button")
    panel.click(f"{secret} button")
    panel.sees(f"{secret} .outcome", "Copied.")
    copied = json.loads(surface.wait_for(CLIPBOARD))
    assert copied["servers"]["control-surface"]["headers"] == {"Authorization": f"Bearer {token}"}
    assert copied["servers"]["control-surface"]["url"] == companion.mcp_url

    panel.by_script(does("Show token"))
    assert token not in surface.javascript("return document.documentElement.outerHTML")
    panel.click(does("Show token"))
    panel.sees(f"{secret} pre", token)
    panel.open_panel("start")
    surface.wait_for("!document.documentElement.outerHTML.includes(arguments[0])", token)


def test_the_palette_connects_a_client_to_this_page(
    companion: Companion, surface: Surface, panel: Person
) -> None:
    token = companion.keys.of("Cursor")
    panel.copy("")
    panel.press("k", holding=Keys.CONTROL)
    panel.type("connect claude")
    panel.sees('listbox "Suggestions" [aria-selected=true]', "Connect Claude")
    panel.press(Keys.ENTER)
    panel.click(f'{CONNECT} radio "Cursor"')
    panel.by_script(f"{CONNECT} [data-secret=true] button")
    panel.click(f"{CONNECT} [data-secret=true] button")
    panel.sees(f"{CONNECT} [data-secret=true] .outcome", "Copied.")
    [server] = json.loads(surface.wait_for(CLIPBOARD))["mcpServers"].values()
    assert server == {"url": companion.mcp_url, "headers": {"Authorization": f"Bearer {token}"}}
    use(companion, "terminal_list")
    panel.sees(f"{CONNECT} [role=status]", "Editor")
    assert violations(surface, CONNECT) == []

    panel.click(does("Show token", CONNECT))
    panel.sees(f"{CONNECT} pre", token)
    panel.press(Keys.ESCAPE)
    surface.wait_for("!document.documentElement.outerHTML.includes(arguments[0])", token)


def test_claude_desktop_uses_this_page_once_it_is_allowed(
    companion: Companion, surface: Surface, panel: Person
) -> None:
    panel.click('region "MCP clients" radio "Claude Desktop"')
    shown = json.loads(panel.sees(".configuration pre", "mcpServers"))
    port = companion.mcp_url.split(":")[2].split("/")[0]
    assert shown["mcpServers"]["control-surface"]["args"][-4:] == [
        "connect",
        "Claude Desktop",
        "--port",
        port,
    ]
    panel.sees(".configuration ~ .configuration pre", "--headless")
    panel.no_longer_sees(".configuration[data-secret=true]")

    allow, revoke = does("Allow and copy: Claude Desktop"), does("Revoke the access of Claude Desktop")
    panel.by_script(allow)
    panel.find(allow)
    assert companion.keys.lend("Claude Desktop") is None
    panel.click(allow)
    panel.find(revoke)
    token = companion.keys.lend("Claude Desktop")
    assert token is not None and companion.keys.admit(token) is not None
    panel.click(revoke)
    panel.find(allow)
    assert companion.keys.admit(token) is None


def test_this_computer_shows_what_the_page_may_run(surface: Surface, panel: Person, machine: Path) -> None:
    assert "No permissions" in panel.sees('region "This computer"', str(machine))
    panel.press("k", holding=Keys.CONTROL)
    panel.type(">new terminal on this")
    panel.press(Keys.ENTER)
    surface.wait_for("document.activeElement.matches('.terminal.own .own-enter')")
    open_settings(panel)
    assert "No permissions" in panel.sees('region "This computer"', "1 terminal on this computer open")


def choose_mine(panel: Person) -> None:
    """Open the dialog that connects a model, and choose the provider that needs a key."""
    # The section loads when it is first seen.
    panel.by_script('region "Language models"', "scrollIntoView()")
    panel.click(does("Connect a model…"))
    panel.click(f"{CONNECT_MODEL} [value=mine]")


def key_field(panel: Person) -> None:
    panel.click(f"{CONNECT_MODEL} [name=key]")


@pytest.mark.extended
def test_the_search_engine_is_chosen_and_its_key_saved_and_forgotten(
    surface: Surface, panel: Person, secrets: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BRAVE_API_KEY", raising=False)
    monkeypatch.delenv("BRAVE_SEARCH_API_KEY", raising=False)
    section = 'region "Search engine"'
    panel.click(f"{section} [value=brave]")
    panel.sees(section, "Agents search with Brave Search.")
    panel.click(f'{section} textbox "Key of Brave Search"')
    panel.type(KEY)
    panel.press(Keys.ENTER)
    panel.sees(section, "The key of Brave Search is in the keyring")
    assert secrets.saved == {("control-surface", "search/brave"): KEY}
    assert KEY not in surface.javascript("return document.documentElement.outerHTML")
    panel.by_script(does("Forget the key of Brave Search"))
    assert secrets.saved
    panel.click(does("Forget the key of Brave Search"))
    panel.sees(section, "Key deleted.")
    assert secrets.saved == {}
    panel.click(f'{section} textbox "Address of your SearXNG"')
    panel.type("http://printer.local")
    panel.press(Keys.ENTER)
    panel.sees(section, "name on this machine or its network")
    panel.click(f'{section} textbox "Address of your SearXNG"')
    panel.type("http://127.0.0.1:8888")
    panel.press(Keys.ENTER)
    panel.sees(section, "Agents search with SearXNG.")
    panel.click(f"{section} [value=duckduckgo]")
    panel.sees(section, "Agents search with DuckDuckGo.")


@pytest.mark.extended
def test_a_server_of_places_is_chosen_and_the_public_one_again(surface: Surface, panel: Person) -> None:
    section = ".places-settings"
    panel.click(f"{section} summary")
    assert "nominatim.openstreetmap.org" in panel.sees(section, "You are asked first.")
    panel.click(f'{section} textbox "Address of your Nominatim"')
    panel.type("http://printer.local")
    panel.press(Keys.ENTER)
    panel.sees(section, "name on this machine or its network")
    erase(panel.find(f'{section} textbox "Address of your Nominatim"'))
    panel.click(f'{section} textbox "Address of your Nominatim"')
    panel.type("http://127.0.0.1:8080")
    panel.press(Keys.ENTER)
    panel.sees(section, "coordinates and addresses at http://127.0.0.1:8080")
    panel.by_script(does("Use the public map server"))
    panel.sees(section, "coordinates and addresses at http://127.0.0.1:8080")
    panel.click(does("Use the public map server"))
    panel.sees(section, "coordinates and addresses at https://nominatim.openstreetmap.org")


@pytest.mark.extended
def test_a_key_is_tried_saved_used_and_deleted(
    surface: Surface, panel: Person, provider: FakeProvider, secrets: MemoryKeyring
) -> None:
    mine = 'list "Keys and servers" [data-provider=mine]'
    choose_mine(panel)
    panel.sees(CONNECT_MODEL, "keyring")
    key_field(panel)
    panel.type("short")
    panel.press(Keys.ENTER)
    panel.sees(f"{CONNECT_MODEL} [role=status]", "Paste a key")
    key_field(panel)
    panel.press("a", holding=Keys.CONTROL)
    panel.type(KEY)
    panel.sees(f"{CONNECT_MODEL} [role=status]", "Found 2 models")
    assert provider.seen[-1].headers["authorization"] == f"Bearer {KEY}"
    provider.says(b'{"choices": [{"message": {"content": "ready"}}]}')
    panel.click(f'{CONNECT_MODEL} button "Try"')
    panel.sees(f"{CONNECT_MODEL} [role=status]", "It answered “ready”")
    assert secrets.saved == {}
    panel.by_script(f"{CONNECT_MODEL} form", "requestSubmit()")
    panel.by_script(f'{CONNECT_MODEL} button "Connect"')
    panel.click(f'{CONNECT_MODEL} button "Connect"')
    panel.no_longer_sees(CONNECT_MODEL)
    assert secrets.saved == {("control-surface", "mine"): KEY}
    assert KEY not in surface.javascript(
        "return document.documentElement.outerHTML + [...document.querySelectorAll('input')].map(({ value }) => value)"
    )
    kernel = "import gemini.kernel.kernel\nkernel = gemini.kernel.kernel.kernel\n"
    assert KEY not in surface.python(kernel + "repr([kernel.registry.log.rows(), kernel.snapshot()])")

    # The panel lists the key when it is looked at again.
    panel.open_panel("start")
    open_settings(panel)
    panel.sees(mine, "key in the keyring")
    provider.says(b'{"error": "no"}', 401)
    choose_mine(panel)
    panel.sees(f"{CONNECT_MODEL} [role=status]", "refused the key")
    panel.press(Keys.ESCAPE)
    panel.by_script(does("Delete key for mine"))
    assert secrets.saved
    panel.click(does("Delete key for mine"))
    panel.no_longer_sees(mine)
    assert secrets.saved == {}
    provider.answering = models


def test_a_key_of_the_environment_can_not_be_changed(surface: Surface, panel: Person) -> None:
    panel.sees('list "Keys and servers" [data-provider=anthropic]', "key from the environment")
    assert surface.javascript(f"return {FOUND}(arguments[0], true)", does("Delete key for Anthropic")) == []


@pytest.mark.extended
def test_without_a_keyring_a_key_goes_to_a_file(surface: Surface, panel: Person, machine: Path) -> None:
    mine = 'list "Keys and servers" [data-provider=mine]'
    previous = keyring.get_keyring()
    keyring.set_keyring(keyring.backends.fail.Keyring())
    try:
        surface.reload()
        open_settings(panel)
        file = machine / "data" / "control-surface" / "keys.json"
        assert str(file) in panel.sees('region "Keys of language models"', "variable, such as OPENAI_API_KEY")
        choose_mine(panel)
        assert str(file) in panel.sees(CONNECT_MODEL, "no keyring")
        key_field(panel)
        panel.type(KEY)
        panel.sees(f"{CONNECT_MODEL} [role=status]", "Found 2 models")
        assert not file.exists()
        panel.press(Keys.ENTER)
        panel.no_longer_sees(CONNECT_MODEL)
        assert KEY in file.read_text() and file.stat().st_mode & 0o777 == 0o600
        panel.open_panel("start")
        open_settings(panel)
        panel.sees(mine, "key in a file")
        panel.click(does("Delete key for mine"))
        panel.no_longer_sees(mine)
        assert KEY not in file.read_text()
    finally:
        keyring.set_keyring(previous)
        surface.reload()


def test_python_in_the_page_can_request_none_of_it(surface: Surface) -> None:
    assert surface.call("python_run", code=BY_PYTHON)["result"] == ["Python can't ask the companion "]


@pytest.mark.extended
def test_it_is_accessible_in_both_themes(surface: Surface, panel: Person) -> None:
    panel.click('region "MCP clients" radio "Cursor"')
    for section in ("MCP clients", "This computer", "Keys of language models"):
        assert violations(surface, f'region "{section}"') == []


@pytest.mark.extended
def test_nothing_is_cut_off_in_a_narrow_panel(surface: Surface, panel: Person) -> None:
    metrics = {"width": 380, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    surface.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        panel.open_panel("settings")
        panel.click('region "MCP clients" radio "Claude Desktop"')
        panel.sees(".configuration pre")
        assert (
            surface.javascript(
                "return [...document.querySelectorAll('#settings *')].filter((each) => each.checkVisibility()"
                " && each.getBoundingClientRect().right > innerWidth).map((each) => each.outerHTML.slice(0, 100))"
            )
            == []
        )
    finally:
        surface.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.extended
def test_after_the_companion_ended_it_says_what_to_do(surface_dist: Path, browsers: BrowserPool) -> None:
    server = server_on_used_ports()
    companion = Companion(surface_dist, server)
    with running(server, companion.app(), **companion.other_apps()):
        surface = Surface(browsers.take(companion.url), companion.entrance.address())
        person = Person(surface)
        surface.load()
        open_settings(person)
        person.sees('region "This computer"', "--allow-host FOLDER")
    person.sees('region "MCP clients"', "The companion no longer responds")
    person.no_longer_sees('region "This computer"')
    person.no_longer_sees('list "Keys and servers"')
    again = Server(server.main.number)
    companion = Companion(surface_dist, again)
    with running(again, companion.app(), **companion.other_apps()):
        # In the same tab only the code after the # changes.
        surface.driver.get(companion.entrance.address())
        surface.wait_for("document.querySelector('#status-companion')?.innerText === 'Companion'")
        open_settings(person)
        person.sees('region "MCP clients" dd code', companion.mcp_url)
    browsers.give_back(surface.driver)


READ_ON = "document.querySelector('#approval-read-on')?.checkVisibility() ?? false"


def asks(person: Person, call: Background, text: str) -> str:
    """Wait for the question with a text, and allow the network's questions before it."""
    while True:
        question = person.asked()
        # In a low window a question is read to its end first.
        while person.surface.javascript(f"return {READ_ON}"):
            person.click('button "Read on"')
        if text in question:
            person.find("[role=alertdialog] .primary")
            return question
        assert "Python wants to" in question, question
        shown = "document.querySelector('[role=alertdialog] [data-id]').dataset.id"
        number = person.surface.javascript(f"return {shown}")
        person.click('button "Allow once"')
        ignored = "document.querySelector('[role=alertdialog] [role=status]').textContent"
        person.surface.wait_for(f"{shown} !== arguments[0] || {ignored}", number)


@pytest.mark.extended
def test_git_signs_in_with_what_the_person_enters(
    surface: Surface, person: Person, repository: str, secrets: MemoryKeyring
) -> None:
    origin = repository.removesuffix("/private.git")
    # The list is current while it is visible.
    open_settings(person)
    # Another test may have left a terminal of the computer in front.
    clone = {
        "terminal_id": "term-1",
        "command": f"cd $(mktemp -d) && git clone {repository} && git -C private remote -v",
    }
    call = Background(surface, "terminal_execute", clone)
    question = asks(person, call, "asks for a user name")
    assert origin in question and repository in question
    person.find('textbox "User name"').send_keys("ada")
    person.click('button "Sign in"')
    person.sees("[role=alertdialog] [role=status]", "Enter a user name, and a password")
    person.find('textbox "Password or token"').send_keys("wrong", Keys.ENTER)
    asks(person, call, "refused the last ones")
    assert surface.javascript("return document.querySelector('#sign-in-password').value") == ""
    person.find('textbox "User name"').send_keys("ada")
    person.find('textbox "Password or token"').send_keys("secret")
    person.click("[role=alertdialog] [type=checkbox]")
    person.click('button "Sign in"')
    person.answer_questions(call, "once")
    result = call.result()
    assert result["exit_code"] == 0 and "secret" not in json.dumps(result)
    assert secrets.saved["control-surface", f"git {origin}"] == '{"user": "ada", "password": "secret"}'

    call = Background(surface, "terminal_execute", clone)
    asks(person, call, "as ada of")
    person.click('button "Refuse"')
    person.answer_questions(call, "once")
    assert "Authentication failed" in call.result()["output"]

    assert "as ada" in person.sees('list "Git credentials" li', origin)
    person.by_script(does(f"Delete the credentials for {origin}"))
    assert secrets.saved
    person.click(does(f"Delete the credentials for {origin}"))
    person.sees("[data-of=git-credentials]", "Deleted")
    assert ("control-surface", f"git {origin}") not in secrets.saved
