"""Elements by role and accessible name, as `button "Save"`, also within others: `dialog "Connect" button "Save"`.

A selector may begin with CSS (`#agent button "Start"`). The page narrows the elements by their labels, and Chromium's
own accessibility tree decides (WebDriver, "Get Computed Role" and "Get Computed Label").
"""

from __future__ import annotations

import re

from selenium.webdriver.remote.webelement import WebElement

_NAMED = re.compile(r'(?:^|\s)([a-z]+) "([^"]*)"$')
# Expects a scope, a role and a name, and returns the elements in the scope that may have them.
BY_ROLE = """((scope, role, name) => {
  const tags = {
    alert: "[role=alert]", button: "button, summary, input[type=button], input[type=submit]", cell: "td",
    checkbox: "input[type=checkbox]", combobox: "select, input[list]", dialog: "dialog", group: "fieldset, details",
    heading: "h1, h2, h3, h4, h5, h6", img: "img, svg", link: "a[href]", list: "ul, ol", listbox: "select",
    option: "option", radio: "input[type=radio]", region: "section", row: "tr", searchbox: "input[type=search]",
    slider: "input[type=range]", spinbutton: "input[type=number]", table: "table",
    textbox: "input:not([type=checkbox], [type=radio]), textarea, [contenteditable=true]",
  };
  const plain = (text) => (text ?? "").replace(/\\s+/g, " ").trim();
  const labels = (each) => [
    each.ariaLabel, each.title, each.placeholder, each.innerText, each.alt,
    ...(each.ariaLabelledByElements ?? []).map((label) => label.textContent),
    ...[...(each.labels ?? [])].map((label) => label.textContent),
    each.tagName === "FIELDSET" ? each.querySelector("legend")?.textContent : "",
    each.type === "submit" || each.type === "button" ? each.value : "",
  ].map(plain);
  const own = tags[role] ? `, :is(${tags[role]}):not([role])` : "";
  const found = [...scope.querySelectorAll(`[role=${role}]${own}`)].filter((each) => each.checkVisibility());
  const exact = found.filter((each) => labels(each).includes(name));
  return exact.length ? exact : found.filter((each) => labels(each).some((label) => label.includes(name)));
})"""


def parsed(selector: str) -> tuple[str, str, str] | None:
    """Return what a selector by role and name consists of: the selector of its scope, the role, the name."""
    found = _NAMED.search(selector)
    return (selector[: found.start()].strip(), found[1], found[2]) if found else None


def has_role(element: WebElement, selector: str) -> bool:
    """Return whether Chromium's accessibility tree has the element as a selector names it; true for CSS."""
    named = parsed(selector)
    return named is None or (element.aria_role, element.accessible_name) == named[1:]
