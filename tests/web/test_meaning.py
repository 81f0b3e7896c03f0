"""Search by meaning in the page, with a provider's embeddings behind the companion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_companion.serving.app import Companion
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.companions import companion_of, opened_by
from tests.providers import Provider, running_provider
from tests.web.person import Person

MODE = 'search "Search and commands" [aria-label^=Mode]'
SAVE = "[data-does='Save the embedding model']"
MODELS = "import gemini.kernel.kernel\ngemini.kernel.kernel.kernel.models"


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture(scope="module")
def companion(
    surface_dist: Path, provider: Provider, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Companion]:
    folder = tmp_path_factory.mktemp("configuration")
    provider.configure(folder)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            patch.setenv(name, str(folder))
        with companion_of(surface_dist) as companion:
            yield companion


@pytest.fixture(scope="module")
def surface_of_module(companion: Companion, browsers: BrowserPool) -> Iterator[Surface]:
    with opened_by(companion, browsers) as surface:
        yield surface


@pytest.mark.extended
def test_a_user_adds_a_server_for_embeddings_where_it_is_used(
    surface: Surface, person: Person, provider: Provider
) -> None:
    before = surface.python(f"{MODELS}.row()['default']")
    person.press("k", holding=Keys.CONTROL)
    person.type("search by meaning")
    person.click('listbox "Suggestions" li[data-kind=setting]')
    person.click(".model-embedding summary")
    person.choose("[name=embedding-provider]", "address")
    person.click("[name=embedding-address]")
    # The other address of the provider, which isn't connected.
    person.type(provider.url.removeprefix("http://").replace("127.0.0.1", "localhost"))
    person.press(Keys.TAB)
    person.sees(".model-embedding", "Found 2 models: small computes embeddings.")
    person.click("[name=embedding-model]")
    person.press("a", holding=Keys.CONTROL)
    person.type("vectors")
    person.click(SAVE)
    person.sees(".model-embedding", "Saved.")
    person.click("[data-does='Try the embedding model']")
    person.sees(".model-embedding", "Computed 4 numbers")
    # Chats don't use it.
    assert surface.python(f"{MODELS}.row()['default']") == before
    surface.python(f"{MODELS}.choose_embedding(None)")


@pytest.mark.extended
def test_a_press_on_save_waits_for_the_look_up(surface: Surface, person: Person, provider: Provider) -> None:
    def type_address(address: str) -> None:
        person.choose("[name=embedding-provider]", "address")
        person.click("[name=embedding-address]")
        person.type(address)

    address = provider.url.removeprefix("http://").replace("127.0.0.1", "localhost")
    person.open_panel("settings")
    person.find('region "Language models" [data-does="Connect a model…"]')
    person.click(".model-embedding summary")
    provider.lists.clear()
    type_address(address)
    person.press(Keys.TAB)
    person.sees(".model-embedding", "Looking for a model…")
    # A look-up that is no longer wanted holds up nothing.
    person.choose("[name=embedding-provider]", "")
    type_address(address)
    # The field loses the focus with the press, and that starts the look-up.
    person.click(SAVE)
    person.sees(".model-embedding", "Saving…")
    assert surface.python(f"{MODELS}.row()['embedding']") is None
    provider.lists.set()
    person.sees(".model-embedding", "Saved.")
    assert surface.python(f"{MODELS}.row()['embedding']['model']") == "small"

    # A name that is typed meanwhile isn't replaced by the server's.
    provider.lists.clear()
    type_address(address)
    person.click("[name=embedding-model]")
    person.type("vectors")
    person.click(SAVE)
    person.sees(".model-embedding", "Saving…")
    provider.lists.set()
    person.sees(".model-embedding", "Saved.")
    assert surface.python(f"{MODELS}.row()['embedding']['model']") == "vectors"

    # Without a server there, nothing changes.
    type_address("127.0.0.1:9")
    person.click(SAVE)
    person.sees(".model-embedding", "Nothing is saved.")
    assert surface.python(f"{MODELS}.row()['embedding']['model']") == "vectors"
    surface.python(f"{MODELS}.choose_embedding(None)")


@pytest.mark.extended
def test_a_user_finds_a_file_by_its_meaning(surface: Surface, person: Person, provider: Provider) -> None:
    surface.call("file_write", path="/project/kitchen.md", content="# Kitchen\n\nGreen tea at four.\n")
    surface.call("file_write", path="/project/net.md", content="The socket is 8080.\n")

    person.press("k", holding=Keys.CONTROL)
    person.type("=beverage")
    person.sees(MODE, "Meaning")
    person.sees('search "Search and commands" .note', "Search by meaning is off")
    person.press(Keys.ENTER)

    person.find('region "Language models" [data-does="Connect a model…"]')
    person.click(".model-embedding summary")
    person.choose("[name=embedding-provider]", '{"provider":"wire"}')
    # A refused Save leaves the selection, and the field to be filled in.
    person.click(SAVE)
    person.sees(".model-embedding .outcome.bad")
    person.click("[name=embedding-model]")
    person.type("vectors")
    person.click(SAVE)
    person.sees(".model-embedding", "Saved.")
    person.click("[data-does='Try the embedding model']")
    person.sees(".model-embedding", "Computed 4 numbers")

    person.press("k", holding=Keys.CONTROL)
    person.type("=beverage")
    assert "up to $1.00" in person.sees('listbox "Suggestions"', "Search by meaning for “beverage”")
    assert "beverage" not in provider.embedded
    person.press(Keys.ENTER)
    person.sees('listbox "Suggestions" li[aria-selected=true]', "kitchen.md")
    assert {"beverage", "The socket is 8080.\n"} <= set(provider.embedded)
    person.press(Keys.ENTER)
    person.sees('region "Editor"', "Green tea at four")

    person.press("f", holding=Keys.CONTROL + Keys.SHIFT)
    person.click('region "Search" button "Search by meaning"')
    person.click('region "Search" textbox "Search"')
    person.type("drink")
    person.sees('region "Search"', "The text of your files goes to vectors (wire)")
    person.press(Keys.ENTER)
    person.sees('group "Matches" section h3', "kitchen.md")
    person.sees('region "Search"', "Best first.")
