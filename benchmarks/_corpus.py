"""The pages that snapshots are compared on: our own, pages of npm and Debian packages, and widget kits."""

from __future__ import annotations

import tomllib
from pathlib import Path

import _debian
from _libraries import FolderServer, bundled

from gemini_testing.html_page import HtmlPage

HERE = Path(__file__).parent
PAGES = HERE / "pages"
KITS = HERE / "kits"
FOUND = HERE / "found_pages.toml"
# A page is still if its custom elements are defined and nothing in it has changed for a while, or after the limit.
STILL = """
const [quiet, limit] = arguments;
const names = new Set([...document.querySelectorAll(":not(:defined)")].map((element) => element.localName));
const late = new Promise((done) => setTimeout(done, limit));
await Promise.race([late, Promise.all([...names].map((name) => customElements.whenDefined(name)))]);
await new Promise((done) => {
  let timer = setTimeout(done, quiet);
  new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(done, quiet); })
    .observe(document, { subtree: true, childList: true, attributes: true });
  setTimeout(done, limit);
});
"""
QUIET_MS = 600
LIMIT_MS = 6_000


def own() -> list[str]:
    """Return the names of the pages in benchmarks/pages."""
    return sorted(path.stem for path in PAGES.glob("*.html"))


def found() -> dict[str, str]:
    """Return the paths of the pages that packages bring and of the kits, by name. Debian's are there once fetched."""
    pages = tomllib.loads(FOUND.read_text(encoding="utf-8"))
    kits = {f"kit_{path.stem}": f"kits/{path.name}" for path in sorted(KITS.glob("*.html"))}
    return {name: f"node_modules/{path}" for name, path in sorted(pages.items())} | kits | _debian.pages()


def add_scripts(server: FolderServer) -> None:
    """Bundle the scripts of the kits."""
    server.files |= {f"/kits/{path.name}": bundled(path) for path in KITS.glob("*.js")}


def open_page(page: HtmlPage, name: str) -> None:
    """Open a page of the corpus and wait until it is still."""
    path = found().get(name)
    if path is None:
        page.open((PAGES / f"{name}.html").read_text(encoding="utf-8"))
    else:
        page.driver.get(f"{page.server.url}/{path}")
        page.run(STILL, QUIET_MS, LIMIT_MS)
