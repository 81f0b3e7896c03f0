"""Visibility, position and clickability of elements in snapshots."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.page.conftest import OpenPage

HIDDEN = [
    "<button hidden>No</button>",
    "<div style='display:none'><button>No</button></div>",
    "<button style='visibility:hidden'>No</button>",
    "<div inert><button>No</button></div>",
    "<div aria-hidden=true><button>No</button></div>",
    "<div style='content-visibility:hidden'><button>No</button></div>",
    "<details><summary tabindex=-1></summary><button>No</button></details>",
    "<button style='width:0;height:0;padding:0;border:0;overflow:hidden'>No</button>",
    "<div popover><button>No</button></div>",
    "<iframe hidden srcdoc='<button>No</button>'></iframe>",
]


def names(snapshot: dict[str, Any]) -> list[str]:
    return [entry["name"] for entry in snapshot["elements"]]


@pytest.mark.parametrize("html", HIDDEN)
def test_hidden_elements_are_omitted(open_page: OpenPage, html: str) -> None:
    assert "No" not in names(open_page(f"{html}<button>Yes</button>").snapshot())


def test_visible_parts_of_hidden_elements_are_included(open_page: OpenPage) -> None:
    page = open_page(
        "<div style='visibility:hidden'><button style='visibility:visible'>A</button></div>"
        "<div style='display:contents'><button>B</button></div>"
        "<label>C<input type=checkbox style='width:0;height:0;opacity:0;position:absolute'></label>"
    )
    assert names(page.snapshot()) == ["A", "B", "C"]


@pytest.mark.parametrize(
    "where", ["document.body", "document.body.appendChild(make('p')).attachShadow({mode: 'open'})"]
)
def test_elements_below_a_modal_dialog_are_omitted(open_page: OpenPage, where: str) -> None:
    page = open_page("<button>Below</button>")
    page.run(f"""
        const make = (name) => document.createElement(name);
        const dialog = make("dialog");
        dialog.innerHTML = "<button>Above</button>";
        {where}.append(dialog);
        dialog.showModal();
    """)
    assert names(page.snapshot()) == ["Above"]


def test_same_origin_frames_are_included(open_page: OpenPage) -> None:
    inner = "<iframe style='border:0' srcdoc='<body style=margin:0><button style=display:block>Deep</button>'></iframe>"
    page = open_page(f"<body style='margin:0'>{inner.replace('<iframe', '<iframe id=f')}<button>Top</button>")
    deep, top = page.snapshot()["elements"]
    assert (deep["name"], top["name"]) == ("Deep", "Top")
    assert (deep["x"], deep["y"]) == (0, 0)
    assert page.run("return geminiPage.element(arguments[0]).ownerDocument !== document", deep["ref"])


def test_a_cross_origin_frame_is_a_single_entry(open_page: OpenPage) -> None:
    page = open_page(
        "<iframe title=Pay src='OTHER/pay.html'></iframe>", files={"/pay.html": "<button>Pay</button>"}
    )
    snapshot = page.snapshot()
    [entry] = snapshot["elements"]
    assert entry["cross_origin"] is True
    assert "another origin" in snapshot["text"]


def test_a_covered_element_names_its_cover(open_page: OpenPage) -> None:
    page = open_page("""<button>Under</button><label><input type=checkbox style="opacity:0"> Free</label>
        <div id=promo style="position:fixed;left:0;top:0;width:90px;height:90px"></div>""")
    page.run("document.querySelector('label').style.cssText = 'position:absolute;left:200px'")
    under, free = page.snapshot()["elements"]
    assert under["covered_by"].endswith("div#promo")
    assert "covered_by" not in free


def test_elements_with_press_listeners_are_clickable(open_page: OpenPage) -> None:
    page = open_page("""<p id=a>Added</p><p id=b onclick="1">Attribute</p><p id=c>Property</p><p id=d>Removed</p>
        <p id=e>Once</p><p id=f>Aborted</p><p id=g>Keys</p><button id=h>Real</button>
        <p id=i>Root of React</p><p id=j>Handled by React</p>
        <script>
          const listen = () => {}, stop = new AbortController();
          a.addEventListener("pointerdown", listen);
          c.onclick = () => listen();
          // React sets an empty one on its roots, and on the elements that it handles.
          i.onclick = j.onclick = function noop$1() {\n};
          j.__reactProps$x = { onClick: listen };
          d.addEventListener("click", listen); d.removeEventListener("click", listen);
          e.addEventListener("click", listen, { once: true }); e.click();
          f.addEventListener("click", listen, { signal: stop.signal }); stop.abort();
          g.addEventListener("keydown", listen);
          h.addEventListener("click", listen);
        </script>""")
    clickable = {entry["ref"]: entry.get("clickable", False) for entry in page.snapshot()["elements"]}
    ids = page.run("return arguments[0].map((ref) => geminiPage.element(ref).id)", list(clickable))
    assert dict(zip(ids, clickable.values(), strict=True)) == {
        "a": True, "b": True, "c": True, "h": False, "j": True,
    }  # fmt: skip


def test_recording_listeners_is_invisible_to_the_page(open_page: OpenPage) -> None:
    page = open_page("")
    seen = page.run("""
        const frame = document.body.appendChild(document.createElement("iframe"));
        const untouched = frame.contentWindow.EventTarget.prototype;
        const tell = (one) => [one.name, one.length, `${one}`, Object.getOwnPropertyNames(one).sort().join()].join();
        return ["addEventListener", "removeEventListener"].map((name) => {
          const own = EventTarget.prototype[name];
          return tell(own) === tell(untouched[name]) && Function.prototype.toString.call(own).includes(name);
        });
    """)
    assert seen == [True, True]


def test_a_late_script_uses_the_pointer_cursor_as_evidence(open_page: OpenPage) -> None:
    page = open_page(
        """<p id=p style="cursor:pointer">Press <b>me</b></p><p>Text</p><a href=# style="cursor:pointer"><b>Link</b></a>
        <script>p.addEventListener("click", () => {})</script><script src="/gemini-page.js"></script>""",
        script=False,
    )
    entries = page.snapshot()["elements"]
    assert [(entry["role"], entry.get("clickable", False)) for entry in entries] == [
        ("paragraph", True),
        ("link", False),
    ]
