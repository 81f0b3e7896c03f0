"""Mouse clicks."""

from __future__ import annotations

from selenium.webdriver.common.keys import Keys

from tests.web.page.gestures.pages import AREA, EDITABLE, FORM, RADIOS, TEXT
from tests.web.page.trusted import Case

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
    Case(
        "button beside a selection",
        "<p id=p>Some words</p><button id=a>Go</button><script>getSelection().selectAllChildren(p)</script>",
        lambda by: by.click("#a"),
        [("click", {"selector": "#a"})],
    ),
    Case(
        "beside a popover",
        "<button id=a popovertarget=p>Open</button><div id=p popover style='inset: 90px auto auto 90px'>Pop</div><p id=away>Text</p>",
        lambda by: by.click("#a") and by.click("#away"),
        [("click", {"selector": "#a"}), ("click", {"selector": "#away"})],
    ),
    Case(
        "with a modifier",
        "<button id=a>Go</button><p id=out class=shown></p><script>"
        "a.onclick = ({ ctrlKey, shiftKey }) => { out.textContent = [ctrlKey, shiftKey]; };</script>",
        lambda by: by.chain.key_down(Keys.CONTROL).click(by.find("#a")).key_up(Keys.CONTROL).perform(),
        [("click", {"selector": "#a", "modifiers": "Control"})],
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
        # X11 pastes on a middle click.
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
