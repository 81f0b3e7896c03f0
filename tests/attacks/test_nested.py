"""The surface, or other documents of its origins, in one of its own tabs, where code could reach its powers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from gemini_testing import Surface
from gemini_testing.html_page import HtmlServer, serving_html
from tests.attacks.page_port import ask_document, ask_page, is_asked
from tests.web.agent import show_tab
from tests.web.conftest import Start
from tests.web.person import Person

pytestmark = pytest.mark.extended

# What follows the surface's origin.
SPELLINGS = [
    "", "/", "//", "///", "/./", "/.//", "/%2e/", "/x/..", "/x/../", "/?x", "/#x", "/index.html", "/index.html?x#y",
    "/INDEX.html", "/%69ndex.html", "/%2findex.html", "/%2Findex.html", "//index.html", "/./index.html",
    "/%5cindex.html",     "\\index.html", "/index%2ehtml", "/%2f%2f", "/x/%2e%2e/index.html",
]  # fmt: skip
HOSTS = [
    "localhost",
    "LOCALHOST",
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "[::1]",
    "localhost.",
    "u:p@127.0.0.1",
]
FRAME = "document.querySelector('.tab-frame.front')"
NOTE = "The surface doesn't start in a page of its own origin."
# Ways into the surface's document from one of its origin that a tab shows. `view` is the tab's window.
WAYS = {
    "location": "view.location.href = top.location.href.replace(/#.*/, '') + 'index.html'",
    "a link": "const a = view.document.createElement('a'); a.href = top.location.origin + '//';"
    "view.document.body.append(a); a.click()",
    "a form": "const form = view.document.createElement('form'); form.action = top.location.origin + '/index.html';"
    "view.document.body.append(form); form.submit()",
    "a frame": "add({})",
    "a frame that says it is embedded": "add({ 'data-gemini-surface': '' })",
    "an embedded frame with credentials of its own": "add({ 'data-gemini-surface': '', credentialless: '' })",
    "a frame in a document of text": "add({ srcdoc:"
    "`<iframe data-gemini-surface src='${top.location.origin}/index.html'></iframe>` })",
    "a document that was written": "view.document.open(); view.document.write("
    "`<iframe data-gemini-surface src='${top.location.origin}/index.html'></iframe>`); view.document.close()",
    "a blob": "add({ src: view.URL.createObjectURL(new view.Blob([`<iframe data-gemini-surface"
    " src='${top.location.origin}/index.html'></iframe>`], { type: 'text/html' })) })",
}
RUN = """
const view = document.querySelector(".tab-frame.front").contentWindow;
const add = (given) => {
  const frame = view.document.createElement("iframe");
  if (!given.src && !given.srcdoc) frame.src = top.location.origin + "/index.html";
  for (const [name, value] of Object.entries(given)) frame.setAttribute(name, value);
  view.document.body.append(frame);
};
"""
# The innermost document of the tab that has the surface's text, or its note.
INNER = """((look) => look(look, document.querySelector(".tab-frame.front")?.contentWindow))((look, view) => {
  try {
    const text = view.document.body?.textContent ?? "";
    if (text.includes("control surface") || text.includes(arguments[0])) return { text, started: "gemini" in view };
    const inner = [...Array.from({ length: view.length }, (_, index) => view[index]),
      ...[...view.document.querySelectorAll("gemini-surface")]
      .map((each) => each.shadowRoot.querySelector("iframe").contentWindow)];
    for (const frame of inner) { const found = look(look, frame); if (found) return found; }
  } catch {}
  return null;
})"""
LISTED = "return (await document.modelContext.getTools()).filter(({ name }) => name === 'file_list').length"


@pytest.fixture(scope="module")
def other(surface_dist: Path) -> Iterator[HtmlServer]:
    """Serve a page of another origin."""
    with serving_html(surface_dist / "gemini-page.js") as server:
        server.files["/page.html"] = "<!doctype html><title>Other</title><p>Hello"
        yield server


def open_tab(surface: Surface, url: str) -> str:
    """Open a tab, bring it to the front, and return its id."""
    [tab] = [row["id"] for row in surface.call("browser_tabs", action="open", url=url) if "yours" in row]
    show_tab(surface, tab)
    return tab


def off_limits(surface: Surface, url: str) -> bool:
    """Return whether the page refuses to open an address, without a question."""
    answer = ask_page(surface, "open", tab="nested", url=url, words={})
    asked = is_asked(surface)
    return answer.get("error") == "OffLimits" and not asked


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_spelling_opens_the_surface(surface: Surface, spelling: str) -> None:
    origin = surface.javascript("return location.origin")

    assert off_limits(surface, f"{origin}{spelling}")


@pytest.mark.parametrize("host", HOSTS)
def test_no_name_of_this_computer_opens_it(surface: Surface, host: str) -> None:
    port = surface.javascript("return location.port")

    assert off_limits(surface, f"http://{host}:{port}/")


@pytest.mark.parametrize("path", ["/", "/serving.json", "/kernel.html", "KERNEL"])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_no_page_of_the_kernel_s_origin_opens(surface: Surface, host: str, path: str) -> None:
    kernel = urlsplit(surface.python("import js\njs.location.href"))
    frame = f"{kernel.path.rsplit('/', 1)[0]}/kernel.html"

    assert off_limits(surface, f"http://{host}:{kernel.port}{frame if path == 'KERNEL' else path}")


def test_pages_of_other_origins_open_after_consent(
    surface: Surface, person: Person, start: Start, other: HtmlServer
) -> None:
    call = start("browser_tabs", action="open", url=f"{other.url}/page.html")
    person.sees("#approval-question", other.url)
    person.click("#approval-once")
    assert any(row["url"] == f"{other.url}/page.html" for row in call.result())


@pytest.mark.parametrize("way", WAYS)
def test_the_surface_does_not_start_in_a_tab(surface: Surface, way: str) -> None:
    open_tab(surface, "about:blank")
    # The control: what runs there reaches the surface's page.
    assert surface.javascript(f"return {FRAME}.contentWindow.eval('typeof parent.gemini')") == "object"
    surface.javascript(f"{RUN}{WAYS[way]}")
    found = surface.wait_for(INNER, NOTE)

    inner = surface.wait_for(f"((found) => found?.text.includes(arguments[0]) && found)({INNER})", NOTE)
    assert found is not None and not inner["started"]
    assert surface.javascript(LISTED) == 1
    assert surface.call("file_list", path="/project") is not None


EMBED = """
const view = document.querySelector(".tab-frame.front").contentWindow;
const frame = view.document.createElement("iframe");
const loaded = (element) => new Promise((resolve) => element.addEventListener("load", resolve, { once: true }));
frame.src = view.URL.createObjectURL(new view.Blob(["<body>"], { type: "text/html" }));
view.document.body.append(frame);
await loaded(frame);
const script = frame.contentDocument.createElement("script");
script.src = top.location.origin + "/gemini-embed.js";
frame.contentDocument.head.append(script);
await loaded(script);
return [frame.contentWindow.location.origin === top.location.origin, frame.contentDocument.readyState,
  frame.contentDocument.querySelector("gemini-surface") === null];
"""


def test_the_embedding_script_adds_no_surface_in_a_tab(surface: Surface) -> None:
    open_tab(surface, "about:blank")
    assert surface.javascript(EMBED) == [True, "complete", True]
    assert surface.javascript(LISTED) == 1


@pytest.mark.parametrize("url", ["about:blank", "/tools.json", "/serving.json", "/gemini-page.js"])
def test_no_code_runs_in_a_document_of_the_surface_s_origin(surface: Surface, url: str) -> None:
    origin = surface.javascript("return location.origin")
    tab = open_tab(surface, url if url == "about:blank" else origin + url)
    answer = ask_document(surface, tab, "evaluate", code="return parent.gemini", consented=True)

    assert answer["error"] == "OffLimits" and not is_asked(surface)
