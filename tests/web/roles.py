"""Elements by role and accessible name, as `button "Save"`, also within others: `dialog "Connect" button "Save"`.

CSS may stand before, between and behind: `region "Files" [role=alert]`. The page narrows the elements by their labels,
and Chromium's own accessibility tree decides (`computedRole` and `computedName`) before one is used, in the same look.
"""

from __future__ import annotations

# Expects a scope and CSS, and returns the elements in the scope, also in the shadow roots of views of untrusted markup.
WITHIN = """((scope, selector) => [scope, scope, ...scope.querySelectorAll(".untrusted")]
  .map((each, index) => (index === 0 ? each : each.shadowRoot))
  .flatMap((root) => [...(root?.querySelectorAll(selector) ?? [])]))"""
# Expects a scope, a role, a name and whether hidden ones count, and returns the elements that may have them.
BY_ROLE = """((scope, role, name, hidden) => {
  const tags = {
    banner: "header", button: "button, summary, input[type=button], input[type=submit]", cell: "td",
    checkbox: "input[type=checkbox]", combobox: "select, input[list]", contentinfo: "footer", dialog: "dialog",
    figure: "figure", form: "form", group: "fieldset, details", heading: "h1, h2, h3, h4, h5, h6", img: "img, svg",
    link: "a[href]", list: "ul, ol", listbox: "select", listitem: "li", navigation: "nav", option: "option",
    radio: "input[type=radio]", region: "section", row: "tr", searchbox: "input[type=search]",
    slider: "input[type=range]", spinbutton: "input[type=number]", table: "table",
    textbox: "input:not([type=checkbox], [type=radio]), textarea, [contenteditable=true]",
  };
  // The others' names aren't their content.
  const namedByContent = /^(button|cell|checkbox|heading|link|listitem|menuitem|option|radio|row|switch|tab|treeitem)$/;
  const plain = (text) => (text ?? "").replace(/\\s+/g, " ").trim();
  const labels = (each) => [
    each.ariaLabel, each.title, each.placeholder, namedByContent.test(role) ? each.innerText : "", each.alt,
    ...(each.ariaLabelledByElements ?? []).map((label) => label.textContent),
    ...[...(each.labels ?? [])].map((label) => label.textContent),
    each.tagName === "FIELDSET" ? each.querySelector("legend")?.textContent : "",
    each.type === "submit" || each.type === "button" ? each.value : "",
  ].map(plain);
  const own = tags[role] ? `, :is(${tags[role]}):not([role])` : "";
  const found = WITHIN(scope, `[role=${role}]${own}`)
    .filter((each) => hidden || each.checkVisibility());
  const exact = found.filter((each) => labels(each).includes(name));
  return exact.length ? exact : found.filter((each) => labels(each).some((label) => label.includes(name)));
})""".replace("WITHIN", WITHIN)
# Expects an element and a selector, and returns whether Chromium knows the element by the role and name that the
# selector ends with; true for CSS.
HAS_ROLE = """((element, selector) => {
  const named = /(?:^|\\s)([a-z]+) "([^"]*)"$/.exec(selector);
  return named === null || (element.computedRole === named[1] && element.computedName === named[2]);
})"""
