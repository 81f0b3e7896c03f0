// Computes roles by HTML-AAM 1.0 (https://www.w3.org/TR/html-aam-1.0/) and WAI-ARIA 1.2/1.3; if they leave a choice, as
// Chromium. Elements without a role are `generic`; presentational ones are `none`.

import * as dom from "../dom.ts";
import { ariaOf } from "../internals.ts";
import type { Item } from "./tree.ts";

const VALID = new Set(
  `alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
  complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell
  group heading image img insertion link list listbox listitem log main mark marquee math menu menubar menuitem
  menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup
  region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript suggestion
  superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem`.split(
    /\s+/,
  ),
);

/** Roles of elements that users act on. */
export const INTERACTIVE = new Set(
  `button link textbox searchbox combobox listbox option checkbox radio switch slider spinbutton menuitem
  menuitemcheckbox menuitemradio tab treeitem`.split(/\s+/),
);

/** Roles of large parts of a page. */
export const LANDMARKS = new Set(
  "banner complementary contentinfo form main navigation region search dialog alertdialog".split(" "),
);

/** Roles that are named by their content (WAI-ARIA 1.2, 5.2.8.6), if snapshots contain them. */
export const NAMED_BY_CONTENT = new Set(
  `button columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio checkbox option radio row rowheader
  switch tab treeitem`.split(/\s+/),
);

/** Composite roles whose parts have the focus in turn (WAI-ARIA 1.2, `tabindex=-1` until then). */
export const GRIDS = new Set(["grid", "treegrid"]);

/** The parts of a grid that users act on. */
export const CELLS = new Set(["gridcell", "columnheader", "rowheader"]);

/** Roles whose content isn't part of their ancestors' names. */
export const APART = new Set(
  `alert alertdialog application article banner blockquote complementary contentinfo dialog document feed figure form grid
  group image listbox log main marquee menu menubar meter navigation note progressbar radiogroup search separator status table tablist
  tabpanel timer toolbar tree treegrid`.split(/\s+/),
);

/** Attributes that override a presentational role (WAI-ARIA 1.2, 5.2.8.4 and 7.1). */
const GLOBAL =
  `aria-atomic aria-busy aria-controls aria-current aria-describedby aria-details aria-dropeffect aria-flowto
  aria-grabbed aria-keyshortcuts aria-label aria-labelledby aria-live aria-owns aria-relevant aria-roledescription`.split(
    /\s+/,
  );

/** Roles that are valid only inside other roles. Elements with the roles in BETWEEN are skipped. */
const NEEDS: Record<string, Set<string>> = {
  option: new Set(["listbox", "group"]),
  treeitem: new Set(["tree", "treeitem", "group"]),
  listitem: new Set(["list", "menu", "directory"]),
};
const BETWEEN = new Set(["generic", "none", "rowgroup"]);

const SECTIONING = new Set(["article", "complementary", "main", "navigation", "region"]);
const SECTIONS = new Set(["article", "aside", "main", "nav", "section"]);

const BY_NAME: Record<string, string> = {
  article: "article",
  blockquote: "blockquote",
  button: "button",
  caption: "caption",
  code: "code",
  dd: "definition",
  del: "deletion",
  details: "group",
  dfn: "term",
  dialog: "dialog",
  dt: "term",
  em: "emphasis",
  fieldset: "group",
  figure: "figure",
  form: "form",
  h1: "heading",
  h2: "heading",
  h3: "heading",
  h4: "heading",
  h5: "heading",
  h6: "heading",
  hr: "separator",
  ins: "insertion",
  li: "listitem",
  main: "main",
  mark: "mark",
  math: "math",
  menu: "list",
  meter: "meter",
  nav: "navigation",
  ol: "list",
  optgroup: "group",
  option: "option",
  output: "status",
  p: "paragraph",
  progress: "progressbar",
  search: "search",
  strong: "strong",
  sub: "subscript",
  sup: "superscript",
  table: "table",
  tbody: "rowgroup",
  textarea: "textbox",
  tfoot: "rowgroup",
  thead: "rowgroup",
  time: "time",
  tr: "row",
  ul: "list",
  iframe: "iframe",
  frame: "iframe",
  svg: "image",
  video: "video",
  audio: "audio",
  canvas: "canvas",
};

const INPUTS: Record<string, string> = {
  button: "button",
  checkbox: "checkbox",
  file: "button",
  hidden: "none",
  image: "button",
  number: "spinbutton",
  radio: "radio",
  range: "slider",
  reset: "button",
  search: "searchbox",
  submit: "button",
};
const WITH_LIST = new Set(["text", "search", "tel", "url", "email"]);

/** The rules get elements of their names. */
const BY_RULE: Record<string, { rule(element: Element, parent: Item | null): string }["rule"] | undefined> = {
  a: (link) => (hasAddress(link) ? "link" : "generic"),
  area: (link) => (hasAddress(link) ? "link" : "generic"),
  aside: (aside, parent) => (!isScoped(parent) || isLabelled(aside) ? "complementary" : "generic"),
  footer: (_, parent) => (isScoped(parent) ? "generic" : "contentinfo"),
  header: (_, parent) => (isScoped(parent) ? "generic" : "banner"),
  section: (section) => (isLabelled(section) ? "region" : "generic"),
  img: (image) => (isDecorative(image) ? "none" : "image"),
  input: (input: HTMLInputElement) =>
    input.list && WITH_LIST.has(input.type) ? "combobox" : (INPUTS[input.type] ?? "textbox"),
  select: (select: HTMLSelectElement) => (select.multiple || select.size > 1 ? "listbox" : "combobox"),
  summary: (summary) => (isSummaryOfDetails(summary) ? "button" : "generic"),
  td: (_, parent) => (tableOf(parent) === "table" ? "cell" : tableOf(parent) ? "gridcell" : "generic"),
  th: (cell: HTMLTableCellElement) => headerRole(cell),
};

/** Return the role of an item. */
export function roleOf({ element, name, parent, attributed }: Item) {
  const attribute = attributed ? ariaOf(element, "role") : null;
  const explicit = attribute === null ? null : explicitRole(element, attribute, parent);
  if (explicit !== null) return explicit;
  const simple = BY_NAME[name];
  if (simple !== undefined) return inheritsNone(name, parent) ? "none" : simple;
  return BY_RULE[name]?.(element, parent) ?? "generic";
}

/**
 * Return the first valid role, or null to use the element's native role.
 * @param roles - separated by spaces
 */
function explicitRole(element: Element, roles: string, parent: Item | null) {
  for (const token of roles.toLowerCase().split(/\s+/)) {
    if (!VALID.has(token)) continue;
    if (token === "none" || token === "presentation") return overridesNone(element) ? null : "none";
    if (token in NEEDS && !isIn(NEEDS[token], parent)) return dom.localName(element) === "div" ? "generic" : null;
    if (token === "img") return "image";
    if (token === "directory") return "list";
    if ((token === "form" || token === "region") && !isLabelled(element)) return null;
    return token;
  }
  return null;
}

/** Return whether the element ignores a presentational role, because it is focusable or has global ARIA attributes. */
function overridesNone(element: Element) {
  return isFocusable(element) || GLOBAL.some((name) => dom.hasAttribute(element, name));
}

const CONTROLS = new Set(["button", "input", "select", "textarea"]);

/** Return whether the element can be focused, by Tab or otherwise. */
function isFocusable(element: Element) {
  if (dom.hasAttribute(element, "tabindex")) return true;
  const name = dom.localName(element);
  if (name === "a" || name === "area") return hasAddress(element);
  if (CONTROLS.has(name)) return !dom.matches(element, ":disabled");
  if (name === "summary") return isSummaryOfDetails(element);
  if (name === "audio" || name === "video") return dom.hasAttribute(element, "controls");
  return name === "iframe" || isEditingHost(element);
}

/** Return whether a link has a URL; SVG links may use XLink. */
function hasAddress(link: Element) {
  return dom.hasAttribute(link, "href") || dom.hasAttribute(link, "xlink:href");
}

/** Return whether the element itself makes its content editable. */
export function isEditingHost(element: Element) {
  const value = dom.getAttribute(element, "contenteditable");
  return (
    value !== null && value.toLowerCase() !== "false" && dom.namespaceURI(element) === "http://www.w3.org/1999/xhtml"
  );
}

function isIn(wanted: Set<string>, parent: Item | null) {
  let above = parent;
  while (above && BETWEEN.has(above.role) && above.name !== "section") above = above.parent;
  // A native group, such as a fieldset, isn't a group of options.
  return (
    above !== null && wanted.has(above.role) && (above.role !== "group" || dom.hasAttribute(above.element, "role"))
  );
}

/** Return whether an element is presentational because its list or table is. */
function inheritsNone(name: string, parent: Item | null) {
  if (name === "li") return parent !== null && parent.role === "none" && /^(ul|ol|menu)$/.test(parent.name);
  if (name === "tr" || name === "tbody" || name === "thead" || name === "tfoot") return tableOf(parent) === "";
  return false;
}

/** Return whether a header or footer belongs to a section instead of the page. */
function isScoped(parent: Item | null) {
  for (let above = parent; above; above = above.parent) {
    if (SECTIONS.has(above.name) || SECTIONING.has(above.role)) return true;
    if (above.name === "body") return false;
  }
  return false;
}

function isLabelled(element: Element) {
  return ["aria-label", "aria-labelledby", "title"].some((name) => dom.getAttribute(element, name)?.trim());
}

function isDecorative(image: Element) {
  if (dom.getAttribute(image, "alt") !== "") return false;
  return !overridesNone(image) && !dom.getAttribute(image, "title");
}

/** Return the first child of a name, or null. */
export function childNamed(element: Element, name: string) {
  for (let child = dom.firstElementChild(element); child; child = dom.nextElementSibling(child)) {
    if (dom.localName(child) === name) return child;
  }
  return null;
}

function isSummaryOfDetails(summary: Element) {
  const parent = dom.parentElement(summary);
  return parent !== null && dom.localName(parent) === "details" && childNamed(parent, "summary") === summary;
}

/** Return the role of the table around a row or cell: table, grid or treegrid, or "" for any other. */
function tableOf(parent: Item | null) {
  for (let above = parent; above; above = above.parent) {
    const { role } = above;
    if (role === "table" || role === "grid" || role === "treegrid") return role;
    if (above.name === "table") return "";
  }
  return "";
}

/** Return the role of a `th` by HTML-AAM: from its scope, else from its position. */
function headerRole(cell: HTMLTableCellElement) {
  const scope = cell.getAttribute("scope")?.toLowerCase();
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  const row = cell.parentElement;
  const around = row && dom.parentElement(row);
  if (around && dom.localName(around) === "thead") return "columnheader";
  return row && childNamed(row, "td") ? "rowheader" : "columnheader";
}
