"""Typing."""

from __future__ import annotations

from selenium.webdriver.common.keys import Keys

from tests.web.page.gestures.pages import FORM, TEXT
from tests.web.page.trusted import Case

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
