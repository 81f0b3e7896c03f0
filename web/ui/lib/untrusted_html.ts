/**
 * HTML and Markdown from untrusted authors, reduced to what only shows: no element or attribute acts, loads from outside,
 * takes the keyboard or refers to another element. `UntrustedView` shows the result. The libraries are heavy, so only
 * bundles that load on demand import this.
 */

import DOMPurify from "dompurify";
import { Marked, type TokensList } from "marked";
import { drawMath, mathMarks } from "./math_marks.ts";
import { colorTables, type Styles } from "./table_colors.ts";

/** The attributes of each allowed element, besides the ones that all elements may have. */
const ALLOWED: Record<string, string[]> = {
  a: ["href", "name"],
  img: ["src", "alt", "width", "height", "align"],
  // Only the language of a block.
  code: ["class"],
  // Task lists.
  input: ["type", "checked"],
  ol: ["start", "type", "reversed"],
  li: ["value"],
  details: ["open"],
  time: ["datetime"],
  ins: ["datetime"],
  del: ["datetime"],
  meter: ["value", "min", "max", "low", "high", "optimum"],
  progress: ["value", "max"],
  table: ["border", "align"],
  col: ["span"],
  colgroup: ["span"],
  th: ["colspan", "rowspan", "scope", "abbr", "align", "valign"],
  td: ["colspan", "rowspan", "align", "valign"],
  tr: ["align", "valign"],
  thead: ["align"],
  tbody: ["align"],
  tfoot: ["align"],
  p: ["align"],
  div: ["align"],
  h1: ["align"],
  h2: ["align"],
  h3: ["align"],
  h4: ["align"],
  h5: ["align"],
  h6: ["align"],
};
const LANGUAGE = /^language-[\w+#.-]+$/;
const PLAIN = [
  "abbr",
  "address",
  "article",
  "b",
  "bdi",
  "bdo",
  "big",
  "blockquote",
  "br",
  "caption",
  "center",
  "cite",
  "dd",
  "dfn",
  "dl",
  "dt",
  "em",
  "figcaption",
  "figure",
  "hr",
  "i",
  "kbd",
  "mark",
  "pre",
  "q",
  "rp",
  "rt",
  "ruby",
  "s",
  "samp",
  "section",
  "small",
  "span",
  "strike",
  "strong",
  "sub",
  "summary",
  "sup",
  "tt",
  "u",
  "ul",
  "var",
  "wbr",
];
/** `id` is only read, as the target of links within the text. */
const OF_ALL = ["dir", "id", "lang", "title"];
const OPTIONS = {
  ALLOWED_TAGS: [...Object.keys(ALLOWED), ...PLAIN],
  ALLOWED_ATTR: [...OF_ALL, ...Object.values(ALLOWED).flat()],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
};
/** With the classes that rules name; a `style` at the start belongs to the body, too. */
const COLORED = { ...OPTIONS, ALLOWED_ATTR: [...OPTIONS.ALLOWED_ATTR, "class"], FORCE_BODY: true };
const marked = new Marked({ gfm: true }, mathMarks);
const purify = DOMPurify(window);
/** The styles of the markup that is being sanitized, if its tables have colors. */
let styles: Styles | null = null;
purify.addHook("uponSanitizeElement", (element, { tagName }) => {
  if (tagName === "style") styles?.rules.push(element.textContent ?? "");
});
purify.addHook("uponSanitizeAttribute", (element, attribute) => {
  const { attrName: name } = attribute;
  if (name === "style") styles?.own.set(element, attribute.attrValue);
  // Until the colors are applied.
  if (name === "class" && styles !== null) return;
  const isAllowed = OF_ALL.includes(name) || ALLOWED[element.localName]?.includes(name);
  if (!isAllowed || (name === "class" && !LANGUAGE.test(attribute.attrValue))) attribute.keepAttr = false;
});

/** outside any document, so it has loaded nothing; `anchors` has the targets of links within it */
export type Markup = { fragment: DocumentFragment; anchors: Map<string, Element> };

/** Sanitize HTML, with the colors of its tables. */
export function fromColoredHtml(html: string): Markup {
  styles = { rules: [], own: new Map() };
  try {
    return fromHtml(html);
  } finally {
    styles = null;
  }
}

function fromHtml(html: string): Markup {
  const options = styles === null ? OPTIONS : COLORED;
  const fragment = purify.sanitize(html, options);
  if (styles !== null) {
    colorTables(fragment, styles);
    for (const element of fragment.querySelectorAll("[class]")) element.removeAttribute("class");
  }
  const anchors = new Map<string, Element>();
  for (const element of fragment.querySelectorAll("[id], [name]")) {
    for (const name of ["name", "id"]) {
      const value = element.getAttribute(name);
      if (value) anchors.set(value, element);
      element.removeAttribute(name);
    }
  }
  for (const field of fragment.querySelectorAll("input")) keepTaskBox(field);
  return { fragment, anchors };
}

/** The blocks of Markdown. */
export const blocksOf = (text: string): TokensList => marked.lexer(text);

/** @returns with anchors of the headings, too, as GitHub names them */
export function fromMarkdown(text: string): Markup {
  const markup = fromHtml(marked.parse(text, { async: false }));
  drawMath(markup.fragment);
  for (const heading of markup.fragment.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const name = (heading.textContent ?? "")
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
      .replaceAll(" ", "-");
    let unique = name;
    for (let number = 1; markup.anchors.has(unique); number++) unique = `${name}-${number}`;
    markup.anchors.set(unique, heading);
  }
  return markup;
}

/** Keep the boxes of task lists, disabled, and remove all other fields. */
function keepTaskBox(field: HTMLInputElement) {
  if (field.type !== "checkbox") {
    field.remove();
    return;
  }
  field.disabled = true;
  field.ariaLabel = field.checked ? "Done" : "To do";
}
