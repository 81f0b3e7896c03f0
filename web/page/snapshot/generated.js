// What style sheets put before and after an element's content: text, and the alternative text of images.

/** @import { Item } from "./tree.js" */

const STRING = /"((?:[^"\\]|\\.)*)"/g;
// What stands after a slash is for those who can't see what stands before it.
const ALTERNATIVE = /^(?:"(?:[^"\\]|\\.)*"|[^"])*? \/ (.*)$/s;

// More rules than that aren't looked through.
const MOST_RULES = 5_000;

export class Generated {
  /** @param {Iterable<Document | ShadowRoot>} roots of the page */
  constructor(roots) {
    /** Whether a style sheet speaks of such content at all: asking each element is costly. */
    this.any = [...roots].some(generates);
  }

  /**
   * The text that a pseudo-element adds to a name.
   * @param {Item} item
   * @param {"::before" | "::after"} pseudo
   */
  text({ element, name, drawn }, pseudo) {
    if (!drawn || (!this.any && name !== "q")) return "";
    const { content, display, visibility } = getComputedStyle(element, pseudo);
    if (content === "none" || content === "normal" || content === "") return "";
    if (display === "none" || visibility !== "visible") return "";
    const alternative = ALTERNATIVE.exec(content)?.[1];
    const told = (alternative ?? content).replace("open-quote", '"“"').replace("close-quote", '"”"');
    const text = [...told.matchAll(STRING)].map(([, string]) => unescape(string)).join("");
    return (display === "inline" && alternative === undefined) || !text ? text : ` ${text} `;
  }
}

/**
 * Whether the style sheets of a root may put something before or after elements.
 * @param {Document | ShadowRoot} root
 */
function generates(root) {
  const waiting = [];
  try {
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) waiting.push(...sheet.cssRules);
    for (let count = 0; waiting.length; count++) {
      const rule = /** @type {any} */ (waiting.pop());
      if (count > MOST_RULES || /:(before|after)/.test(rule.selectorText ?? "")) return true;
      waiting.push(...(rule.cssRules ?? rule.styleSheet?.cssRules ?? []));
    }
    return false;
  } catch {
    // A sheet of another origin can't be read.
    return true;
  }
}

/** @param {string} string */
function unescape(string) {
  return string.replace(/\\([0-9a-f]{1,6}) ?|\\(.)/gi, (_, code, letter) =>
    code ? String.fromCodePoint(parseInt(code, 16)) : letter,
  );
}
