"""States and values."""

from __future__ import annotations

from typing import Any

from tests.tiers import in_turn
from tests.web.page.conftest import OpenPage

STATES: list[tuple[str, dict[str, Any]]] = [
    ("<input type=checkbox checked>", {"checked": True}),
    ("<div role=checkbox aria-checked=mixed>x</div>", {"checked": "mixed"}),
    ("<input type=radio>", {"checked": False}),
    ("<button aria-pressed=true>x</button>", {"pressed": True}),
    ("<button aria-expanded=false aria-haspopup=true>x</button>", {"expanded": False, "haspopup": "menu"}),
    ("<details open><summary>x</summary>y</details>", {"expanded": True}),
    ("<button popovertarget=p>x</button><div id=p popover>y</div>", {"expanded": False}),
    ("<div role=tab aria-selected=true>x</div>", {"selected": True}),
    ("<fieldset disabled><button>x</button></fieldset>", {"disabled": True}),
    (
        "<script>customElements.define('x-a', class extends HTMLElement { static formAssociated = true })</script>"
        "<x-a role=button disabled>x</x-a>",
        {"disabled": True},
    ),
    (
        "<div id=d disabled></div><script>d.attachShadow({ mode: 'open' }).innerHTML = '<i role=menuitem>x</i>'</script>",
        {"disabled": True},
    ),
    ("<div aria-disabled=true><button>x</button></div>", {"disabled": True}),
    ("<input required readonly>", {"required": True, "readonly": True}),
    ("<input type=email value=x>", {"type": "email", "invalid": True}),
    ("<input aria-invalid=spelling>", {"invalid": True}),
    ("<input required>", {"required": True}),
    ("<input type=radio required name=r>", {"checked": False, "required": True, "invalid": True}),
    ("<textarea disabled readonly></textarea>", {"disabled": True}),
    ("<a href=# aria-current=page>x</a>", {"current": "page"}),
    ("<input type=range max=9 value=4>", {"valuenow": 4, "valuemin": 0, "valuemax": 9}),
    ("<div role=tree><i role=treeitem>x</i></div>", {"selected": False, "level": 1}),
    ("<div role=tree><i role=group><i role=treeitem>x</i></i></div>", {"selected": False, "level": 2}),
    ("<div contenteditable>x</div>", {"editable": True}),
    ("<div contenteditable aria-readonly=true>x</div>", {"editable": True}),
    ("<input type=checkbox role=button aria-pressed=true>", {"pressed": False}),
]

SECRETS = [
    "<input type=password value=hunter2>",
    "<input autocomplete='one-time-code' value=991823>",
    "<input autocomplete='billing cc-number' value=41>",
    "<input name=cvc value=123>",
    "<input autocomplete=cc-name value='Ana Lima'>",
    "<input value='4111 1111 1111 1111'>",
    "<input style='-webkit-text-security:disc' value=hush>",
    "<div contenteditable>4111-1111-1111-1111</div>",
]


@in_turn(("html", "states"), STATES)
def test_states(open_page: OpenPage, html: str, states: dict[str, Any]) -> None:
    assert open_page(html).snapshot()["elements"][0]["states"] == states


@in_turn("html", SECRETS)
def test_secret_values_are_masked(open_page: OpenPage, html: str) -> None:
    snapshot = open_page(html).snapshot()
    assert snapshot["elements"][0]["value"] == "••••"
    assert "1111" not in snapshot["text"]


def test_a_secret_is_not_part_of_a_name(open_page: OpenPage) -> None:
    page = open_page("<label for=b>Use <input type=password value=hunter2></label><input id=b type=checkbox>")
    assert "hunter2" not in str(page.snapshot())


def test_a_drop_down_lists_its_options(open_page: OpenPage) -> None:
    [entry] = open_page("<select><option>One<option selected>Two</select>").snapshot()["elements"]
    assert entry["value"] == "Two"
    assert entry["options"] == ["One", "Two"]


def test_a_link_has_its_url(open_page: OpenPage) -> None:
    [entry] = open_page("<a href='/next?x=1'>Next</a>").snapshot()["elements"]
    assert entry["href"].endswith("/next?x=1")
