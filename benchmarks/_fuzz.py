"""Fuzzes the page script with random pages, which must neither break it nor move a ref to another element."""

from __future__ import annotations

import json
import random

from gemini_testing.html_page import HtmlPage, PageThrew

TAGS = (
    "div span a button input label select option textarea ul li table tr td th details summary dialog form fieldset "
    "legend section article nav header footer main h1 h2 p img svg g title iframe slot x-widget output meter progress "
    "figure figcaption caption video canvas object ruby rt br wbr map area menu datalist template"
).split()
ROLES = (
    "button link checkbox radio switch tab tablist tabpanel menu menuitem option listbox tree treeitem grid row "
    "gridcell none presentation img heading textbox combobox slider spinbutton dialog region group nonsense list "
    "listitem table"
).split()
ATTRIBUTES = (
    "aria-label aria-labelledby aria-describedby aria-hidden aria-checked aria-pressed aria-expanded aria-selected "
    "aria-disabled aria-level aria-valuenow aria-owns aria-haspopup aria-invalid aria-current for href title alt "
    "placeholder tabindex hidden inert open disabled required type contenteditable slot name value style role id"
).split()
VALUES = (
    [
        "",
        "true",
        "false",
        "mixed",
        "a b c",
        "x1",
        "x2 x3",
        "x1 x1",
        "-1",
        "0",
        "99999",
        "NaN",
        "💥",
        "\u202e",
        "#x2",
    ]
    + [
        "display:none",
        "display:contents",
        "visibility:hidden",
        "position:fixed;inset:0",
        "zoom:3",
        "float:left",
    ]
    + ["text-transform:capitalize", "content-visibility:hidden", "all:unset", "id", "name", "parentNode"]
)
TYPES = (
    "text password checkbox radio range number date file image color submit hidden search nonsense".split()
)
WORDS = [
    "",
    " ",
    "Save",
    "Delete all",
    "naïve café",
    "日本語",
    "a" * 300,
    "\n\t x \n",
    "🙂🙃",
    "</div>",
    "4111111111111111",
]
# Chromium itself can't render some trees that are a few hundred levels deep.
DEPTHS = (10, 100, 10_000)

# Builds the tree through the DOM, because the HTML parser repairs and flattens its input.
BUILD = """
const make = ([tag, attributes, text, children, shadow]) => {
  const element = document.createElement(tag);
  for (const [name, value] of attributes) element.setAttribute(name, value);
  let within = element;
  if (shadow) try { within = element.attachShadow({ mode: shadow }); } catch {}
  if (text) within.append(text);
  for (const child of children) within.append(make(child));
  return element;
};
const [tree, chain, depth, hooks] = arguments;
let at = document.body;
at.append(make(tree));
globalThis.loose = null;
if (depth > 1_000) {
  // Chromium can't render such a tree, so it is hidden, never changed, and names a button.
  globalThis.loose = [...document.body.querySelectorAll("*")];
  const hidden = make(["div", [["id", "deep"], ["hidden", ""]], "", []]);
  at.append(make(["button", [["aria-labelledby", "deep"]], "", []]), hidden);
  at = hidden;
}
for (let level = 0; level < depth; level++) {
  const element = document.createElement(chain[level % chain.length][0]);
  const role = chain[level % chain.length][1];
  if (role) element.setAttribute("role", role);
  at.append(element);
  at = element;
}
at.append("bottom");
const all = [...document.body.querySelectorAll("*")];
for (const hook of hooks) {
  const victim = all[hook % all.length];
  victim.checkVisibility = function () { this.nextSibling?.remove(); return true; };
  victim.getBoundingClientRect = function () { this.remove(); return new DOMRect(1, 1, 9, 9); };
}
for (const dialog of document.querySelectorAll("dialog")) if (hooks.length) try { dialog.showModal(); } catch {}
"""
# Takes snapshots before and after changes, and returns the problems with their refs.
CHECK = """
const problems = [];
const start = performance.now();
const first = geminiPage.snapshot({});
const refs = new Map();
const living = (ref) => { try { return geminiPage.element(ref); } catch (error) {
  if (!["StaleRef", "NotFound"].includes(error.type)) problems.push(`${ref}: ${error}`);
  return null;
} };
for (const { ref } of first.elements) { const element = living(ref); if (element) refs.set(element, ref); }
const all = globalThis.loose ?? [...document.body.querySelectorAll("*")];
for (const number of arguments[0]) {
  const one = all[number % all.length], other = all[(number * 7) % all.length];
  if (!one || !other) continue;
  try {
    if (number % 4 === 0) one.remove();
    else if (number % 4 === 1) other.before(one.cloneNode(false));
    else if (number % 4 === 2) other.append(one);
    else one.setAttribute("aria-label", `changed ${number}`);
  } catch (error) { if (error.name !== "HierarchyRequestError" && error.name !== "NotFoundError") throw error; }
}
const changed = geminiPage.snapshot({ changed_only: true });
const second = geminiPage.snapshot({});
const seen = new Set();
for (const { ref } of second.elements) {
  if (seen.has(ref)) problems.push(`${ref} is duplicated`);
  seen.add(ref);
  const element = living(ref);
  if (element && refs.has(element) && refs.get(element) !== ref) problems.push(`${ref} was ${refs.get(element)}`);
  for (const [other, known] of refs) {
    if (known === ref && element && other !== element) problems.push(`${ref} moved to another element`);
  }
}
for (const ref of changed.gone) if (seen.has(ref)) problems.push(`${ref} is reported as gone but is there`);
if (first.text.length > 4000 || second.text.length > 4000) problems.push("the text is too long");
JSON.stringify(second);
const took = performance.now() - start;
if (took > 10_000) problems.push(`it took ${Math.round(took)} ms`);
return problems;
"""

Tree = list["str | list[list[str]] | list[Tree]"]


def fuzz(page: HtmlPage, count: int, *, first: int = 0) -> list[str]:
    """Check random pages.

    Args:
        page: The page to load them in.
        count: The number of pages.
        first: The number of the first page; a number always creates the same page.

    Returns:
        The problems, each with the number of its page.
    """
    wrong: list[str] = []
    for number in range(first, first + count):
        try:
            wrong += [f"page {number}: {problem}" for problem in _try(page, number)]
        except PageThrew as error:
            wrong.append(f"page {number}: {error}")
    return wrong


def _try(page: HtmlPage, number: int) -> list[str]:
    dice = random.Random(number)
    tree = _tree(dice, dice.choice([2, 4, 6]))
    kinds = [[dice.choice(TAGS[:12]), dice.choice(["", *ROLES])] for _ in range(3)]
    depth = DEPTHS[2] if number % 50 == 49 else dice.choice(DEPTHS[:2])
    hooks = [dice.randrange(1000) for _ in range(dice.choice([0, 0, 3]))]
    page.open("<body></body>")
    page.run(BUILD, json.loads(json.dumps(tree)), kinds, depth, hooks)
    return page.run(CHECK, [dice.randrange(10_000) for _ in range(20)])


def _tree(dice: random.Random, depth: int) -> Tree:
    attributes = [[dice.choice(ATTRIBUTES), dice.choice(VALUES)] for _ in range(dice.randrange(4))]
    attributes += [["role", dice.choice(ROLES)]] if dice.random() < 0.3 else []
    attributes += [["id", f"x{dice.randrange(4)}"]] if dice.random() < 0.2 else []
    tag = dice.choice(TAGS)
    attributes += [["type", dice.choice(TYPES)]] if tag == "input" else []
    children = [_tree(dice, depth - 1) for _ in range(dice.randrange(4))] if depth else []
    shadow = dice.choice(["open", "closed"]) if dice.random() < 0.05 else ""
    return [tag, attributes, dice.choice(WORDS), children, shadow]  # pyright: ignore
