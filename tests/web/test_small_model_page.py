"""A newcomer who runs a small model finds, tries, connects and asks it in the page, with a real llama.cpp."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_companion.serving.app import Companion
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.companions import companion_of, opened_by
from tests.llama import Llama, Variant, running
from tests.unit.companion.keyrings import memory_keyring
from tests.web.conftest import Resize
from tests.web.first_word import first_word
from tests.web.names import CONNECT_MODEL
from tests.web.person import Person

pytestmark = pytest.mark.extended(together="llama")

DIALOG = "#model-dialog"
NAME = "SmolLM2-135M-Instruct.Q4_1"
# A small model on a busy machine is slow; scripts of the driver have 120 s.
WITHIN_S = 110


@pytest.fixture(scope="module")
def server() -> Iterator[Llama]:
    with running() as server:
        yield server


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
        yield surface


def wait_for_text(surface: Surface, selector: str, text: str) -> None:
    surface.wait_for(
        "[...document.querySelectorAll(arguments[0])].some((each) => "
        "(each.shadowRoot ?? each).textContent.includes(arguments[1]))",
        selector,
        text,
        timeout_s=WITHIN_S,
    )


def test_a_small_model_is_tried_connected_and_asked(
    surface: Surface, person: Person, server: Llama, resize: Resize
) -> None:
    # On a phone, connecting opens a chat.
    resize(390, 844)
    person.click('contentinfo "Status" button "Connect a model"')
    surface.wait_for("document.activeElement === document.querySelector('#model-dialog [name=address]')")
    person.type(server.url.removeprefix("http://"))
    person.sees(f"{CONNECT_MODEL} [role=status]", "Found 1 model")
    # The server's name for it is the path of its file.
    assert (
        surface.javascript(f"return document.querySelector('{DIALOG} [name=model]').selectedOptions[0].text")
        == NAME
    )
    person.click(f'{CONNECT_MODEL} button "Try"')
    for fact in ("It streams its answers.", "It doesn’t call a tool of the API.", "It follows a JSON schema"):
        wait_for_text(surface, ".model-facts", fact)
    wait_for_text(surface, ".model-facts", "Its context has 4,096 tokens")
    pressed = time.time()
    person.click(f'{CONNECT_MODEL} button "Connect"')
    person.no_longer_sees(DIALOG)
    surface.wait_for("document.activeElement?.id === 'chat-input'")
    sent, drawn = first_word(surface, person, "Say hello.")
    print(f"first word {drawn - pressed:.1f} s after Connect, {drawn - sent:.1f} s after Send")
    person.sees('region "Chat" .chat-message[data-role=assistant]', NAME)


def test_a_context_that_is_too_small_is_known_before_anything_is_sent(
    surface: Surface, person: Person, resize: Resize
) -> None:
    resize(1280, 720)
    with running(Variant(context=256)) as small:
        person.open_panel("start")
        person.click('region "Start" [value=set-up-model]')
        surface.wait_for("document.activeElement === document.querySelector('#model-dialog [name=address]')")
        person.type(small.url.removeprefix("http://"))
        person.sees(f"{CONNECT_MODEL} [role=status]", "Found 1 model")
        person.click(f'{CONNECT_MODEL} button "Connect"')
        person.no_longer_sees(DIALOG)
        surface.wait_for(f"document.querySelector('#status-model').textContent.includes('{small.url[7:]}')")
        person.click('textbox "Describe a task"')
        person.type(f"Write hello into hello.txt{Keys.ENTER}")
        assert "llama-server -c" in person.sees('region "Agent"', "the model's context has 256")
