"""Roles, names and descriptions, as in Chromium."""

from __future__ import annotations

from typing import Any

from tests.tiers import in_turn
from tests.web.page.conftest import OpenPage

# HTML, and the role and name of its first entry.
ROLES = [
    ("<button>Save</button>", "button", "Save"),
    ("<a href=#>Home</a>", "link", "Home"),
    ("<a onclick=1>Scripted</a>", "link", "Scripted"),
    (
        "<a>Bare</a><script>document.querySelector('a').addEventListener('click', print)</script>",
        "link",
        "Bare",
    ),
    ("<input type=search placeholder=Find>", "searchbox", "Find"),
    ("<input list=l title=City><datalist id=l><option>Cork</datalist>", "combobox", "City"),
    ("<input type=number aria-label=Age>", "spinbutton", "Age"),
    ("<input type=date title=Day>", "textbox", "Day"),
    ("<input type=submit>", "button", "Submit"),
    ("<input type=image src=x alt=Go>", "button", "Go"),
    ("<label>Photo<input type=file></label>", "button", "Photo"),
    ("<input type=file multiple style='width:.1px;overflow:hidden'>", "button", "Choose Files"),
    ("<select title=One><option>a</select>", "combobox", "One"),
    ("<select multiple title=Many><option>a</select>", "listbox", "Many"),
    ("<details><summary>More <b>info</b></summary>x</details>", "button", "More info"),
    ("<div role='nonsense button'>B</div>", "button", "B"),
    ("<button role=none>Plain</button>", "button", "Plain"),
    ("<div tabindex=0 role=option>Lone</div>", "generic", ""),
    ("<div role=listbox aria-label=L><p role=group><b role=option>In</b></p></div>", "listbox", "L"),
    ("<table><tr><th><button>Sort</button></table>", "button", "Sort"),
    ("<div contenteditable aria-label=Text>x</div>", "generic", "Text"),
    ("<div role=group><b role=option>In</b></div>", "option", "In"),
    ("<svg><a xlink:href=#x><text y=9>Old</text></a></svg>", "link", "Old"),
]

NAMES = [
    ("<button><span>a</span><span>b</span></button>", "ab"),
    ("<button><div>a</div><div>b</div></button>", "a b"),
    ("<button><span><div>a</div></span><span>b</span></button>", "a b"),
    ("<button style='display:flex'><i>a</i><i>b</i></button>", "a b"),
    ("<button>a<br>b</button>", "a b"),
    ("<button>a<i style='display:inline-block'></i>b</button>", "ab"),
    ("<button>a<img alt=pic src=x>b</button>", "a pic b"),
    ("<button>a<b hidden>b</b><b aria-hidden=true>c</b><b style='visibility:hidden'>d</b></button>", "a"),
    ("<button style='text-transform:uppercase'>save</button>", "SAVE"),
    ("<button style='text-transform:capitalize'>x-ray o'neil <b>qui</b>ck</button>", "X-Ray O'neil Quick"),
    (
        "<style>b::before{content:'★ '}b::after{content:'x' / 'alt'}</style><button><b>R</b></button>",
        "★ R alt",
    ),
    ("<style>b::before{content:url(x.png) / 'a / b'}</style><button><b>R</b></button>", "a / b R"),
    ("<button><q>said</q></button>", "“said”"),
    ("<button><svg><title>Close</title></svg></button>", "Close"),
    ("<button><svg role=img aria-labelledby=t><title id=t>Gear</title></svg></button>", "Gear"),
    ("<button><svg><g><title>Inner</title></g></svg></button>", "Inner"),
    ("<button>Delete <input value=3> items</button>", "Delete 3 items"),
    ("<a href=#><article>apart</article><p>said</p></a>", "said"),
    ("<a href=#><table><tr><td>a<td>b</table></a>", "a b"),
    ("<a href=#><fieldset><legend>said</legend>apart</fieldset></a>", "said"),
    ("<a href=#>a<details><summary>said</summary>closed</details></a>", "a said"),
    ("<button><progress value=1></progress> done</button>", "1 done"),
    ("<style>b::after{content:'no';visibility:hidden}</style><button><b>Yes</b></button>", "Yes"),
    ("<input type=reset title=no>", "Reset"),
    ("<button aria-label=' '>Text</button>", "Text"),
    ("<button aria-labelledby='no yes'>Text</button><i id=yes hidden>Hid <b hidden>den</b></i>", "Hid den"),
    ("<button id=me aria-label=Delete aria-labelledby='me x'></button><i id=x>file</i>", "Delete file"),
    (
        "<i id=me role=spinbutton aria-label=year aria-labelledby='me x' aria-valuenow=9>9</i><i id=x>Birth</i>",
        "year Birth",
    ),
    ("<label for=i>One</label><label for=i>Two</label><input id=i>", "One Two"),
    ("<label>Every <input value=5> days</label>", "Every days"),
    ("<label for=i hidden>Hidden</label><input id=i title=Tip>", ""),
    ("<label for=i></label><button id=i>Text</button>", ""),
    ("<button aria-labelledby='l i' id=i>Oslo</button><label for=i id=l>Zone</label>", "Zone Oslo"),
    ("<label for=i title=Tip></label><input id=i>", "Tip"),
    ("<label id=l>Find <input aria-labelledby=l value=pizza></label>", "Find"),
    ("<input placeholder=P title=T>", "T"),
    ("<input aria-placeholder=P>", "P"),
    ("<button><img alt='' title=no src=x></button>", ""),
    ("<button><slot>plain</slot></button>", "plain"),
    ("<button>Every <input aria-label=no value=5></button>", "Every 5"),
    ("<button aria-owns=o>Save</button><b id=o> as copy</b>", "Save as copy"),
    ("<button aria-owns=o>Save <b id=o> all</b> now</button>", "Save now all"),
    (
        "<button><svg><use href=#s /></svg></button><svg><symbol id=s><title>Play</title></symbol></svg>",
        "Play",
    ),
    ("<svg><a href=#><title>Thursday</title><text>no</text></a></svg>", "Thursday"),
    ("<button><svg role=none><title>no</title></svg>Up</button>", "Up"),
    ("<button><svg role=img><text>no</text></svg>Up</button>", "Up"),
    ("<button><canvas>drawn</canvas></button>", "drawn"),
    ("<button>Area <math><mi>x</mi></math></button>", "Area"),
    ("<a href=#>x<hgroup><h2>no</h2></hgroup></a>", "x"),
    ("<style>td{border:1px solid}</style><a href=#>x<table><tr><td>no<td>no</table></a>", "x"),
    ("<p lang=tr><button style='text-transform:uppercase'>istanbul</button>", "İSTANBUL"),
    ("<button> many\n\tspaces &nbsp;here </button>", "many spaces \xa0here"),
    (
        "<i id=a aria-labelledby=b>A</i><i id=b aria-labelledby=a>B</i><button aria-labelledby=a></button>",
        "A",
    ),
]


def first(page: Any) -> dict[str, Any]:
    return page.snapshot()["elements"][0]


@in_turn(("html", "role", "name"), ROLES)
def test_a_role_and_a_name(open_page: OpenPage, html: str, role: str, name: str) -> None:
    entry = first(open_page(html))
    assert (entry["role"], entry["name"]) == (role, name)


@in_turn(("html", "name"), NAMES)
def test_a_name_is_computed_as_in_chromium(open_page: OpenPage, html: str, name: str) -> None:
    assert first(open_page(html))["name"] == name


def test_a_field_in_another_fields_label_adds_its_value(open_page: OpenPage) -> None:
    page = open_page("<label for=c>Every <input type=number value=5> days</label><input id=c type=checkbox>")
    assert page.snapshot()["elements"][1]["name"] == "Every 5 days"


def test_a_description_does_not_repeat_the_name(open_page: OpenPage) -> None:
    page = open_page(
        "<input aria-label=PIN title=Secret><button title=Same>Same</button><i id=d>four digits</i>"
    )
    field, button = page.snapshot()["elements"]
    assert field["description"] == "Secret"
    assert "description" not in button
    page.run("document.querySelector('input').setAttribute('aria-describedby', 'd')")
    assert first(page)["description"] == "four digits"


def test_a_very_deep_hidden_tree_can_name_an_element(open_page: OpenPage) -> None:
    page = open_page("<button aria-labelledby=deep></button><div id=deep hidden></div>")
    page.run("""
        let at = document.getElementById("deep");
        for (let level = 0; level < 10_000; level++) at = at.appendChild(document.createElement("div"));
        at.append("bottom");
    """)
    assert first(page)["name"] == "bottom"


def test_a_field_without_a_name_is_described_by_its_placeholder(open_page: OpenPage) -> None:
    page = open_page("<label for=i hidden></label><input id=i placeholder='Add a column'>")
    assert first(page)["description"] == "Add a column"


def test_a_script_may_set_labelling_elements(open_page: OpenPage) -> None:
    page = open_page("<input id=i><i id=l>Label</i><script>i.ariaLabelledByElements = [l]</script>")
    assert first(page)["name"] == "Label"


def test_owned_elements_are_below_their_owner(open_page: OpenPage) -> None:
    page = open_page("""
        <div role=listbox aria-label=Pick aria-owns="two one" tabindex=0></div><button>Between</button>
        <b role=option id=one>One</b><b role=option id=two>Two</b>""")
    names = [(one["role"], one["name"]) for one in page.snapshot()["elements"]]
    assert names == [("listbox", "Pick"), ("option", "Two"), ("option", "One"), ("button", "Between")]


def test_areas_of_an_image_map_are_links(open_page: OpenPage) -> None:
    page = open_page("""
        <img usemap="#m" width=90 height=90 alt=Floor style="margin:20px"
          src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
        <map name=m><area shape=rect coords="0,0,40,40" href="#rect" alt="Room 1"><area coords="50,0,90,40" alt=no>
        <area shape=poly coords="0,50,90,50,80,90,70,60,20,60,10,90" href="#poly" alt="Room 2"></map>
        <map name=unused><area href="#u" alt=Unused></map>""")
    one, other = page.snapshot()["elements"]
    assert (one["role"], one["name"], one["width"], one["height"]) == ("link", "Room 1", 40, 40)
    assert other["name"] == "Room 2"
    page.run("await geminiPage.click({ ref: arguments[0] })", other["ref"])
    assert page.run("return location.hash") == "#poly"


def test_internals_define_roles_names_and_states(open_page: OpenPage) -> None:
    page = open_page("""
        <script>customElements.define("x-toggle", class extends HTMLElement {
          static formAssociated = true;
          constructor() {
            super();
            Object.assign(this.attachInternals(), { role: "switch", ariaChecked: "true" });
            this.attachShadow({ mode: "closed" }).innerHTML = "<slot></slot> <a href='#more'>more</a>";
          }
        })</script><style>x-toggle{display:inline-block}</style>
        <label for=t>Wi-Fi</label><x-toggle id=t>now</x-toggle><x-toggle role=checkbox aria-checked=false>Own</x-toggle>""")
    toggle, link, own, _ = page.snapshot()["elements"]
    assert (toggle["role"], toggle["name"], toggle["states"]) == ("switch", "Wi-Fi", {"checked": True})
    assert (link["role"], link["name"]) == ("link", "more")
    assert (own["role"], own["name"], own["states"]) == ("checkbox", "Own more", {"checked": False})
    page.run("await geminiPage.click({ ref: arguments[0] })", link["ref"])
    assert page.run("return location.hash") == "#more"


def test_slots_are_read_in_visual_order(open_page: OpenPage) -> None:
    page = open_page("""
        <x-row><input slot=control id=a title=no><label slot=label for=a>Amount</label></x-row><x-row></x-row>
        <script>customElements.define("x-row", class extends HTMLElement {
          constructor() {
            super();
            this.attachShadow({ mode: "open" }).innerHTML =
              "<slot name=label><button>Default</button></slot><slot name=control></slot>";
          }
        })</script>""")
    assert [one["name"] for one in page.snapshot()["elements"]] == ["Amount", "Default"]


def test_a_clickable_element_without_a_name_is_described_by_its_text(open_page: OpenPage) -> None:
    page = open_page(
        "<div id=card><b>Blue <i hidden>not</i> shoes</b><span> 12 €</span></div>"
        "<script>card.addEventListener('click', () => {})</script>"
    )
    [card] = page.snapshot()["elements"]
    assert (card["name"], card["description"]) == ("", "Blue shoes 12 €")
    assert 'clickable description="Blue shoes 12 €"' in page.snapshot()["text"]


def test_pictures_of_a_style_sheet_are_no_text(open_page: OpenPage) -> None:
    page = open_page("<style>a::before { content: url(icon.svg) } b::after { content: 'x' url('y.png') 'z' }</style>"
                     "<a href=#>Home</a><a href=#><b>Q</b></a>")  # fmt: skip
    assert [one["name"] for one in page.snapshot()["elements"]] == ["Home", "Qxz"]


def test_inline_boxes_are_spaced_as_in_chromium(open_page: OpenPage) -> None:
    box = "<span style='display: inline-block'>b</span>"
    page = open_page(
        f"<button>a{box}c</button><button>a<span class=s>{box}</span>c</button><button>a<sup>{box}</sup>c</button>"
        f"<button>a<em>x{box}</em>c</button><button>a<span title=t>{box}x</span>c</button>"
        # Chromium exposes what listens to the mouse.
        f"<button>a<span data-hears=mouseup>{box}</span></button><button>a<span data-hears=keyup>{box}</span></button>"
        "<script>for (const one of document.querySelectorAll('[data-hears]'))"
        "one.addEventListener(one.dataset.hears, () => {})</script>"
    )
    names = [one["name"] for one in page.snapshot()["elements"] if one["role"] == "button"]
    assert names == ["a b c", "a b c", "abc", "ax bc", "ab xc", "ab", "a b"]
