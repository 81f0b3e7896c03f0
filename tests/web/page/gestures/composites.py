"""Composite controls, and drags."""

from __future__ import annotations

from collections.abc import Callable

from selenium.webdriver.common.keys import Keys

from tests.web.page.gestures.pages import RADIOS
from tests.web.page.trusted import Case, Person

BOARD = """<style>#source, #target, #other { width: 80px; height: 40px; margin: 20px; background: #ddd }</style>
<div id=source draggable=true>one</div><div id=target class=shown>here</div><div id=other class=shown>not here</div>
<script>
source.ondragstart = (event) => { event.dataTransfer.setData("text/plain", "carried"); event.dataTransfer.effectAllowed = "move"; };
target.ondragover = (event) => event.preventDefault();
target.ondrop = (event) => { event.preventDefault(); target.textContent = event.dataTransfer.getData("text/plain"); };
</script>"""
SLIDER = """<div id=track style="width: 200px; height: 20px; background: #ddd; position: relative">
<div id=thumb role=slider tabindex=0 aria-valuenow=0 style="width: 20px; height: 20px; position: absolute; background: #999"></div></div>
<script>
thumb.onpointerdown = (event) => { thumb.setPointerCapture(event.pointerId); thumb.from = event.clientX - thumb.offsetLeft; };
thumb.onpointermove = (event) => {
  if (!thumb.hasPointerCapture(event.pointerId)) return;
  const left = Math.round(event.clientX - thumb.from);
  thumb.style.left = left + "px"; thumb.ariaValueNow = left;
};
</script>"""
COMBOBOX = """<input id=a role=combobox aria-expanded=false aria-controls=list aria-autocomplete=list>
<ul id=list role=listbox hidden>
<li id=o1 role=option aria-selected=false>Apple</li><li id=o2 role=option aria-selected=false>Banana</li></ul>
<script>
const open = (shown) => { list.hidden = !shown; a.ariaExpanded = shown; };
a.onfocus = a.onclick = () => setTimeout(() => open(true), 20);
a.oninput = () => { for (const one of list.children) one.hidden = !one.textContent.toLowerCase().includes(a.value.toLowerCase()); };
a.onblur = () => open(false);
list.onmousedown = (event) => event.preventDefault();
list.onclick = ({ target }) => {
  for (const one of list.children) one.ariaSelected = one === target;
  a.value = target.textContent; open(false);
};
</script>"""
MENU = """<button id=a aria-haspopup=menu aria-expanded=false aria-controls=m>File</button>
<div id=m role=menu hidden><div id=i1 role=menuitem>Open</div><div id=i2 role=menuitem>Save</div></div><p id=out class=shown></p>
<script>
a.onclick = () => { m.hidden = !m.hidden; a.ariaExpanded = !m.hidden; };
m.onclick = ({ target }) => { out.textContent = target.textContent; m.hidden = true; a.ariaExpanded = false; };
</script>"""
TREE = """<ul role=tree id=a><li role=treeitem aria-expanded=false id=t1 tabindex=0><span id=s1>Fruit</span><ul role=group hidden id=g>
<li role=treeitem aria-selected=false id=t2 tabindex=-1><span id=s2>Pear</span></li></ul></li></ul>
<script>
t1.onclick = (event) => { if (event.target === s1) { g.hidden = !g.hidden; t1.ariaExpanded = !g.hidden; } };
t2.onclick = () => (t2.ariaSelected = true);
</script>"""
TABS = """<div role=tablist id=a><button id=t1 role=tab aria-selected=true>One</button><button id=t2 role=tab aria-selected=false>Two</button></div>
<script>
a.onclick = ({ target }) => { for (const one of a.children) one.ariaSelected = one === target; };
</script>"""
LIST = "<select id=a><option>x<option value=why>y<option>z</select>"
LINES = "<p id=a style='font: 20px monospace; width: 400px'>one two three four</p>"


def clicks(*selectors: str) -> Callable[[Person], None]:
    def person(by: Person) -> None:
        for selector in selectors:
            by.wait(selector).click(selector)

    return person


def dated(kind: str, keys: str, value: str) -> Case:
    """Create a case for a field with several parts, which a user fills key by key."""
    return Case(
        kind,
        f"<input id=a type={kind}>",
        lambda by: (by.driver.execute_script("a.focus()"), by.keys(keys)),
        [("type", {"selector": "#a", "text": value})],
        same_events=False,
    )


COMPOSITES = [
    Case(
        "list",
        LIST,
        lambda by: by.driver.execute_script("a.focus()") or by.keys(Keys.ARROW_DOWN),
        [("select", {"selector": "#a", "option": "y"})],
        same_events=False,
    ),
    Case(
        "list with several",
        "<select id=a multiple size=3><option id=o1>x<option id=o2>y<option id=o3>z</select>",
        lambda by: (
            by.click("#o1")
            and by.chain.key_down(Keys.CONTROL).click(by.find("#o3")).key_up(Keys.CONTROL).perform()
        ),
        [("select", {"selector": "#a", "option": ["x", "z"]})],
        same_events=False,
    ),
    Case("combobox", COMBOBOX, clicks("#a", "#o2"), [("select", {"selector": "#a", "option": "Banana"})]),
    Case("menu", MENU, clicks("#a", "#i2"), [("select", {"selector": "#a", "option": "Save"})]),
    Case(
        "tree",
        TREE,
        clicks("#s1", "#s2"),
        [("select", {"selector": "#a", "option": ["Fruit", "Pear"]})],
        same_events=False,
    ),
    Case("tabs", TABS, clicks("#t2"), [("select", {"selector": "#a", "option": "Two"})]),
    Case(
        "radios",
        f"<div id=a role=radiogroup>{RADIOS}</div>",
        clicks("#r2"),
        [("select", {"selector": "#a", "option": "2"})],
    ),
    dated("date", "11222026", "2026-11-22"),
    dated("time", "0230p", "14:30"),
    Case(
        "slider",
        SLIDER,
        lambda by: by.chain.click_and_hold(by.find("#thumb")).move_by_offset(60, 0).release().perform(),
        [("drag", {"selector": "#thumb", "dx": 60})],
    ),
    Case(
        "range",
        "<input type=range id=a style='width: 216px; margin: 0'>",
        lambda by: by.chain.click_and_hold(by.find("#a")).move_by_offset(50, 0).release().perform(),
        [("drag", {"selector": "#a", "dx": 50})],
        same_events=False,
    ),
    Case(
        "drag and drop",
        BOARD,
        lambda by: by.chain.drag_and_drop(by.find("#source"), by.find("#target")).perform(),
        [("drag", {"selector": "#source", "to": "#target"})],
    ),
    Case(
        "selection of text",
        LINES,
        lambda by: (
            by.chain.move_to_element_with_offset(by.find("#a"), -150, 0)
            .click_and_hold()
            .move_by_offset(100, 0)
            .release()
            .perform()
        ),
        [("drag", {"x": 58, "y": 32, "dx": 100})],
    ),
    Case(
        "by the mouse on the document",
        "<div id=a style='position: absolute; left: 50px; top: 50px; width: 40px; height: 40px; background: red'></div><p class=shown id=out></p>"
        "<script>a.onmousedown = (event) => { event.preventDefault(); const from = event.clientX - a.offsetLeft;"
        " document.onmousemove = (event) => { a.style.left = event.clientX - from + 'px'; };"
        " document.onmouseup = () => { document.onmousemove = null; out.textContent = a.style.left; }; };</script>",
        lambda by: by.chain.click_and_hold(by.find("#a")).move_by_offset(70, 10).release().perform(),
        [("drag", {"selector": "#a", "dx": 70, "dy": 10})],
    ),
    Case(
        "a list that is sorted while dragged",
        "<style>li { height: 30px }</style><ul id=l class=shown><li draggable=true id=i1>1<li draggable=true id=i2>2<li draggable=true id=i3>3</ul>"
        "<script>let held; l.ondragstart = (event) => { held = event.target; };"
        " l.ondragover = (event) => { event.preventDefault(); const over = event.target.closest('li');"
        " if (over && over !== held) over.before(held) ?? 0; };</script>",
        lambda by: by.chain.drag_and_drop(by.find("#i3"), by.find("#i1")).perform(),
        [("drag", {"selector": "#i3", "to": "#i1"})],
        same_events=False,
    ),
    Case(
        "text in a field",
        "<input id=a value='one two three' style='font: 20px monospace; width: 300px'>",
        lambda by: (
            by.chain.move_to_element_with_offset(by.find("#a"), -100, 0)
            .click_and_hold()
            .move_by_offset(60, 0)
            .release()
            .perform()
        ),
        [("drag", {"x": 62, "y": 23, "dx": 60})],
    ),
]
