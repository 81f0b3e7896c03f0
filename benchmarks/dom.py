"""Compares the snapshot of pages with Chromium's accessibility tree, and measures its time and length.

The pages are in benchmarks/pages, in npm and Debian packages (found_pages.toml, debian_pages.toml) and in
benchmarks/kits. Times are measured on three generated pages; the baseline is a plain list of the elements that
selectors find, in the same browser and minute, as are the peers (benchmarks/_peers.py).
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import _debian
from _accessibility import INTERACTIVE, Seen, accessibility_tree, elements
from _corpus import KITS, add_scripts, found, open_page, own
from _fuzz import fuzz
from _libraries import serving
from _peers import ariasnapshot_length, peer_times, peers_script, warm_ms
from selenium.webdriver import Chrome

from gemini_testing.browser import launch
from gemini_testing.html_page import HtmlPage

ROOT = Path(__file__).parents[1]
SIZES = (1_000, 10_000, 100_000)
ROUNDS = 5
PEER_ROUNDS = 3
MINIMUM = {"macro": 0.988, "precision": 0.97, "recall": 0.995, "states": 0.98, "listeners": 0.92}
MAX_RATIO = 8.0
# The length as a ratio to Playwright's ariaSnapshot, on the ordinary pages.
MAX_OF_ARIASNAPSHOT = 0.5
# The snapshot of a page that hasn't changed, as a ratio to this peer.
WARM_PEER = "dom-accessibility-api"
MAX_OF_WARM_PEER = 1.2
# Ten times the elements may take this many times more than ten times as long.
MAX_GROWTH = 1.5
MAX_CHARACTERS = 4_000
# Enough for one peer on the largest page.
TIMEOUT_S = 400
# The pages that are most similar to an agent's everyday pages.
ORDINARY = (
    "article blog_home docs_reference form_account login mail menulinks_footer shop_list table_orders wiki"
).split()
PRESSES = {"click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "dblclick"}
STATES = (
    "checked",
    "pressed",
    "expanded",
    "selected",
    "disabled",
    "required",
    "invalid",
    "readonly",
    "level",
)
LEVELS = {"heading", "treeitem"}
# The protocol never says that these are read-only, although Chromium knows.
NOT_READONLY = {"combobox", "spinbutton"}

# Numbers the elements, to join both views of each. Returns those with an area, those that a mouse reaches, and those
# that Chromium has in its tree only once they are scrolled to (`content-visibility: auto`).
MARK = """
const areas = [];
const pressable = [];
const skipped = [];
let count = 0;
const mark = (root) => {
  for (const element of root.querySelectorAll("*")) {
    element.setAttribute("data-bench", count);
    const { width, height } = element.getBoundingClientRect();
    if ((width > 0 && height > 0) || element.localName === "area") areas.push(String(count));
    const isReached = getComputedStyle(element).pointerEvents !== "none" && !element.closest("[inert]");
    if (isReached && element.checkVisibility({ visibilityProperty: true })) pressable.push(String(count));
    const isDrawn = element.checkVisibility({ contentVisibilityAuto: true });
    if (!isDrawn && element.checkVisibility()) skipped.push(String(count));
    count++;
    if (element.shadowRoot) mark(element.shadowRoot);
    try { if (element.contentDocument) mark(element.contentDocument); } catch {}
  }
};
mark(document);
return [areas, pressable, skipped];
"""
NUMBERS = (
    "return Object.fromEntries(arguments[0].map((ref) => [geminiPage.element(ref).dataset.bench, ref]));"
)

# The approach of scripts without a snapshot: a selector, and the first attribute or text that may be a name.
BASELINE = """
const selector = "a[href], button, input, select, textarea, summary, [role], [tabindex], [contenteditable], [onclick]";
const list = [];
for (const element of document.querySelectorAll(selector)) {
  const { x, y, width, height } = element.getBoundingClientRect();
  const { display, visibility } = getComputedStyle(element);
  if (display === "none" || visibility !== "visible" || !width || !height) continue;
  const name = element.getAttribute("aria-label") || element.getAttribute("title") ||
    element.getAttribute("placeholder") || element.textContent.trim();
  list.push({ role: element.getAttribute("role") || element.localName, name, x, y, width, height });
}
return list.length;
"""
# Measures the first result after a style change, which includes the style and layout calculation.
COLD = """
document.documentElement.style.fontSize = `${16 + (arguments[0] % 2) / 10}px`;
const start = performance.now();
const run = () => { RUN };
run();
return performance.now() - start;
"""
WARM = "const start = performance.now(); geminiPage.snapshot({}); return performance.now() - start;"

ROW = """<tr class="row"><td><input type="checkbox" id="c{i}"><label for="c{i}">Pick {i}</label></td>
<td><a href="/item/{i}"><span>Item</span> <b>{i}</b></a></td>
<td><p>Text of row {i} <i>with</i> <em>marks</em></p></td>
<td><span class="s">{i}</span><div><div>
<button aria-label="Edit {i}">E</button><button>Delete</button></div></div></td></tr>"""
ROW_ELEMENTS = 19


@dataclass
class Agreement:
    """The agreement of a page's snapshot with Chromium, as counts."""

    truth: int = 0
    same: int = 0
    found: int = 0
    listed: int = 0
    right: int = 0
    states: int = 0
    right_states: int = 0
    listeners: int = 0
    detected: int = 0
    characters: int = 0
    # The characters of the full page, without a limit, and by Playwright.
    full: int = 0
    ariasnapshot: int = 0
    differences: list[str] = field(default_factory=list[str])


def agreement(page: HtmlPage) -> Agreement:
    """Compare the snapshot of the open page with Chromium's accessibility tree."""
    snapshot = page.snapshot(max_chars=10_000_000)
    entries = {entry["ref"]: entry for entry in snapshot["elements"]}
    result = Agreement(characters=len(page.snapshot()["text"]), full=len(snapshot["text"]))
    areas, pressable, skipped = map(set, page.run(MARK))
    refs = page.run(NUMBERS, list(entries))
    tree = accessibility_tree(page.driver)
    numbers = {node: attributes.get("data-bench", "") for node, _, attributes in elements(page.driver)}
    names = {node: name for node, name, _ in elements(page.driver)}
    listening = _listening(page.driver)
    for node, number in numbers.items():
        seen = tree.get(node)
        entry = entries.get(refs.get(number, ""))
        if entry is not None and not (seen is None and number in skipped):
            _count_entry(result, entry, seen, names[node])
        if seen is not None and seen.role in INTERACTIVE and (number in areas or entry is not None):
            _count_truth(result, entry, seen, names[node])
        elif node in listening and number in areas & pressable and names[node] not in {"html", "body"}:
            result.listeners += 1
            result.detected += entry is not None
            if entry is None:
                result.differences.append(f"listener not detected: {names[node]} {number}")
    return result


def _count_entry(result: Agreement, entry: dict[str, Any], seen: Seen | None, name: str) -> None:
    if entry.get("clickable") or entry.get("cross_origin"):
        return
    result.listed += 1
    if seen is not None and (
        seen.role in INTERACTIVE or seen.states.get("focusable") or "editable" in seen.states
    ):
        result.right += 1
    else:
        result.differences.append(f"not in Chromium's tree: {name} {entry['role']} {entry['name']!r}")


def _count_truth(result: Agreement, entry: dict[str, Any] | None, seen: Seen, name: str) -> None:
    result.truth += 1
    if entry is None:
        result.differences.append(f"missing: {name} {seen.role} {seen.name!r}")
        return
    result.found += 1
    if (entry["role"], entry["name"]) == (seen.role, seen.name):
        result.same += 1
    else:
        ours = f"{entry['role']} {entry['name']!r}"
        result.differences.append(f"different: {name} {ours}, Chromium {seen.role} {seen.name!r}")
    for state in STATES:
        ours, theirs = _state(entry["states"], state), _state(seen.states, state)
        if (state == "level" and seen.role not in LEVELS) or (
            state == "readonly" and seen.role in NOT_READONLY
        ):
            continue
        if ours != "false" or theirs != "false":
            result.states += 1
            result.right_states += ours == theirs
            if ours != theirs:
                values = f"{entry['role']} {entry['name']!r} {state} {ours}, Chromium {theirs}"
                result.differences.append(f"state: {name} {values}")


def _state(states: dict[str, Any], name: str) -> str:
    value = states.get(name)
    return "false" if value in (None, "") else str(value).lower()


def _listening(driver: Chrome) -> set[int]:
    """Return the nodes that listen to presses, with a script or an attribute."""
    root = driver.execute_cdp_cmd("Runtime.evaluate", {"expression": "document"})["result"]["objectId"]
    asked = {"objectId": root, "depth": -1, "pierce": True}
    listeners = driver.execute_cdp_cmd("DOMDebugger.getEventListeners", asked)["listeners"]
    return {one["backendNodeId"] for one in listeners if one["type"] in PRESSES and "backendNodeId" in one}


def generated_page(size: int) -> str:
    """Return a page with about `size` elements, a quarter of them interactive."""
    rows = "".join(ROW.replace("{i}", str(index)) for index in range(size // ROW_ELEMENTS))
    return f"<title>Rows</title><style>.s{{color:gray}}</style><h1>Rows</h1><table><tbody>{rows}</table>"


def times(page: HtmlPage, sizes: Sequence[int], peers: str) -> dict[int, dict[str, Any]]:
    """Measure `{plain_ms, snapshot_ms, warm_ms, ratio, peers_ms, peer_warm_ms}` by size, as medians."""
    results: dict[int, dict[str, Any]] = {}
    known: dict[str, dict[int, float | str]] = {}
    for size in sizes:
        page.open(generated_page(size))
        rows: list[tuple[float, float]] = []
        for turn in range(ROUNDS):
            plain = page.run(COLD.replace("RUN", BASELINE), 2 * turn)
            ours = page.run(COLD.replace("RUN", "return geminiPage.snapshot({})"), 2 * turn + 1)
            rows.append((plain, ours))
        results[size] = {
            "plain_ms": statistics.median(plain for plain, _ in rows),
            "snapshot_ms": statistics.median(ours for _, ours in rows),
            "warm_ms": statistics.median(page.run(WARM) for _ in range(ROUNDS)),
            "ratio": statistics.median(ours / plain for plain, ours in rows),
        }
        print(f"ours, {size:,} elements: {json.dumps(results[size])}", flush=True)
        page.run(peers)
        peer_times(page, known, size, PEER_ROUNDS)
        results[size]["peer_warm_ms"] = warm_ms(page, WARM_PEER, PEER_ROUNDS)
        results[size]["peers_ms"] = {name: known[name][size] for name in known}
    return results


def summary(agreements: dict[str, Agreement]) -> dict[str, float]:
    """Return the figures that have limits."""
    every = agreements.values()
    return {
        "macro": statistics.mean(one.same / one.truth for one in every if one.truth),
        "precision": _share((one.right, one.listed) for one in every),
        "recall": _share((one.found, one.truth) for one in every),
        "states": _share((one.right_states, one.states) for one in every),
        "listeners": _share((one.detected, one.listeners) for one in every),
    }


def _share(parts: Iterable[tuple[int, int]]) -> float:
    pairs = list(parts)
    return sum(part for part, _ in pairs) / (sum(whole for _, whole in pairs) or 1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--pages", nargs="*", default=[], help="only these pages; 'own', 'found' and 'debian' are groups"
    )
    parser.add_argument("--script", type=Path, default=ROOT / "dist/gemini-page.js")
    parser.add_argument("--fuzz", type=int, default=1_000, help="the number of random pages")
    parser.add_argument(
        "--sizes", nargs="*", type=int, default=SIZES, help="the numbers of elements to measure times with"
    )
    parser.add_argument("--differences", action="store_true", help="print every difference")
    return parser.parse_args()


def compare(page: HtmlPage, names: list[str], peers: str, *, verbose: bool) -> dict[str, Agreement]:
    """Compare each page with Chromium and print the results."""
    agreements: dict[str, Agreement] = {}
    for name in names:
        open_page(page, name)
        one = agreements[name] = agreement(page)
        page.run(peers)
        one.ariasnapshot = ariasnapshot_length(page)
        lengths = f"{one.characters:5} characters, {one.full:5} in full, {one.ariasnapshot:5} by Playwright"
        print(f"{name:20} {one.same:4} of {one.truth:4} the same, {lengths}")
        for difference in one.differences if verbose else ():
            print(f"    {difference}")
    return agreements


def too_slow(measured: dict[int, dict[str, Any]]) -> list[str]:
    """Return the times that exceed their limits."""
    wrong = [
        f"{one['ratio']:.1f} times the plain list at {size:,}"
        for size, one in measured.items()
        if one["ratio"] > MAX_RATIO
    ]
    wrong += [
        f"{one['warm_ms'] / one['peer_warm_ms']:.1f} times {WARM_PEER} at {size:,}, unchanged"
        for size, one in measured.items()
        if one["warm_ms"] > MAX_OF_WARM_PEER * one["peer_warm_ms"]
    ]
    for size, one in measured.items():
        for name, ms in one["peers_ms"].items():
            if isinstance(ms, float) and ms < one["snapshot_ms"]:
                wrong.append(f"slower than {name} at {size:,}")
    for small, large in itertools.pairwise(measured):
        growth = measured[large]["snapshot_ms"] / measured[small]["snapshot_ms"] / (large / small)
        if growth > MAX_GROWTH:
            wrong.append(
                f"{large // small} times the elements take {growth * large / small:.1f} times as long"
            )
    return wrong


def too_long(agreements: dict[str, Agreement]) -> list[str]:
    """Print the lengths and return those that exceed their limits."""
    ordinary = [agreements[name] for name in ORDINARY if name in agreements]
    longest = max((one.characters for one in ordinary), default=0)
    every = _share((one.full, one.ariasnapshot) for one in agreements.values())
    share = _share((one.full, one.ariasnapshot) for one in ordinary)
    print(f"longest of the ordinary pages: {longest} characters (at most {MAX_CHARACTERS})")
    ratios = f"{share:.2f} on the ordinary pages (at most {MAX_OF_ARIASNAPSHOT}), {every:.2f} on all"
    print(f"full snapshots, as a ratio to Playwright's ariaSnapshot: {ratios}")
    wrong = ["an ordinary page is too long"] if longest > MAX_CHARACTERS else []
    return wrong + (["full snapshots are too long"] if share > MAX_OF_ARIASNAPSHOT else [])


def main() -> int:
    """Print the figures and return 1 if one exceeds its limit, else 0."""
    options = _options()
    _debian.fetch()
    groups = {"own": own(), "found": [*found()], "debian": [*_debian.pages()]}
    names = [name for given in options.pages or ("own", "found") for name in groups.get(given, [given])]
    peers = peers_script()
    with serving(options.script, kits=KITS, debian=_debian.SHARED) as server:
        add_scripts(server)
        driver = launch(webmcp=False)
        driver.set_script_timeout(TIMEOUT_S)
        cast(Any, driver.command_executor).client_config.timeout = TIMEOUT_S
        try:
            page = HtmlPage(driver, server)
            agreements = compare(page, names, peers, verbose=options.differences)
            measured = times(page, options.sizes, peers)
            wrong = [f"fuzz: {problem}" for problem in fuzz(page, options.fuzz)]
        finally:
            driver.quit()
    for name, figure in summary(agreements).items():
        print(f"{name} {figure:.2%} (at least {MINIMUM[name]:.1%})")
        if figure < MINIMUM[name]:
            wrong.append(f"{name} is too low")
    print(json.dumps(measured, indent=1))
    wrong += too_long(agreements) + too_slow(measured)
    for problem in wrong:
        print(problem)
    print(f"{options.fuzz} random pages, {len(wrong)} problems in all")
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
