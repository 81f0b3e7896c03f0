"""The dialog that connects a language model, and the journey of a newcomer through it, with its actions counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_companion.serving.app import Companion
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from gemini_testing.server import serving
from tests.companions import companion_of, opened_by
from tests.providers import Completion, HttpError, Provider, running_provider
from tests.unit.companion.keyrings import memory_keyring
from tests.web.axe import violations
from tests.web.conftest import Resize
from tests.web.names import CONNECT_MODEL
from tests.web.person import CountingPerson, Person
from tests.web.shadow import FOUND

pytestmark = pytest.mark.fortnightly

ADDRESS = f"{CONNECT_MODEL} [name=address]"
FORGET = """
import gemini.kernel.kernel
models = gemini.kernel.kernel.kernel.models
for choice in models.row()["choices"]:
    models.remove(choice["id"])
"""
# Parts of the dialog with more content than they show.
FITS = f"""
const dialog = {FOUND}(arguments[0])[0];
const overflows = (part) => part.scrollHeight > part.clientHeight || part.scrollWidth > part.clientWidth;
return [dialog, dialog.querySelector(".model-dialog-body")].filter(overflows).map(({{ className }}) => className);
"""
ACTIONS = 5
# The field, the button that sends, and where the answer is shown.
START = ('region "Start" textbox "Describe a task"', 'region "Start" [type=submit]', 'region "Agent"')
CHAT = ('region "Chat" textbox "Message"', 'region "Chat" button "Send"', 'region "Chat"')


class Newcomer(CountingPerson):
    """A user of whom each typed text counts as one action, too."""

    def type(self, text: str) -> None:
        self.actions += 1
        super().type(text)


@pytest.fixture(scope="module")
def served() -> Iterator[Provider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture
def provider(served: Provider) -> Provider:
    served.reset()
    return served


@pytest.fixture(scope="module")
def companion(surface_dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Companion]:
    folder = tmp_path_factory.mktemp("companion")
    with pytest.MonkeyPatch.context() as patch, memory_keyring():
        patch.setenv("XDG_CONFIG_HOME", str(folder))
        patch.setenv("XDG_DATA_HOME", str(folder))
        with companion_of(surface_dist) as companion:
            yield companion


@pytest.fixture(scope="module")
def surface_of_module(companion: Companion, browsers: BrowserPool) -> Iterator[Surface]:
    with opened_by(companion, browsers) as surface:
        # The first chat would load them, which takes long on a busy machine.
        surface.python(
            "from gemini.models.providers.packages import load_packages\nawait load_packages('openai')"
        )
        yield surface


@pytest.fixture
def newcomer(surface: Surface, person: Person, pytestconfig: pytest.Config) -> Newcomer:
    """Return a user without a model, with no field focused."""
    surface.python(FORGET)
    person.sees('contentinfo "Status" button "Connect a model"')
    surface.javascript("document.activeElement.blur()")
    return Newcomer(surface, pytestconfig.getoption("--pictures"))


def focused(surface: Surface, field: str) -> None:
    surface.wait_for(f"document.activeElement === {FOUND}(arguments[0])[0]", field)


def connect_and_ask(surface: Surface, person: Newcomer, provider: Provider, *, by_keyboard: bool) -> None:
    provider.script = lambda _: Completion("The answer is 42.")
    if by_keyboard:
        person.press("m", holding=Keys.CONTROL + Keys.ALT)
    else:
        person.click('contentinfo "Status" button "Connect a model"')
    focused(surface, ADDRESS)
    person.type(provider.url.removeprefix("http://"))
    if person.pictures is not None:
        person.sees(f"{CONNECT_MODEL} [role=status]", "Found 2 models")
        person.picture("model")
    if by_keyboard:
        # It connects as soon as it has found the models.
        person.press(Keys.ENTER)
    else:
        person.sees(f"{CONNECT_MODEL} [role=status]", "Found 2 models")
        person.click(f'{CONNECT_MODEL} button "Connect"')
    width = surface.javascript("return innerWidth")
    # In a wide window the start page is in front, whose field takes a task. On a phone it isn't, and a chat opens.
    field, send, answers = START if width > 700 else CHAT
    focused(surface, field)
    person.type(f"Hello by {'keyboard' if by_keyboard else 'pointer'}, {width}")
    if by_keyboard:
        person.press(Keys.ENTER)
    else:
        person.click(send)
    person.sees(answers, "The answer is 42.")
    assert person.actions <= ACTIONS


FIRST = {(1280, False, True): [pytest.mark.pictured], (390, True, False): []}
LOOKS = [
    pytest.param((width, height), dark, by_keyboard, marks=marks)
    for width, height in ((1280, 720), (390, 844))
    for dark in (False, True)
    for by_keyboard in (False, True)
    for marks in [FIRST.get((width, dark, by_keyboard), [pytest.mark.extended])]
]


@pytest.mark.parametrize(("size", "dark", "by_keyboard"), LOOKS)
def test_journey_connect_a_server_and_give_a_task(
    surface: Surface,
    newcomer: Newcomer,
    provider: Provider,
    resize: Resize,
    size: tuple[int, int],
    dark: bool,
    by_keyboard: bool,
) -> None:
    resize(*size, dark=dark)
    connect_and_ask(surface, newcomer, provider, by_keyboard=by_keyboard)


def test_from_the_start_page_it_leads_to_the_task(
    surface: Surface, newcomer: Newcomer, provider: Provider, resize: Resize
) -> None:
    resize(1280, 720)
    newcomer.open_panel("start")
    newcomer.click('region "Start" [value=set-up-model]')
    focused(surface, ADDRESS)
    newcomer.type(provider.url + Keys.ENTER)
    focused(surface, START[0])
    newcomer.sees('region "Start" [type=submit]', "Start")


@pytest.mark.extended
def test_enter_right_after_connect_starts_the_task(
    surface: Surface, newcomer: Newcomer, provider: Provider, resize: Resize
) -> None:
    resize(1280, 720)
    newcomer.open_panel("start")
    newcomer.click(START[0])
    newcomer.type("Which is the answer?" + Keys.ENTER)
    focused(surface, ADDRESS)
    provider.script = lambda _: Completion("The answer is 42.")
    # Nobody presses as quickly as this.
    surface.javascript(
        """document.querySelector("#start-task").addEventListener(
          "focus", ({ target }) => target.form.requestSubmit(), { once: true })"""
    )
    newcomer.type(provider.url + Keys.ENTER)
    newcomer.sees('region "Agent"', "The answer is 42.")
    newcomer.no_longer_sees(CONNECT_MODEL)


def test_it_tries_an_address_as_it_is_typed(
    surface: Surface, newcomer: Newcomer, provider: Provider, resize: Resize
) -> None:
    resize(390, 844)
    newcomer.click('contentinfo "Status" button "Connect a model"')
    focused(surface, ADDRESS)
    newcomer.type("127.0.0.1:9")
    newcomer.sees(f"{CONNECT_MODEL} [role=status]", "Nothing answers at 127.0.0.1:9. Start the server")
    newcomer.press("a", holding=Keys.CONTROL)
    newcomer.type(f"{provider.url}/v1/chat/completions")
    newcomer.sees(f"{CONNECT_MODEL} [role=status]", f"Found 2 models at {provider.url}/v1")
    assert violations(surface, CONNECT_MODEL) == []
    assert surface.javascript(FITS, CONNECT_MODEL) == []
    newcomer.choose(f"{CONNECT_MODEL} select[name=model]", "large")
    provider.replies = [HttpError(500, "out of order")]
    newcomer.click(f'{CONNECT_MODEL} button "Try"')
    newcomer.sees(f"{CONNECT_MODEL} [role=status]", "answered 500: out of order")
    assert provider.requests[-1]["model"] == "large"
    # What a script writes isn't the user's.
    surface.javascript(f"{FOUND}(arguments[0])[0].value = 'http://10.0.0.1'", ADDRESS)
    newcomer.find(ADDRESS).send_keys("/")
    newcomer.sees(f"{CONNECT_MODEL} [role=status]", f"Found 2 models at {provider.url}/v1")
    newcomer.press(Keys.ESCAPE)
    newcomer.no_longer_sees(CONNECT_MODEL)
    assert newcomer.focus == "status-model"
    assert surface.python(FORGET + "models.row()['choices']") == []


@pytest.mark.extended
def test_the_browser_s_own_model_is_downloaded_and_connected(surface: Surface, newcomer: Newcomer) -> None:
    surface.javascript(
        """window.LanguageModel = class {
          static state = "downloadable";
          static async availability() { return LanguageModel.state; }
          static async create({ monitor }) {
            monitor(new EventTarget());
            LanguageModel.state = "available";
            return { destroy() {} };
          }
        }"""
    )
    newcomer.click('contentinfo "Status" button "Connect a model"')
    newcomer.sees(".model-places", "needs a download")
    newcomer.click(f"{CONNECT_MODEL} [value=builtin]")
    newcomer.click(f"{CONNECT_MODEL} .model-dialog-fields button")
    newcomer.sees(".model-places", "ready")
    newcomer.click(f'{CONNECT_MODEL} button "Connect"')
    newcomer.no_longer_sees(CONNECT_MODEL)
    assert surface.python(FORGET.replace("models.remove", "print") + "models.row()['chosen']") == "builtin"
    surface.javascript("delete window.LanguageModel")


@pytest.mark.extended
def test_without_a_companion_an_address_is_asked_about_and_its_key_lasts_for_one_visit(
    surface_dist: Path, browsers: BrowserPool, provider: Provider
) -> None:
    with serving(surface_dist) as url:
        surface = Surface(browsers.take(url), url)
        surface.load()
        person = Person(surface)
        person.click('contentinfo "Status" button "Connect a model"')
        focused(surface, ADDRESS)
        person.sees(CONNECT_MODEL, "control-surface serve")
        person.type(f"{provider.url}/v1")
        person.click(f"{CONNECT_MODEL} [name=key]")
        person.sees(CONNECT_MODEL, "Press Enter")
        person.type("sk-secret-of-mine")
        person.sees(CONNECT_MODEL, "until you leave")
        assert violations(surface, CONNECT_MODEL) == []
        person.press(Keys.ENTER)
        assert provider.url in person.asked()
        person.click('button "Allow once"')
        person.no_longer_sees(CONNECT_MODEL)
        log = surface.python(
            "import gemini.kernel.kernel\nkernel = gemini.kernel.kernel.kernel\n"
            "repr([kernel.registry.log.rows(), kernel.snapshot(), kernel.store.settings.get('models')])"
        )
        assert "sk-secret" not in log and "/small" in log
        assert "sk-secret" not in surface.javascript("return document.documentElement.outerHTML")
        surface.reload()
        person.sees('contentinfo "Status" button "Connect a model"')
        browsers.give_back(surface.driver)
