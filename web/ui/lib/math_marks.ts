/**
 * Mathematics in Markdown: `$…$`, `$$…$$`, `\\(…\\)` and `\\[…\\]`, as in Jupyter and on GitHub. A text keeps its marks until the
 * library has loaded (ui-math.js), and where it can't be drawn.
 */

import type { MarkedExtension, Tokens } from "marked";
import { loadPart } from "./lazy_bundles.ts";

type Math = typeof import("./math.ts");

// Pandoc's rule: no blank within the dollars, and no digit behind them, so that prices stay text. Code stays code.
const DOLLARS = /^\$(?!\s|\$)((?:\\[^\n]|[^\\$`\n])+?)(?<!\s)\$(?!\d)/;
const DISPLAY = /^\$\$((?:\\[\s\S]|[^\\$])+?)\$\$/;
// Markdown's own meaning of these is a bracket as it is, so the text must look like mathematics.
const BRACKETS = /^\\(?:\((?=[^\n]*?[\\^_=])((?:(?!\\\)).)+)\\\)|\[(?=[\s\S]*?[\\^_=])((?:(?!\\\]|\n\n)[\s\S])+)\\\])/;
const BLOCK = /^ {0,3}\$\$((?:\\[\s\S]|[^\\$])+?)\$\$ *(?:\n+|$)/;
/** The language of an element that holds marks: attributes of other kinds don't pass the sanitizer. */
const LANGUAGE = "x-tex";

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const token = (type: string, match: RegExpExecArray | null): Tokens.Generic | undefined =>
  match === null ? undefined : { type, raw: match[0], text: match[0].trim() };

/** Let marked find mathematics. */
export const mathMarks: MarkedExtension = {
  extensions: [
    {
      name: "math",
      level: "inline",
      start: (text) => text.search(/\$|\\[([]/),
      tokenizer: (text) => token("math", DISPLAY.exec(text) ?? DOLLARS.exec(text) ?? BRACKETS.exec(text)),
      renderer: ({ text }) => `<span lang="${LANGUAGE}">${escaped(text)}</span>`,
    },
    {
      name: "mathBlock",
      level: "block",
      start: (text) => text.match(/(^|\n) {0,3}\$\$/)?.index,
      tokenizer: (text) => token("mathBlock", BLOCK.exec(text)),
      renderer: ({ text }) => `<p><span lang="${LANGUAGE}">${escaped(text)}</span></p>`,
    },
  ],
};

/** Draw the mathematics of a fragment when the library has loaded, which sanitizes it. */
export function drawMath(fragment: DocumentFragment) {
  const places = fragment.querySelectorAll(`[lang="${LANGUAGE}"]`);
  if (places.length === 0) return;
  loadPart<Math>("ui-math.js").then(
    ({ ofLatex }) => {
      for (const place of places) place.replaceWith(ofLatex(place.textContent ?? ""));
    },
    (error) => console.info("Mathematics is not drawn.", error),
  );
}
