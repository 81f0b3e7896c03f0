"""Widgets that ordinary events and fields don't reach: drawn editors, menus of style sheets, slow drags."""

from __future__ import annotations

import base64

import pytest

from tests.web.page.acting import act, refused
from tests.web.page.conftest import OpenPage

# An editor like CodeMirror 5: the keys go to a field in a tiny box, presses to the lines.
HIDDEN_FIELD = """<div id=editor style="position: relative; width: 300px; height: 90px; background: #eee">
<div style="position: relative; overflow: hidden; width: 3px; height: 0"><textarea id=field style="width: 1000px"></textarea></div>
<pre id=lines style="height: 60px; margin: 0">old</pre></div>
<script>
let selected = false;
editor.onmousedown = (event) => { event.preventDefault(); field.focus(); };
field.onkeydown = (event) => { if (event.ctrlKey && event.key === "a") { selected = true; event.preventDefault(); } };
const add = (text) => { lines.textContent = selected ? text : lines.textContent + text; selected = false; };
field.oninput = () => { add(field.value); field.value = ""; };
field.onpaste = (event) => { add(event.clipboardData.getData("text/plain")); event.preventDefault(); };
</script>"""
# An editor like Monaco: an element without an area has an edit context.
EDIT_CONTEXT = """<div id=editor style="position: relative; width: 300px; height: 90px; background: #eee">
<div id=field role=textbox tabindex=0 style="position: absolute; width: 0; height: 20px"></div><pre id=lines>old</pre></div>
<script>
const context = new EditContext({ text: "old" });
field.editContext = context;
const draw = () => (lines.textContent = context.text);
context.ontextupdate = draw;
editor.onmousedown = (event) => { event.preventDefault(); field.focus(); };
field.onkeydown = (event) => { if (event.ctrlKey && event.key === "a") context.updateSelection(0, context.text.length); };
field.onpaste = (event) => {
  context.updateText(0, context.text.length, event.clipboardData.getData("text/plain"));
  draw();
  event.preventDefault();
};
</script>"""
# A menu that only a style sheet opens.
MENU = """<style>.sub { display: none } li:hover > .sub { display: block }</style>
<ul><li id=file tabindex=0>File<ul class=sub><li id=more>More<ul class=sub><li><a id=deep href="#deep">Deep</a></ul></ul></ul>
<p id=plain>-</p>"""
# A drag that begins when the button was held for 250 ms, and looks every 50 ms at the element below, with a threshold.
SLOW_DRAG = """<div id=a style="width: 90px; height: 30px; background: #ddd">a</div><p id=b>b</p><p id=out></p><script>
let held = 0, x = 0, y = 0, far = false;
a.onpointerdown = (event) => {
  event.preventDefault();
  const from = event.clientX, start = performance.now();
  document.onpointermove = (event) => {
    [x, y] = [event.clientX, event.clientY];
    if (performance.now() - start > 250 && Math.abs(x - from) < 20) far = true;
  };
  const timer = setInterval(() => { if (far) out.textContent = document.elementFromPoint(x, y)?.id; }, 50);
  document.onpointerup = () => { clearInterval(timer); document.onpointermove = null; out.textContent += " dropped"; };
};
</script>"""


# A drop-down like Tom Select's: the native one is hidden, the active option is marked as selected, one row creates.
TIED = """<style>#t { position: absolute; width: 1px; height: 1px; clip: rect(0 0 0 0) } #list { display: none } .row { cursor: pointer }</style>
<select id=t><option value=a>Apple<option value=b>Banana</select>
<div id=wrap><button id=box role=combobox aria-expanded=false aria-controls=list>Pick</button>
<div id=list role=listbox><div class=row role=option aria-selected=false>Apple</div>
<div class=row role=option aria-selected=true>Banana</div><div class=row>Add new…</div></div></div>
<script>
box.onclick = () => { list.style.display = "block"; box.ariaExpanded = "true"; };
list.onclick = ({ target }) => { t.selectedIndex = target.textContent === "Banana" ? 1 : 0; list.style.display = "none"; box.ariaExpanded = "false"; };
</script>"""
# A list of a custom element, whose options are assigned to a slot.
SLOTTED = """<x-list id=l><x-option role=option aria-selected=false id=one>One</x-option><x-option role=option aria-selected=false>Two</x-option></x-list>
<script>customElements.define("x-list", class extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({ mode: "open" }).innerHTML = "<button role=combobox aria-expanded=false id=b>Pick</button><div role=listbox id=m hidden><slot></slot></div>";
    const [button, list] = this.shadowRoot.querySelectorAll("#b, #m");
    button.onclick = () => { list.hidden = false; button.ariaExpanded = "true"; };
    list.onclick = ({ target }) => { target.ariaSelected = "true"; button.textContent = target.textContent; list.hidden = true; };
  }
});</script>"""
# One slider steps by keys, the other follows the pointer.
SLIDERS = """<div id=keys role=slider tabindex=0 aria-valuemin=0 aria-valuemax=100 aria-valuenow=20>k</div>
<div id=track style="width: 200px; height: 20px; position: relative; background: #ddd"><div id=thumb role=slider tabindex=0 aria-valuenow=10
style="position: absolute; left: 10%; width: 16px; height: 16px; background: red"></div></div>
<script>
keys.onkeydown = ({ key }) => { keys.ariaValueNow = Number(keys.ariaValueNow) + ({ ArrowRight: 5, ArrowLeft: -5 }[key] ?? 0); };
thumb.onpointerdown = (event) => {
  thumb.setPointerCapture(event.pointerId);
  thumb.onpointermove = ({ clientX }) => {
    thumb.ariaValueNow = Math.max(0, Math.min(100, Math.round((clientX - track.getBoundingClientRect().x) / 2)));
  };
  thumb.onpointerup = () => (thumb.onpointermove = null);
};
</script>"""
FILES = [{"name": "a.txt", "type": "text/plain", "data": base64.b64encode(b"A").decode()}]


@pytest.mark.parametrize("html", [HIDDEN_FIELD, EDIT_CONTEXT], ids=["hidden field", "edit context"])
def test_an_editor_that_draws_its_text_takes_typing(open_page: OpenPage, html: str) -> None:
    page = open_page(html)
    [field] = [one for one in page.snapshot()["elements"] if one["role"] == "textbox"]
    assert (field["width"], field["height"], field.get("covered_by")) == (300, 90, None)
    for text in ("new words", "f() {\n}"):
        assert act(page, "type", ref=field["ref"], text=text)["success"]
        assert page.run("return lines.textContent") == text


def test_an_editor_that_ignores_the_text_is_reported(open_page: OpenPage) -> None:
    page = open_page(EDIT_CONTEXT.replace("context.ontextupdate = draw", ""))
    assert refused(page, "type", selector="#field", text="new")["type"] == "Unsupported"


def test_an_action_without_an_effect_is_no_success(open_page: OpenPage) -> None:
    page = open_page(
        "<button id=dead>Dead</button><input id=check type=checkbox><canvas id=c width=20 height=20></canvas>"
        "<button id=set>Set</button><div id=drag style='user-select: none'>x</div><script>set.onclick = () => (check.checked = !check.checked);"
        "c.onclick = () => c.getContext('2d').fillRect(0, 0, 9, 9)</script>"
    )
    for action, options in [
        ("click", {"selector": "#dead"}),
        ("hover", {"selector": "#dead"}),
        ("click", {"x": 700, "y": 700}),
        ("pressKey", {"key": "F9"}),
        ("drag", {"selector": "#drag", "dx": 30}),
    ]:
        result = act(page, action, **options)
        assert (result["success"], result["note"]) == (False, "Nothing in the page changed."), action
    for selector in ("#check", "#set", "#c"):
        assert act(page, "click", selector=selector)["success"], selector


def test_a_menu_of_a_style_sheet_opens(open_page: OpenPage) -> None:
    page = open_page(MENU)
    assert act(page, "hover", selector="#file")["changed"] == 1
    assert act(page, "hover", selector="#more")["changed"] >= 1
    assert [one["name"] for one in page.snapshot()["elements"]] == ["", "Deep"]
    act(page, "click", selector="#deep")
    assert page.run("return location.hash") == "#deep"
    assert act(page, "hover", selector="#plain")["success"] is True
    assert [one["name"] for one in page.snapshot()["elements"]] == [""]


def test_a_drag_waits_for_timers_and_moves_in_small_steps(open_page: OpenPage) -> None:
    page = open_page(SLOW_DRAG)
    act(page, "drag", selector="#a", to="#b")
    assert page.run("return out.textContent") == "b dropped"


def test_a_press_is_held_and_a_path_selects_text(open_page: OpenPage) -> None:
    page = open_page(
        "<p id=a style='font: 20px monospace; margin: 0'>one two three</p><button id=b>b</button><script>"
        "b.onpointerdown = ({ timeStamp }) => (start = timeStamp); b.onpointerup = ({ timeStamp }) => (held = timeStamp - start);"
        "</script>"
    )
    act(page, "click", selector="#b", hold=0.2)
    assert page.run("return held") >= 200
    left, top = page.run("const { x, y } = a.getBoundingClientRect(); return [x, y]")
    act(page, "drag", x=left, y=top + 9, path=[[left + 30, top + 9], [left + 600, top + 9]])
    assert page.run("return getSelection().toString()").strip() == "one two three"
    assert refused(page, "click", selector="#b", modifiers="Hyper")["type"] == "InvalidArguments"
    assert refused(page, "drag", selector="#b", path="1,2")["type"] == "InvalidArguments"


def test_a_hidden_drop_down_is_tied_to_its_widget(open_page: OpenPage) -> None:
    page = open_page(TIED)
    [box] = page.snapshot()["elements"]
    assert (box["role"], box["value"], box["options"]) == ("combobox", "Apple", ["Apple", "Banana"])
    assert act(page, "select", ref=box["ref"], option="Banana")["value"] == "Banana"
    assert act(page, "select", selector="#t", option="Apple")["value"] == "Apple"
    act(page, "click", selector="#box")
    rows = [one for one in page.snapshot()["elements"] if one.get("clickable")]
    assert [one.get("description") for one in rows] == ["Add new…"]


def test_options_in_slots_are_selected(open_page: OpenPage) -> None:
    page = open_page(SLOTTED)
    [box] = [one for one in page.snapshot()["elements"] if one["role"] == "combobox"]
    assert act(page, "select", ref=box["ref"], option="Two")["value"] == "Two"


def test_a_slider_is_set_by_its_value(open_page: OpenPage) -> None:
    page = open_page(SLIDERS)
    assert act(page, "type", selector="#keys", text="45")["value"] == "45"
    assert act(page, "type", selector="#thumb", text="73")["value"] == "73"
    for value in ("42", "101", "many"):
        assert refused(page, "type", selector="#keys", text=value)["type"] == "InvalidArguments"


def test_files_are_chosen_behind_widgets(open_page: OpenPage) -> None:
    page = open_page(
        "<button id=chooser>Attach</button><button id=none>No</button><div id=zone style='height: 40px'>Drop</div>"
        "<form id=form style='height: 40px'>Form</form><input id=hidden form=form type=file aria-label=Photos style='display: none'>"
        "<script>chooser.onclick = () => setTimeout(() => { const input = document.createElement('input'); input.type = 'file';"
        " input.onchange = () => (chooser.textContent = input.files[0].name); input.click(); }, 20);"
        "zone.ondragover = (event) => event.preventDefault();"
        "zone.ondrop = (event) => { event.preventDefault(); zone.textContent = event.dataTransfer.files[0].name; };</script>"
    )
    [photos] = [one for one in page.snapshot()["elements"] if one["name"] == "Photos"]
    assert (photos["states"]["type"], photos["height"]) == ("file", 40)
    for target in ({"selector": "#chooser"}, {"selector": "#zone"}, {"ref": photos["ref"]}):
        assert act(page, "type", files=FILES, **target)["value"] == "a.txt"
    assert page.run("return [chooser.textContent, zone.textContent, hidden.files.length]") == [
        "a.txt",
        "a.txt",
        1,
    ]
    assert refused(page, "type", selector="#none", files=FILES)["type"] == "Unsupported"


def test_what_only_a_picture_shows_is_marked(open_page: OpenPage) -> None:
    page = open_page(
        "<canvas width=200 height=100 aria-label=Chart></canvas><div id=skipped style='content-visibility: hidden'>"
        "<button>No</button></div><div style='height: 3000px'></div><div style='content-visibility: auto'><button>Far</button></div>"
    )
    snapshot = page.snapshot()
    assert [(one["role"], one["name"]) for one in snapshot["elements"]] == [
        ("canvas", "Chart"),
        ("button", "Far"),
    ]
    assert "drawn: a screenshot" in snapshot["text"] and "not rendered" in snapshot["text"]
    assert page.run("return geminiPage.element(arguments[0]).id", *snapshot["unrendered"]) == "skipped"


def test_slotted_text_is_pressed_in_its_slot(open_page: OpenPage) -> None:
    page = open_page(
        "<x-box id=box style='display: inline-block'>News</x-box><script>"
        "box.attachShadow({ mode: 'open' }).innerHTML = '<label><input type=checkbox hidden><span><slot></slot></span></label>'</script>"
    )
    assert act(page, "click", selector="#box")["success"]
    assert page.run("return box.shadowRoot.querySelector('input').checked")


def test_escape_closes_the_last_close_watcher(open_page: OpenPage) -> None:
    page = open_page("""<button id=b>B</button><p id=out></p><script>
        for (const name of ["first", "second", "third"]) {
          globalThis[name] = new CloseWatcher();
          globalThis[name].onclose = () => (out.textContent += name + " ");
        }
        third.destroy();</script>""")
    assert act(page, "pressKey", key="Escape")["success"]
    assert page.run("return out.textContent") == "second "


def test_a_press_leaves_the_focus_where_the_page_has_passed_it_on(open_page: OpenPage) -> None:
    page = open_page(
        "<div tabindex=0 id=around><p tabindex=0 id=cell>x</p></div><script>"
        "cell.onfocus = () => { cell.innerHTML = '<input id=editor>'; cell.firstChild.focus(); }</script>"
    )
    act(page, "click", selector="#cell")
    assert page.run("return document.activeElement.id") == "editor"
