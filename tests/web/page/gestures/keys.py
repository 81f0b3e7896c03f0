"""Key presses."""

from __future__ import annotations

from selenium.webdriver.common.keys import Keys

from tests.web.page.gestures.pages import AREA, EDITABLE, ORDER, RADIOS, TEXT
from tests.web.page.trusted import Case, Person


def key(name: str, html: str, start: str, *keys: tuple[str, str], same_events: bool = True) -> Case:
    """Create a case with a click on `start` and then keys, each as the driver and as the page script name it."""
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
    key("ArrowUp in one line", TEXT, "#a", (Keys.ARROW_UP, "ArrowUp"), ("x", "x")),
    key("ArrowDown in one line", TEXT, "#a", (Keys.HOME, "Home"), (Keys.ARROW_DOWN, "ArrowDown"), ("x", "x")),
    key("Shift+ArrowUp in one line", TEXT, "#a", (Keys.ARROW_UP, "Shift+ArrowUp")),
    key("Control+Home", TEXT, "#a", (Keys.HOME, "Control+Home"), ("x", "x")),
    key(
        "Control+ArrowRight",
        TEXT,
        "#a",
        (Keys.HOME, "Home"),
        (Keys.ARROW_RIGHT, "Control+ArrowRight"),
        ("x", "x"),
    ),
    key(
        "Control+ArrowUp",
        AREA,
        "#a",
        (Keys.END, "Control+End"),
        (Keys.ARROW_UP, "Control+ArrowUp"),
        ("x", "x"),
    ),
    key("PageUp in an area", AREA, "#a", (Keys.END, "Control+End"), (Keys.PAGE_UP, "PageUp"), ("x", "x")),
    key(
        "arrows over a selection",
        TEXT,
        "#a",
        ("a", "Control+a"),
        (Keys.ARROW_RIGHT, "ArrowRight"),
        ("x", "x"),
    ),
    key(
        "Backspace over a selection",
        TEXT,
        "#a",
        (Keys.HOME, "Home"),
        (Keys.ARROW_RIGHT, "Shift+ArrowRight"),
        (Keys.BACKSPACE, "Backspace"),
    ),
    key("redo", TEXT, "#a", (Keys.END, "End"), ("x", "x"), ("z", "Control+z"), ("y", "Control+y")),
    key("Shift+Enter in an area", AREA, "#a", (Keys.END, "Control+End"), (Keys.ENTER, "Shift+Enter")),
    key(
        "Enter on a radio", f"<form id=f>{RADIOS}<button id=b>b</button></form>", "#r1", (Keys.ENTER, "Enter")
    ),
    key(
        "Enter in a range",
        "<form id=f><input id=a type=range><button id=b>b</button></form>",
        "#a",
        (Keys.ENTER, "Enter"),
    ),
    key(
        "Enter on a reset",
        "<form id=f><input id=i value=1><button type=reset id=a>r</button></form>",
        "#a",
        (Keys.ENTER, "Enter"),
    ),
    key(
        "Enter with a disabled button",
        "<form id=f><input id=a><button id=b disabled>b</button></form>",
        "#a",
        (Keys.ENTER, "Enter"),
    ),
    *(
        key(
            f"Enter in {kind}, {'a' if button else 'no'} button",
            f"<form id=f><input id=a type={kind}>{button}</form>",
            "#a",
            (Keys.ENTER, "Enter"),
        )
        for kind in ("date", "time", "checkbox")
        for button in ("", "<button id=b>b</button>")
    ),
    key("Space on a radio", RADIOS, "#r1", (Keys.TAB, "Tab"), (Keys.TAB, "Shift+Tab"), (Keys.SPACE, "Space")),
    key("Space on a link", "<a id=a href='#x'>a</a>", "#a", (Keys.SPACE, "Space")),
    key(
        "Space on a box with a role", "<div id=a role=button tabindex=0>a</div>", "#a", (Keys.SPACE, "Space")
    ),
    key(
        "Escape of a popover by hand",
        "<button id=a popovertarget=d>o</button><div id=d popover=manual>p</div>",
        "#a",
        (Keys.ESCAPE, "Escape"),
    ),
    key(
        "Escape of a dialog that isn't modal",
        "<dialog id=d open><input id=a></dialog>",
        "#a",
        (Keys.ESCAPE, "Escape"),
    ),
    key(
        "Escape that the dialog refuses",
        "<dialog id=d oncancel='event.preventDefault()'><input id=i></dialog><button id=a onclick='d.showModal()'>o</button>",
        "#a",
        (Keys.ESCAPE, "Escape"),
    ),
    key(
        "Tab into a shadow root",
        "<button id=a>a</button><div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = '<input id=i>'</script><button id=b>b</button>",
        "#a",
        (Keys.TAB, "Tab"),
        (Keys.TAB, "Tab"),
    ),
    key(
        "Tab into a frame",
        "<button id=a>a</button><iframe id=f srcdoc='<input id=i>'></iframe><button id=b>b</button>",
        "#a",
        (Keys.TAB, "Tab"),
        (Keys.TAB, "Tab"),
        same_events=False,
    ),
    key(
        "Tab into editable",
        "<button id=a>a</button><div id=d contenteditable>text</div>",
        "#a",
        (Keys.TAB, "Tab"),
        ("x", "x"),
    ),
    key(
        "Tab through slots",
        "<button id=a>a</button><div id=h><button id=b slot=two>b</button><button id=c slot=one>c</button></div><script>h.attachShadow({mode: 'open'}).innerHTML = '<slot name=one></slot><input id=i><slot name=two></slot>'</script>",
        "#a",
        (Keys.TAB, "Tab"),
        (Keys.TAB, "Tab"),
        (Keys.TAB, "Tab"),
    ),
    key(
        "Tab over what is hidden",
        "<button id=a>a</button><button id=b style='visibility: hidden'>b</button><div inert><button id=c>c</button></div><details><summary id=s>s</summary><button id=d>d</button></details>",
        "#a",
        (Keys.TAB, "Tab"),
        (Keys.TAB, "Tab"),
    ),
    key(
        "Tab to a box that scrolls",
        "<button id=a>a</button><div id=d style='height: 40px; overflow: auto'><p style='height: 200px'>tall</p></div>",
        "#a",
        (Keys.TAB, "Tab"),
    ),
    key(
        "Tab prevented",
        "<input id=a onkeydown='event.preventDefault()'><input id=b>",
        "#a",
        (Keys.TAB, "Tab"),
    ),
    key("a key that moves the focus", "<input id=a onkeydown='b.focus()'><input id=b>", "#a", ("x", "x")),
    key(
        "arrows in a list with several",
        "<select id=a size=3 multiple><option id=o>x<option>y<option>z</select>",
        "#o",
        (Keys.ARROW_DOWN, "ArrowDown"),
    ),
    key(
        "a letter in a list",
        "<select id=a size=3><option id=o>x<option>y<option>z</select>",
        "#o",
        ("z", "z"),
    ),
    key(
        "End in a list",
        "<select id=a size=3><option id=o>x<option>y<option>z</select>",
        "#o",
        (Keys.END, "End"),
    ),
]
