// The text that style sheets add before and after an element's content, with the alternative text of images.

import * as dom from "../dom.ts";
import type { Item } from "./tree.ts";

const URL = /url\((?:"(?:[^"\\]|\\.)*"|[^)]*)\)/g;
const STRING = /"((?:[^"\\]|\\.)*)"/g;
// The text after a slash is the alternative for the content before it.
const ALTERNATIVE = /^(?:"(?:[^"\\]|\\.)*"|[^"])*? \/ (.*)$/s;

// The limit of rules that are searched.
const MAX_RULES = 5_000;

/** The generated content of a page. */
export class Generated {
  /** False if no style sheet generates content; then elements needn't be checked, which is slow. */
  any: boolean;

  /** @param roots - of the page */
  constructor(roots: Iterable<Document | ShadowRoot>) {
    this.any = [...roots].some(generates);
  }

  /** Return the text that a pseudo-element adds to a name. */
  text({ element, name, drawn }: Item, pseudo: "::before" | "::after") {
    if (!drawn || (!this.any && name !== "q")) return "";
    const { content, display, visibility } = getComputedStyle(element, pseudo);
    if (content === "none" || content === "normal" || content === "") return "";
    if (display === "none" || visibility !== "visible") return "";
    const alternative = ALTERNATIVE.exec(content)?.[1];
    const strings = (alternative ?? content.replace(URL, ""))
      .replace("open-quote", '"“"')
      .replace("close-quote", '"”"');
    const text = [...strings.matchAll(STRING)].map(([, string]) => unescape(string)).join("");
    return (display === "inline" && alternative === undefined) || !text ? text : ` ${text} `;
  }
}

/** Return whether the style sheets of a root may generate content. */
function generates(root: Document | ShadowRoot) {
  const waiting: (CSSRule & Partial<CSSStyleRule & CSSImportRule>)[] = [];
  try {
    for (const sheet of [...dom.styleSheets(root), ...dom.adoptedStyleSheets(root)]) waiting.push(...sheet.cssRules);
    for (let count = 0; waiting.length; count++) {
      const rule = waiting.pop();
      if (count > MAX_RULES || /:(before|after)/.test(rule?.selectorText ?? "")) return true;
      waiting.push(...(rule?.cssRules ?? rule?.styleSheet?.cssRules ?? []));
    }
    return false;
  } catch {
    // A sheet of another origin can't be read.
    return true;
  }
}

function unescape(string: string) {
  return string.replace(/\\([0-9a-f]{1,6}) ?|\\(.)/gi, (_, code, letter) =>
    code ? String.fromCodePoint(parseInt(code, 16)) : letter,
  );
}
