"""The user of the end-to-end tests finds what people see by role and name, also what a busy page draws late."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gemini_testing import Surface
from tests.web.person import Person
from tests.web.shadow import FOUND

pytestmark = pytest.mark.extended

PLACE = """
<section aria-label="Kitchen">
  <button>Boil</button><button aria-label="Stop the kettle">Boil</button><div class="untrusted"></div>
  <section aria-label="Drawer" hidden><button>Boil</button></section>
  <p role="alert">Hot</p>
</section>
"""
MAKE = """
const place = Object.assign(document.createElement("div"), { id: "place-of-test", innerHTML: arguments[0] });
document.body.prepend(place);
const root = place.querySelector(".untrusted").attachShadow({ mode: "open" });
root.innerHTML = "<div><h2>Tea</h2></div>";
"""
RENAME = """
requestAnimationFrame(() => (document.querySelector("#place-of-test button").ariaLabel = "Play"));
"""


@pytest.fixture
def kitchen(surface: Surface, person: Person) -> Iterator[Person]:
    surface.driver.execute_script(MAKE, PLACE)
    yield person
    surface.driver.execute_script("document.querySelector('#place-of-test').remove()")


def texts(surface: Surface, selector: str) -> list[str]:
    return surface.javascript(
        f"return {FOUND}(arguments[0]).map(({{ textContent }}) => textContent)", selector
    )


def test_a_name_is_the_one_in_the_accessibility_tree(kitchen: Person) -> None:
    assert kitchen.find('region "Kitchen" button "Boil"').get_attribute("aria-label") is None
    assert kitchen.find('button "Stop the kettle"').text == "Boil"


def test_an_element_is_found_when_it_gets_its_name_later(surface: Surface, kitchen: Person) -> None:
    surface.driver.execute_script(RENAME)
    assert kitchen.find('button "Play"').text == "Boil"


def test_css_stands_before_between_and_behind_roles(surface: Surface, kitchen: Person) -> None:
    assert texts(surface, 'region "Kitchen" [role=alert]') == ["Hot"]
    assert texts(surface, '#place-of-test region "Kitchen" > p') == ["Hot"]
    # Also in the root of a view of untrusted markup, which CSS doesn't reach.
    assert texts(surface, 'region "Kitchen" h2') == ["Tea"]
    assert texts(surface, 'region "Kitchen" .untrusted heading "Tea"') == ["Tea"]


def test_the_name_of_a_region_is_not_its_text(surface: Surface, kitchen: Person) -> None:
    assert texts(surface, 'region "Hot"') == []


def test_hidden_elements_have_no_role(surface: Surface, kitchen: Person) -> None:
    assert texts(surface, 'region "Drawer" button "Boil"') == []
