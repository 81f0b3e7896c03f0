"""Access to a site of the surface in a tab."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from typing import Any

from selenium.webdriver.support.ui import WebDriverWait

from gemini_testing import Surface
from tests.web.agent import show_tab

PAGE = """<!doctype html>
<meta charset="utf-8">
<title>Grüße</title>
<link rel="stylesheet" href="style.css">
<script type="module" src="./main.js"></script>
<h1>Site</h1><img src="images/a%20dot.png"><p id="said"></p>
"""
FILES = {
    "index.html": PAGE,
    "style.css": "h1 { color: rgb(1, 2, 3) }",
    "main.js": "import { greet } from './lib/greet.mjs';\n"
    "const { name } = await (await fetch('data.json?v=2')).json();\n"
    "said.textContent = greet(name);",
    "lib/greet.mjs": "export const greet = (name) => `Hello ${name}`;",
    "data.json": '{"name": "Zoë"}',
    "sub/index.html": "<!doctype html><title>Sub</title><a href='../index.html'>up</a>",
    "tür & tor.html": "<!doctype html><title>Tür</title>",
}
# One pixel, as PNG.
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="


class Site:
    """A site in an agent's tab, in front."""

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self.tab = ""

    def open(self, url: str) -> dict[str, Any]:
        opened: dict[str, Any] = self.surface.call("browser_navigate", url=url)
        self.tab = opened["tab"]
        show_tab(self.surface, self.tab)
        return opened

    def open_beside(self, url: str) -> str:
        """Open a page in a new tab, use that tab from now on, and return its id."""
        rows: list[dict[str, Any]] = self.surface.call("browser_tabs", action="open", url=url)
        [self.tab] = [row["id"] for row in rows if "yours" in row]
        show_tab(self.surface, self.tab)
        return self.tab

    @contextlib.contextmanager
    def inside(self) -> Generator[None]:
        driver = self.surface.driver
        driver.switch_to.frame(driver.find_element("css selector", f".tab-frame[title='Page in {self.tab}']"))
        if driver.execute_script("return location.href") == "about:srcdoc":
            # The outer document, which confines it to its origin.
            driver.switch_to.frame(0)
        try:
            yield
        finally:
            driver.switch_to.default_content()

    def run(self, body: str, *given: Any) -> Any:
        """Run the body of an async function in the site's page. Return its value, or its error as text."""
        code = (
            "const [body, given, done] = arguments; new (async () => {}).constructor(body).apply(null, given)"
            ".then(done, (error) => done(String(error)))"
        )
        with self.inside():
            return self.surface.driver.execute_async_script(code, body, list(given))

    def says(self, expression: str) -> Any:
        """Wait until an expression is truthy in the site's page, and return its value."""
        with self.inside():
            return WebDriverWait(self.surface.driver, 20, 0.05).until(
                lambda driver: driver.execute_script(f"return {expression}")
            )


def write_site(surface: Surface) -> None:
    surface.python("import shutil; shutil.rmtree('/project/site', ignore_errors=True)")
    for name, text in FILES.items():
        surface.call("file_write", path=f"/project/site/{name}", content=text)
    surface.python(
        "import base64, os; os.makedirs('/project/site/images', exist_ok=True)\n"
        f"open('/project/site/images/a dot.png', 'wb').write(base64.b64decode({DOT!r}))"
    )
