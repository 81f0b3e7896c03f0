"""Compares the page script's actions with trusted input on the widgets of thirty libraries.

Each interaction of widgets/interactions.toml is performed twice on a new page, by the browser's driver and by the page
script, and the widget's own state is compared. A false success is another state although no action reported a problem.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _gestures import ByDriver, ByScript, Gestures
from _libraries import bundled, serving

from gemini_testing.browser import launch
from gemini_testing.html_page import HtmlPage, PageThrew

HERE = Path(__file__).parent
WIDGETS = HERE / "widgets"
SCRIPT = HERE.parent / "dist/gemini-page.js"
MIN_SAME = 0.96
MAX_FALSE = 0
# Animations end, and debounced handlers run, within this time without a change.
QUIET_S = 0.4
READY_S = 15
# A corner without widgets, where the mouse of the driver can't disturb the page script's.
PARKED = (1200, 780)


@dataclass
class Compared:
    """One interaction, done in both ways."""

    name: str
    before: Any
    trusted: Any
    ours: Any
    claims_success: bool
    errors: list[str]

    @property
    def same(self) -> bool:
        return self.trusted == self.ours

    @property
    def is_false_success(self) -> bool:
        return not self.same and self.claims_success

    def __str__(self) -> str:
        kind = "same" if self.same else "FALSE SUCCESS" if self.is_false_success else "different"
        note = " (trusted input changed nothing)" if self.trusted == self.before else ""
        if self.same:
            return f"{kind}: {self.name}{note}"
        return f"{kind}: {self.name}{note}\n  trusted {self.trusted}\n  ours    {self.ours}\n  {self.errors}"


def settled(page: HtmlPage, state: str) -> Any:
    """Return the widget's state once it is there and stays the same."""
    body = state if "return " in state else f"return {state}"
    body = f"const read = async () => {{ {body} }}; return JSON.parse(JSON.stringify(await read() ?? null));"
    deadline = time.monotonic() + READY_S
    last, since = None, time.monotonic()
    while True:
        try:
            seen = page.run(body)
        except PageThrew as problem:
            seen = None
            if time.monotonic() > deadline:
                raise AssertionError(f"the page isn't ready: {problem}") from None
        now = time.monotonic()
        if seen != last:
            last, since = seen, now
        elif seen is not None and now - since > QUIET_S:
            return _without_names(seen)
        time.sleep(QUIET_S / 8)


def _without_names(state: Any) -> Any:
    """Remove the attribute by which the page script's gestures name their elements from HTML."""
    parts = json.dumps(state).split(' data-gesture=\\"')
    return json.loads(parts[0] + "".join(part.partition('\\"')[2] for part in parts[1:]))


def compare(page: HtmlPage, upload: Path, library: str, name: str, table: dict[str, Any]) -> Compared:
    """Perform one interaction in both ways."""
    html = (WIDGETS / f"{library}.html").read_text(encoding="utf-8")
    by_script = ByScript(page, upload)
    ways: list[Gestures] = [ByDriver(page, upload), by_script]
    states: list[Any] = []
    before = None
    for way in ways:
        page.open(f"<meta charset=utf-8>{html}")
        ByDriver(page, upload).hover_at(*PARKED)
        before = settled(page, table["state"])
        for gesture, *arguments in table[name]:
            way.perform(gesture, *arguments)
        states.append(settled(page, table["state"]))
    trusted, ours = states
    return Compared(f"{library}, {name}", before, trusted, ours, by_script.claims_success, by_script.errors)


def main() -> int:
    """Print the figures and return 1 if one exceeds its limit, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--libraries", nargs="*", default=[], help="only these libraries of benchmarks/widgets"
    )
    parser.add_argument("--script", type=Path, default=SCRIPT)
    options = parser.parse_args()
    tables = tomllib.loads((WIDGETS / "interactions.toml").read_text(encoding="utf-8"))
    results: list[Compared] = []
    driver = launch(webmcp=False)
    driver.set_script_timeout(30)
    try:
        with tempfile.TemporaryDirectory() as folder, serving(options.script) as server:
            upload = Path(folder, "a.txt")
            upload.write_text("hi", encoding="utf-8")
            server.files |= {f"/{each.name}": bundled(each) for each in WIDGETS.glob("*.js")}
            page = HtmlPage(driver, server)
            for library in options.libraries or tables:
                for name in tables[library]:
                    if name != "state":
                        results.append(compare(page, upload, library, name, tables[library]))
                        print(results[-1], flush=True)
    finally:
        driver.quit()
    same = sum(one.same for one in results) / len(results)
    false = sum(one.is_false_success for one in results)
    print(f"{len(results)} interactions on {len(options.libraries or tables)} pages")
    print(
        f"{same:.1%} as with trusted input (at least {MIN_SAME:.0%}), {false} false successes (at most {MAX_FALSE})"
    )
    return int(same < MIN_SAME or false > MAX_FALSE)


if __name__ == "__main__":
    raise SystemExit(main())
