"""Every kind of control, and what a person does with it."""

from __future__ import annotations

from collections.abc import Callable

from selenium.webdriver.common.keys import Keys

from tests.web.page.trusted import Case, Person

FORM = "<form id=form><input id=a name=a><button id=send>Send</button></form>"
RADIOS = "".join(f"<label id=l{n}><input type=radio name=r id=r{n} value={n}>{n}</label>" for n in "123")
TEXT = '<input id=a value="one two three">'
AREA = "<textarea id=a rows=4 cols=20>one two\nthree four\nfive</textarea>"
LONG_AREA = "<textarea id=a rows=5>" + "\n".join(str(line) for line in range(20)) + "</textarea>"
EDITABLE = "<div id=a contenteditable>one two</div>"
ORDER = (
    '<button id=b1>1</button><a id=a0>no link</a><a id=a1 href="#x">link</a><div id=d1 tabindex=0>div</div>'
    "<input id=i1 value=text><input id=i2 disabled><div tabindex=-1 id=no>no</div><button id=b2 tabindex=1>first</button>"
    f"{RADIOS}<details id=e><summary id=s>More</summary><button id=in>in</button></details><textarea id=t></textarea>"
)


def key(name: str, html: str, start: str, *keys: tuple[str, str], same_events: bool = True) -> Case:
    """A click on `start`, then keys: each as the driver names it and as the page script does."""
    script = [("click", {"selector": start}), *(("pressKey", {"key": ours}) for _, ours in keys)]

    def person(by: Person) -> None:
        by.click(start)
        for trusted, ours in keys:
            if "+" in ours:
                modifier = Keys.CONTROL if ours.startswith("Control") else Keys.SHIFT
                by.chord(modifier, trusted)
            else:
                by.keys(trusted)

    return Case(name, html, person, script, same_events)


CLICKS = [
    Case("button", "<button id=a>Go</button>", lambda by: by.click("#a"), [("click", {"selector": "#a"})]),
    Case("submit", FORM, lambda by: by.click("#send"), [("click", {"selector": "#send"})]),
    Case("link", '<a id=a href="#there">Go</a>', lambda by: by.click("#a"), [("click", {"selector": "#a"})]),
    Case("text", "<p id=a>Some words</p>", lambda by: by.click("#a"), [("click", {"selector": "#a"})]),
    Case(
        "checkbox", "<input id=a type=checkbox>", lambda by: by.click("#a"), [("click", {"selector": "#a"})]
    ),
    Case(
        "checkbox by its label",
        "<label id=l>Yes <input id=a type=checkbox></label>",
        lambda by: by.click("#l"),
        [("click", {"selector": "#l"})],
    ),
    Case(
        "label of another place",
        "<label id=l for=a>Name</label><p>-</p><input id=a>",
        lambda by: by.click("#l"),
        [("click", {"selector": "#l"})],
    ),
    Case(
        "radio",
        RADIOS,
        lambda by: by.click("#r2").click("#r3"),
        [("click", {"selector": f"#r{n}"}) for n in (2, 3)],
    ),
    Case(
        "details",
        "<details id=d><summary id=s>More</summary>text</details>",
        lambda by: by.click("#s"),
        [("click", {"selector": "#s"})],
    ),
    Case("text field", TEXT, lambda by: by.click("#a"), [("click", {"selector": "#a"})]),
    Case("text area", AREA, lambda by: by.click("#a"), [("click", {"selector": "#a"})]),
    Case("editable", EDITABLE, lambda by: by.click("#a"), [("click", {"selector": "#a"})]),
    Case(
        "range",
        "<input id=a type=range min=0 max=10>",
        lambda by: by.click("#a"),
        [("click", {"selector": "#a"})],
    ),
    Case(
        "double",
        "<p id=a>alpha</p>",
        lambda by: by.chain.double_click(by.find("#a")).perform(),
        [("click", {"selector": "#a", "double": True})],
    ),
    Case(
        "double in a field",
        '<input id=a value="word" size=3>',
        lambda by: by.chain.double_click(by.find("#a")).perform(),
        [("click", {"selector": "#a", "double": True})],
    ),
    Case(
        "right",
        "<button id=a>Go</button>",
        lambda by: by.chain.context_click(by.find("#a")).perform(),
        [("click", {"selector": "#a", "button": "right"})],
    ),
    Case(
        "from one to the other",
        "<input id=a><button id=b>b</button><p id=p>text</p>",
        lambda by: by.click("#a").click("#b").click("#p"),
        [("click", {"selector": one}) for one in ("#a", "#b", "#p")],
    ),
    Case(
        "mousedown prevented",
        "<input id=a><button id=b onmousedown='event.preventDefault()'>b</button>",
        lambda by: by.click("#a").click("#b"),
        [("click", {"selector": one}) for one in ("#a", "#b")],
    ),
    Case(
        "pointerdown prevented",
        "<button id=b onpointerdown='event.preventDefault()'>b</button>",
        lambda by: by.click("#b"),
        [("click", {"selector": "#b"})],
    ),
    Case(
        "in a focusable box",
        "<div id=d tabindex=0><b id=b>bold</b></div>",
        lambda by: by.click("#b"),
        [("click", {"selector": "#b"})],
    ),
    Case(
        "dialog",
        "<dialog id=d><button id=x onclick='d.close()'>x</button></dialog><button id=o onclick='d.showModal()'>o</button>",
        lambda by: by.click("#o").click("#x"),
        [("click", {"selector": one}) for one in ("#o", "#x")],
    ),
    Case(
        "popover",
        "<button id=o popovertarget=d>o</button><div id=d popover>p</div>",
        lambda by: by.click("#o"),
        [("click", {"selector": "#o"})],
    ),
    Case(
        "reset",
        "<form><input id=a value=1><button id=b type=reset>r</button></form>",
        lambda by: by.replace("#a", "2").click("#b"),
        [("type", {"selector": "#a", "text": "2"}), ("click", {"selector": "#b"})],
    ),
]

TYPES = [
    Case(
        f"{kind} field",
        f"<input id=a type={kind}><button id=b>b</button>",
        lambda by, text=text: by.replace("#a", text).click("#b"),
        [("type", {"selector": "#a", "text": text}), ("click", {"selector": "#b"})],
    )
    for kind, text in {
        "text": "hello w",
        "search": "find",
        "email": "a.b",
        "url": "http",
        "tel": "12 3",
        "number": "12.5",
    }.items()
] + [
    Case(
        "password",
        "<input id=a type=password>",
        lambda by: by.replace("#a", "s3"),
        [("type", {"selector": "#a", "text": "s3", "consented": True})],
    ),
    Case(
        "text that is replaced",
        TEXT,
        lambda by: by.replace("#a", "four"),
        [("type", {"selector": "#a", "text": "four"})],
    ),
    Case(
        "text that is emptied",
        TEXT,
        lambda by: by.replace("#a", ""),
        [("type", {"selector": "#a", "text": ""})],
    ),
    Case(
        "a long text",
        "<input id=a><button id=b>b</button>",
        lambda by: by.replace("#a", "many words of a long sentence").click("#b"),
        [
            ("type", {"selector": "#a", "text": "many words of a long sentence"}),
            ("click", {"selector": "#b"}),
        ],
    ),
    Case(
        "maxlength",
        "<input id=a maxlength=3>",
        lambda by: by.replace("#a", "abcde"),
        [("type", {"selector": "#a", "text": "abcde"})],
    ),
    Case(
        "a long text over maxlength",
        "<textarea id=a maxlength=26></textarea>",
        lambda by: by.replace("#a", "abcdefghijklmnopqrstuvwxyz0123"),
        [("type", {"selector": "#a", "text": "abcdefghijklmnopqrstuvwxyz0123"})],
    ),
    Case(
        "lines",
        "<textarea id=a></textarea>",
        lambda by: by.replace("#a", "one\ntwo"),
        [("type", {"selector": "#a", "text": "one\ntwo"})],
    ),
    Case(
        "capitals and signs",
        "<input id=a>",
        lambda by: by.replace("#a", "Ab!?"),
        [("type", {"selector": "#a", "text": "Ab!?"})],
        same_events=False,
    ),
    Case(
        "editable",
        "<div id=a contenteditable></div>",
        lambda by: by.click("#a").keys("one two  three"),
        [("type", {"selector": "#a", "text": "one two  three"})],
    ),
    Case(
        "editable, long",
        "<div id=a contenteditable></div>",
        lambda by: by.click("#a").keys("one two three four five six  seven"),
        [("type", {"selector": "#a", "text": "one two three four five six  seven"})],
    ),
    Case(
        "editable, lines",
        "<div id=a contenteditable></div>",
        lambda by: by.click("#a").keys("one\ntwo"),
        [("type", {"selector": "#a", "text": "one\ntwo"})],
    ),
    Case(
        "keydown prevented",
        "<input id=a onkeydown='if (event.key === \"b\") event.preventDefault()'>",
        lambda by: by.replace("#a", "abc"),
        [("type", {"selector": "#a", "text": "abc"})],
    ),
    Case(
        "beforeinput prevented",
        "<input id=a onbeforeinput='if (event.data === \"b\") event.preventDefault()'>",
        lambda by: by.replace("#a", "abc"),
        [("type", {"selector": "#a", "text": "abc"})],
    ),
    Case(
        "a field that keeps only digits",
        "<input id=a oninput='this.value = this.value.replace(/\\D/g, \"\")'>",
        lambda by: by.replace("#a", "a1b2"),
        [("type", {"selector": "#a", "text": "a1b2"})],
    ),
    Case(
        "submit by Enter",
        FORM,
        lambda by: by.replace("#a", "x").keys(Keys.ENTER),
        [("type", {"selector": "#a", "text": "x", "submit": True})],
    ),
    Case(
        "submit by Enter without a button",
        "<form id=f><input id=a></form>",
        lambda by: by.replace("#a", "x").keys(Keys.ENTER),
        [("type", {"selector": "#a", "text": "x", "submit": True})],
    ),
    Case(
        "Enter with two fields and no button",
        "<form id=f><input id=a><input id=b></form>",
        lambda by: by.replace("#a", "x").keys(Keys.ENTER),
        [("type", {"selector": "#a", "text": "x", "submit": True})],
    ),
    Case(
        "Enter, then another place",
        "<input id=a><button id=b>b</button>",
        lambda by: by.replace("#a", "x").keys(Keys.ENTER).click("#b"),
        [("type", {"selector": "#a", "text": "x", "submit": True}), ("click", {"selector": "#b"})],
    ),
    Case(
        "Enter in an invalid form",
        "<form id=f><input id=a><input id=b required><button id=c>c</button></form>",
        lambda by: by.replace("#a", "x").keys(Keys.ENTER),
        [("type", {"selector": "#a", "text": "x", "submit": True})],
    ),
    Case(
        "in a shadow root",
        "<div id=h style='display: inline-block'></div><script>h.attachShadow({mode: 'open'}).innerHTML = '<input id=a>'</script>",
        lambda by: by.click("#h").keys("abc"),
        [("type", {"selector": "#a", "text": "abc"})],
    ),
    Case(
        "in a frame",
        "<iframe id=f srcdoc='<input id=a style=\"width:200px\">' style='transform: scale(1.5); margin: 90px'></iframe>",
        lambda by: (
            by.click("#f"),
            by.driver.switch_to.frame("f"),
            by.click("#a").keys("abc"),
            by.driver.switch_to.default_content(),
        ),
        [("type", {"selector": "#a", "text": "abc"})],
        same_events=False,
    ),
]

KEYS = [
    key("arrows", TEXT, "#a", (Keys.HOME, "Home"), (Keys.ARROW_RIGHT, "ArrowRight"), ("x", "x")),
    key(
        "arrows with Shift",
        TEXT,
        "#a",
        (Keys.END, "End"),
        (Keys.ARROW_LEFT, "Shift+ArrowLeft"),
        (Keys.ARROW_LEFT, "Shift+ArrowLeft"),
    ),
    key("words", TEXT, "#a", (Keys.END, "End"), (Keys.ARROW_LEFT, "Control+ArrowLeft"), ("x", "x")),
    key("Home with Shift", TEXT, "#a", (Keys.END, "End"), (Keys.HOME, "Shift+Home"), ("x", "x")),
    key("Backspace", TEXT, "#a", (Keys.END, "End"), (Keys.BACKSPACE, "Backspace")),
    key("Backspace of a word", TEXT, "#a", (Keys.END, "End"), (Keys.BACKSPACE, "Control+Backspace")),
    key("Delete", TEXT, "#a", (Keys.HOME, "Home"), (Keys.DELETE, "Delete")),
    key("Delete of a word", TEXT, "#a", (Keys.HOME, "Home"), (Keys.DELETE, "Control+Delete")),
    key("everything", TEXT, "#a", ("a", "Control+a"), ("x", "x")),
    key("everything, editable", EDITABLE, "#a", ("a", "Control+a"), (Keys.DELETE, "Delete")),
    key("everything of the page", "<p id=a>one</p><p>two</p>", "#a", ("a", "Control+a")),
    key("undo", TEXT, "#a", (Keys.END, "End"), ("x", "x"), ("z", "Control+z")),
    key(
        "cut and paste",
        TEXT,
        "#a",
        ("a", "Control+a"),
        ("x", "Control+x"),
        ("v", "Control+v"),
        ("v", "Control+v"),
    ),
    key(
        "lines",
        AREA,
        "#a",
        (Keys.HOME, "Control+Home"),
        (Keys.ARROW_DOWN, "ArrowDown"),
        (Keys.END, "End"),
        ("x", "x"),
    ),
    key("lines with Shift", AREA, "#a", (Keys.END, "Control+End"), (Keys.ARROW_UP, "Shift+ArrowUp")),
    key("Enter in an area", AREA, "#a", (Keys.END, "Control+End"), (Keys.ENTER, "Enter"), ("x", "x")),
    key("Enter in editable", EDITABLE, "#a", (Keys.END, "Control+End"), (Keys.ENTER, "Enter"), ("x", "x")),
    key(
        "a line in editable",
        EDITABLE,
        "#a",
        (Keys.END, "Control+End"),
        (Keys.ENTER, "Shift+Enter"),
        ("x", "x"),
    ),
    key(
        "arrows in editable",
        EDITABLE,
        "#a",
        (Keys.HOME, "Home"),
        (Keys.ARROW_RIGHT, "Shift+ArrowRight"),
        ("x", "x"),
    ),
    key("Enter on a button", "<button id=a>b</button>", "#a", (Keys.ENTER, "Enter")),
    key("Space on a button", "<button id=a>b</button>", "#a", (Keys.SPACE, " ")),
    key("Enter on a link", "<a id=a href='#there'>b</a>", "#a", (Keys.ENTER, "Enter")),
    key("Space on a checkbox", "<input type=checkbox id=a>", "#a", (Keys.SPACE, "Space")),
    key(
        "Enter on a checkbox",
        "<form><input type=checkbox id=a><button id=b>b</button></form>",
        "#a",
        (Keys.ENTER, "Enter"),
    ),
    key(
        "Space on summary",
        "<details id=d><summary id=s>More</summary>t</details>",
        "#s",
        (Keys.SPACE, "Space"),
    ),
    key(
        "Enter on summary",
        "<details id=d><summary id=s>More</summary>t</details>",
        "#s",
        (Keys.ENTER, "Enter"),
    ),
    key(
        "arrows of radios",
        RADIOS,
        "#r1",
        (Keys.ARROW_DOWN, "ArrowDown"),
        (Keys.ARROW_RIGHT, "ArrowRight"),
        (Keys.ARROW_DOWN, "ArrowDown"),
    ),
    key("arrows of radios, back", RADIOS, "#r1", (Keys.ARROW_UP, "ArrowUp")),
    *(
        key(f"{ours} in a range", "<input type=range id=a min=0 max=50 step=2>", "#a", (trusted, ours))
        for trusted, ours in (
            (Keys.ARROW_UP, "ArrowUp"),
            (Keys.ARROW_LEFT, "ArrowLeft"),
            (Keys.HOME, "Home"),
            (Keys.END, "End"),
            (Keys.PAGE_UP, "PageUp"),
        )
    ),
    key(
        "arrows in a number",
        "<input type=number id=a value=5 max=6 step=0.5>",
        "#a",
        *[(Keys.ARROW_UP, "ArrowUp")] * 3,
    ),
    key("arrows in a number, down", "<input type=number id=a>", "#a", (Keys.ARROW_DOWN, "ArrowDown")),
    key(
        "arrows in a list",
        "<select id=a size=3><option>x<option>y<option>z</select>",
        "#a option",
        (Keys.ARROW_DOWN, "ArrowDown"),
    ),
    key(
        "Escape of a dialog",
        "<dialog id=d><input id=i></dialog><button id=a onclick='d.showModal()'>o</button>",
        "#a",
        (Keys.ESCAPE, "Escape"),
    ),
    key(
        "Escape of a popover",
        "<button id=a popovertarget=d>o</button><div id=d popover>p</div>",
        "#a",
        (Keys.ESCAPE, "Escape"),
    ),
    key("Escape in a search", "<input type=search id=a value=x>", "#a", (Keys.ESCAPE, "Escape")),
    *(key(f"Tab, {count} times", ORDER, "#b1", *[(Keys.TAB, "Tab")] * count) for count in range(1, 9)),
    *(
        key(f"Shift+Tab, {count} times", ORDER, "#t", *[(Keys.TAB, "Shift+Tab")] * count)
        for count in range(1, 7)
    ),
    key(
        "Tab in a dialog",
        "<dialog id=d><input id=i><button id=j>j</button></dialog><button id=a onclick='d.showModal()'>o</button><input>",
        "#a",
        (Keys.TAB, "Tab"),
    ),
    key(
        "Tab from text", "<button>b</button><p id=a>text</p><button id=c>c</button>", "#a", (Keys.TAB, "Tab")
    ),
    key("function keys", "<input id=a>", "#a", (Keys.F2, "F2")),
]


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
    """A field of parts, which a person goes through key by key."""
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
]

MORE_CLICKS = [
    Case(
        "double on a word of several",
        "<p id=a style='font: 20px monospace; width: fit-content'>one two three</p>",
        lambda by: by.chain.double_click(by.find("#a")).perform(),
        [("click", {"selector": "#a", "double": True})],
    ),
    Case(
        "double in editable",
        "<div id=a contenteditable style='font: 20px monospace; width: fit-content'>one two three</div>",
        lambda by: by.chain.double_click(by.find("#a")).perform(),
        [("click", {"selector": "#a", "double": True})],
    ),
    Case(
        "styled checkbox",
        "<style>#l { position: relative; display: inline-block; width: 60px; height: 30px; background: #ccc }"
        "#a { opacity: 0; width: 0; height: 0 } #s { position: absolute; inset: 0 }</style>"
        "<label id=l><input id=a type=checkbox><span id=s></span></label>",
        lambda by: by.click("#s"),
        [("click", {"selector": "#a"})],
        same_events=False,
    ),
    Case(
        "link in a label",
        "<label id=l><input id=a type=checkbox> I agree to the <a id=k href='#terms'>terms</a></label>",
        lambda by: by.click("#k"),
        [("click", {"selector": "#k"})],
    ),
    Case(
        "middle",
        "<button id=a>b</button>",
        lambda by: by.middle("#a"),
        [("click", {"selector": "#a", "button": "middle"})],
        # X11 pastes.
        same_events=False,
    ),
    Case(
        "what goes when it is pressed",
        "<button id=a onmousedown='a.remove()'>b</button><p id=p>text</p>",
        lambda by: by.click("#a"),
        [("click", {"selector": "#a"})],
    ),
    Case(
        "what opens on press and is over it on release",
        "<button id=a onmousedown='d.hidden = false'>b</button>"
        "<div id=d hidden style='position: fixed; inset: 0; background: #fff8'>d</div>",
        lambda by: by.click("#a"),
        [("click", {"selector": "#a"})],
    ),
    Case(
        "in a frame",
        "<iframe id=f srcdoc='<input id=a><button id=b>b</button>'></iframe>",
        lambda by: by.inside("f", lambda: by.click("#a").keys("x").click("#b")),
        [
            ("click", {"selector": "#a"}),
            ("pressKey", {"key": "x"}),
            ("click", {"selector": "#b"}),
        ],
    ),
    Case(
        "image button",
        "<form id=f><input id=a type=image alt=Go width=20 height=20></form>",
        lambda by: by.click("#a"),
        [("click", {"selector": "#a"})],
    ),
    Case(
        "field in a label",
        "<label id=l>Name <input id=a value=word></label>",
        lambda by: by.click("#a"),
        [("click", {"selector": "#a"})],
    ),
]

MORE_KEYS = [
    key("ArrowUp in one line", TEXT, "#a", (Keys.ARROW_UP, "ArrowUp"), ("x", "x")),
    key("ArrowDown in one line", TEXT, "#a", (Keys.HOME, "Home"), (Keys.ARROW_DOWN, "ArrowDown"), ("x", "x")),
    key("Shift+ArrowUp in one line", TEXT, "#a", (Keys.ARROW_UP, "Shift+ArrowUp")),
    key("Control+Home", TEXT, "#a", (Keys.HOME, "Control+Home"), ("x", "x")),
    key("Control+ArrowRight", TEXT, "#a", (Keys.HOME, "Home"), (Keys.ARROW_RIGHT, "Control+ArrowRight"), ("x", "x")),
    key("Control+ArrowUp", AREA, "#a", (Keys.END, "Control+End"), (Keys.ARROW_UP, "Control+ArrowUp"), ("x", "x")),
    key("PageUp in an area", AREA, "#a", (Keys.END, "Control+End"), (Keys.PAGE_UP, "PageUp"), ("x", "x")),
    key("arrows over a selection", TEXT, "#a", ("a", "Control+a"), (Keys.ARROW_RIGHT, "ArrowRight"), ("x", "x")),
    key("Backspace over a selection", TEXT, "#a", (Keys.HOME, "Home"), (Keys.ARROW_RIGHT, "Shift+ArrowRight"), (Keys.BACKSPACE, "Backspace")),
    key("redo", TEXT, "#a", (Keys.END, "End"), ("x", "x"), ("z", "Control+z"), ("y", "Control+y")),
    key("Shift+Enter in an area", AREA, "#a", (Keys.END, "Control+End"), (Keys.ENTER, "Shift+Enter")),
    key("Enter on a radio", f"<form id=f>{RADIOS}<button id=b>b</button></form>", "#r1", (Keys.ENTER, "Enter")),
    key("Enter in a range", "<form id=f><input id=a type=range><button id=b>b</button></form>", "#a", (Keys.ENTER, "Enter")),
    key("Enter on a reset", "<form id=f><input id=i value=1><button type=reset id=a>r</button></form>", "#a", (Keys.ENTER, "Enter")),
    key("Enter with a disabled button", "<form id=f><input id=a><button id=b disabled>b</button></form>", "#a", (Keys.ENTER, "Enter")),
    key("PageDown in an area", LONG_AREA, "#a", (Keys.HOME, "Control+Home"), (Keys.PAGE_DOWN, "PageDown"), ("x", "x")),
    *(
        key(f"Enter in {kind}, {'a' if button else 'no'} button", f"<form id=f><input id=a type={kind}>{button}</form>", "#a", (Keys.ENTER, "Enter"))
        for kind in ("date", "time", "checkbox")
        for button in ("", "<button id=b>b</button>")
    ),
    key("Space on a radio", RADIOS, "#r1", (Keys.TAB, "Tab"), (Keys.TAB, "Shift+Tab"), (Keys.SPACE, "Space")),
    key("Space on a link", "<a id=a href='#x'>a</a>", "#a", (Keys.SPACE, "Space")),
    key("Space on a box with a role", "<div id=a role=button tabindex=0>a</div>", "#a", (Keys.SPACE, "Space")),
    key("Escape of a popover by hand", "<button id=a popovertarget=d>o</button><div id=d popover=manual>p</div>", "#a", (Keys.ESCAPE, "Escape")),
    key("Escape of a dialog that isn't modal", "<dialog id=d open><input id=a></dialog>", "#a", (Keys.ESCAPE, "Escape")),
    key("Escape that the dialog refuses", "<dialog id=d oncancel='event.preventDefault()'><input id=i></dialog><button id=a onclick='d.showModal()'>o</button>", "#a", (Keys.ESCAPE, "Escape")),
    key("Tab into a shadow root", "<button id=a>a</button><div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = '<input id=i>'</script><button id=b>b</button>", "#a", (Keys.TAB, "Tab"), (Keys.TAB, "Tab")),
    key("Tab into a frame", "<button id=a>a</button><iframe id=f srcdoc='<input id=i>'></iframe><button id=b>b</button>", "#a", (Keys.TAB, "Tab"), (Keys.TAB, "Tab"), same_events=False),
    key("Tab into editable", "<button id=a>a</button><div id=d contenteditable>text</div>", "#a", (Keys.TAB, "Tab"), ("x", "x")),
    key("Tab through slots", "<button id=a>a</button><div id=h><button id=b slot=two>b</button><button id=c slot=one>c</button></div><script>h.attachShadow({mode: 'open'}).innerHTML = '<slot name=one></slot><input id=i><slot name=two></slot>'</script>", "#a", (Keys.TAB, "Tab"), (Keys.TAB, "Tab"), (Keys.TAB, "Tab")),
    key("Tab over what is hidden", "<button id=a>a</button><button id=b style='visibility: hidden'>b</button><div inert><button id=c>c</button></div><details><summary id=s>s</summary><button id=d>d</button></details>", "#a", (Keys.TAB, "Tab"), (Keys.TAB, "Tab")),
    key("Tab to a box that scrolls", "<button id=a>a</button><div id=d style='height: 40px; overflow: auto'><p style='height: 200px'>tall</p></div>", "#a", (Keys.TAB, "Tab")),
    key("Tab prevented", "<input id=a onkeydown='event.preventDefault()'><input id=b>", "#a", (Keys.TAB, "Tab")),
    key("a key that moves the focus", "<input id=a onkeydown='b.focus()'><input id=b>", "#a", ("x", "x")),
    key("arrows in a list with several", "<select id=a size=3 multiple><option id=o>x<option>y<option>z</select>", "#o", (Keys.ARROW_DOWN, "ArrowDown")),
    key("a letter in a list", "<select id=a size=3><option id=o>x<option>y<option>z</select>", "#o", ("z", "z")),
    key("End in a list", "<select id=a size=3><option id=o>x<option>y<option>z</select>", "#o", (Keys.END, "End")),
]

MORE_DRAGS = [
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
        lambda by: by.chain.move_to_element_with_offset(by.find("#a"), -100, 0).click_and_hold().move_by_offset(60, 0).release().perform(),
        [("drag", {"x": 62, "y": 23, "dx": 60})],
    ),
]
