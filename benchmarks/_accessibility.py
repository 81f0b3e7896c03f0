"""Reads Chromium's accessibility tree of the open page through the DevTools protocol."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from selenium.webdriver import Chrome

# Chromium's internal roles, and the ARIA roles they correspond to.
ROLES = {
    "DisclosureTriangle": "button",
    "DisclosureTriangleGrouped": "button",
    "Date": "textbox",
    "DateTime": "textbox",
    "InputTime": "textbox",
    "ColorWell": "textbox",
    "PopUpButton": "combobox",
    "ToggleButton": "button",
    "EditableCombobox": "combobox",
}
INTERACTIVE = frozenset(
    "button link textbox searchbox combobox listbox option checkbox radio switch slider spinbutton menuitem "
    "menuitemcheckbox menuitemradio tab treeitem".split()
)


@dataclass
class Seen:
    """An element as Chromium exposes it to screen readers."""

    role: str
    name: str
    description: str
    states: dict[str, Any] = field(default_factory=dict[str, Any])


def accessibility_tree(driver: Chrome) -> dict[int, Seen]:
    """Return the elements that aren't ignored, by DOM node id, in all frames of the page's own process."""
    driver.execute_cdp_cmd("Accessibility.enable", {})
    seen: dict[int, Seen] = {}
    for frame in _frames(driver.execute_cdp_cmd("Page.getFrameTree", {})["frameTree"]):
        nodes = driver.execute_cdp_cmd("Accessibility.getFullAXTree", {"frameId": frame})["nodes"]
        for node in nodes:
            if node.get("ignored") or "backendDOMNodeId" not in node:
                continue
            role = str(node["role"]["value"])
            if role in {"StaticText", "InlineTextBox", "RootWebArea"}:
                continue
            seen[node["backendDOMNodeId"]] = Seen(
                ROLES.get(role, role),
                # Chromium leaves a space before hidden content at the end.
                str(node.get("name", {}).get("value", "")).strip(" \n"),
                str(node.get("description", {}).get("value", "")),
                {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
                | ({"value": node["value"].get("value")} if "value" in node else {}),
            )
    driver.execute_cdp_cmd("Accessibility.disable", {})
    return seen


def elements(driver: Chrome) -> Iterator[tuple[int, str, dict[str, str]]]:
    """Yield each element's node id, tag name and attributes.

    Shadow roots and frames of the page's own process are included.
    """
    waiting = [driver.execute_cdp_cmd("DOM.getDocument", {"depth": -1, "pierce": True})["root"]]
    while waiting:
        node = waiting.pop()
        if node["nodeType"] == 1:
            flat = node.get("attributes", [])
            yield node["backendNodeId"], node["localName"], dict(zip(flat[::2], flat[1::2], strict=True))
        for shadow in node.get("shadowRoots", []):
            if shadow["shadowRootType"] != "user-agent":
                waiting.append(shadow)
        if "contentDocument" in node:
            waiting.append(node["contentDocument"])
        waiting.extend(node.get("children", []))


def _frames(tree: dict[str, Any]) -> Iterator[str]:
    yield tree["frame"]["id"]
    for child in tree.get("childFrames", []):
        yield from _frames(child)
