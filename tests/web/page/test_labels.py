"""Controls behind their labels: listed by the label, and used through it."""

from __future__ import annotations

import pytest

from tests.tiers import in_turn
from tests.web.page.acting import act, refused
from tests.web.page.conftest import OpenPage

HIDDEN = [
    '<label>Plan A<input id=c type={type} style="display:none"></label>',
    "<label>Plan A<input id=c type={type} hidden></label>",
    '<label>Plan A<input id=c type={type} style="visibility:hidden"></label>',
    "<label>Plan A<span hidden><input id=c type={type}></span></label>",
    "<label for=c>Plan A</label><input id=c type={type} hidden>",
    "<div hidden><input id=c type={type}></div><label for=c>Plan A</label>",
    '<label>Plan A<input id=c type={type} style="position:absolute;width:0;height:0;margin:0;appearance:none"></label>',
    '<label>Plan A<input id=c type={type} style="position:absolute;opacity:0"></label>',
    '<input id=c type={type} style="position:absolute;left:-9999px"><label for=c>Plan A</label>',
    '<input id=c type={type} style="position:absolute;top:-9999px"><label for=c>Plan A</label>',
    '<input id=c type={type} style="position:fixed;left:-200vw"><label for=c>Plan A</label>',
    '<label>Plan A<input id=c type={type} style="position:absolute;clip:rect(0 0 0 0);width:1px;height:1px"></label>',
    '<label>Plan A<input id=c type={type} style="position:absolute;clip-path:inset(50%);width:1px;height:1px"></label>',
    "<label>Plan A<input id=c type={type} role=switch hidden></label>",
    '<label>Plan A<input id=c type={type} style="position:absolute;transform:scale(0)"></label>',
    '<div style="height:0;overflow:hidden"><input id=c type={type}></div><label for=c>Plan A</label>',
    '<input id=c type={type} style="position:absolute;margin-left:-99999px"><label for=c>Plan A</label>',
    '<label><input id=c type={type} style="position:absolute;opacity:0;pointer-events:none"><span>Plan A</span></label>',
]


@pytest.mark.parametrize("kind", ["radio", "checkbox"])
@in_turn("html", HIDDEN)
def test_a_hidden_control_is_used_through_its_label(html: str, kind: str, open_page: OpenPage) -> None:
    page = open_page(html.format(type=kind))
    entries = page.snapshot()["elements"]
    role = "switch" if "switch" in html else kind
    [entry] = [one for one in entries if one["role"] == role]
    assert entry["name"] == "Plan A"
    assert entry["width"] > 1 and entry["in_view"]
    answer = act(page, "click", ref=entry["ref"], timeout=1)
    assert answer["success"]
    assert page.run("return document.querySelector('#c').checked")
    [entry] = [one for one in page.snapshot()["elements"] if one["role"] == role]
    assert entry["states"]["checked"] in (True, "true")


def test_a_hidden_switch_is_used_through_what_labels_it(open_page: OpenPage) -> None:
    page = open_page(
        "<button id=s role=switch aria-checked=false aria-labelledby=t hidden></button><span id=t>Dark mode</span>"
        "<script>t.onclick = () => s.setAttribute('aria-checked', 'true')</script>"
    )
    [entry] = [one for one in page.snapshot()["elements"] if one["role"] == "switch"]
    assert entry["name"] == "Dark mode"
    assert act(page, "click", ref=entry["ref"], timeout=1)["success"]
    assert page.run("return document.querySelector('#s').getAttribute('aria-checked')") == "true"


def test_a_hidden_list_is_selected_behind_its_label(open_page: OpenPage) -> None:
    page = open_page("<label>Country<select hidden><option>Chile<option>Peru</select></label>")
    [entry] = [one for one in page.snapshot()["elements"] if one["role"] == "combobox"]
    assert (entry["name"], entry["options"]) == ("Country", ["Chile", "Peru"])
    assert act(page, "select", ref=entry["ref"], option="Peru")["value"] == "Peru"


def test_a_hidden_list_of_several_options_is_selected_behind_its_label(open_page: OpenPage) -> None:
    page = open_page("<label>Tags<select multiple hidden><option>a<option>b</select></label>")
    [entry] = page.snapshot()["elements"]
    assert act(page, "select", ref=entry["ref"], option="b")["value"] == "b"


def test_a_press_on_a_label_avoids_the_links_in_it(open_page: OpenPage) -> None:
    page = open_page(
        "<label><input id=c type=checkbox hidden>I accept the <a href='#x'>long terms of use</a>, all</label>"
    )
    entries = page.snapshot()["elements"]
    [entry] = [one for one in entries if one["role"] == "checkbox"]
    assert act(page, "click", ref=entry["ref"], timeout=1)["success"]
    assert page.run("return c.checked && location.hash === ''")


def test_a_label_that_is_only_a_link_is_no_way_to_its_control(open_page: OpenPage) -> None:
    page = open_page(
        "<label style='display: inline-block'><input type=checkbox hidden><a href='#x'>Terms</a></label>"
    )
    [entry] = [one for one in page.snapshot()["elements"] if one["role"] == "checkbox"]
    assert refused(page, "click", ref=entry["ref"])["type"] == "Covered"
    assert page.run("return location.hash === ''")


def test_a_control_without_a_label_that_is_shown_stays_hidden(open_page: OpenPage) -> None:
    page = open_page(
        "<input type=checkbox hidden><label hidden>No<input type=radio></label>"
        "<label>Name<input hidden></label><label for=x>Shown</label><input id=x type=checkbox>"
    )
    assert [one["role"] for one in page.snapshot()["elements"]] == ["checkbox"]


def test_suggestions_of_a_field_are_selected(open_page: OpenPage) -> None:
    page = open_page(
        "<input list=l id=i><datalist id=l><option value=be label=Belgium><option value=Chile></datalist>"
        "<script>said = []; i.oninput = i.onchange = ({type}) => said.push(type)</script>"
    )
    [entry] = page.snapshot()["elements"]
    assert entry["options"] == ["Belgium", "Chile"]
    assert act(page, "select", ref=entry["ref"], option="Belgium")["value"] == "be"
    assert act(page, "select", ref=entry["ref"], option="Chile")["value"] == "Chile"
    assert page.run("return said") == ["input", "change"] * 2
    missing = refused(page, "select", ref=entry["ref"], option="Peru")
    assert missing["type"] == "NotFound" and '"Belgium", "Chile"' in missing["hint"]
