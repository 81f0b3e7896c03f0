/**
 * Mathematics in LaTeX as MathML, which the browser draws. The bundle loads when the first such value is shown. The text
 * is untrusted, so what temml makes of it is sanitized like HTML, and styles nothing.
 */

import DOMPurify from "dompurify";
import temml from "temml";

// $$…$$, \[…\], $…$ and \(…\)
const MATH = /\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\]|\$((?:\\[\s\S]|[^$\\])+?)\$|\\\(([\s\S]+?)\\\)/g;
const OPTIONS = {
  USE_PROFILES: { mathMl: true },
  FORBID_TAGS: ["maction"],
  FORBID_ATTR: ["style", "class", "id", "name", "href", "xlink:href", "xlink:show"],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
};
/** Macros can expand to more macros. */
const MOST_EXPANSIONS = 500;

/** @param text - mathematics, or text with mathematics between dollar signs */
export function ofLatex(text: string): DocumentFragment {
  const shown = document.createDocumentFragment();
  let end = 0;
  for (const match of text.matchAll(MATH)) {
    shown.append(
      text.slice(end, match.index),
      drawn(match[1] ?? match[2] ?? match[3] ?? match[4] ?? "", match[1] ?? match[2]),
    );
    end = match.index + match[0].length;
  }
  if (end === 0) return drawn(text, text);
  shown.append(text.slice(end));
  return shown;
}

/** @param block - undefined for mathematics within a line */
function drawn(math: string, block: string | undefined) {
  try {
    const markup = temml.renderToString(math, {
      displayMode: block !== undefined,
      trust: false,
      throwOnError: true,
      maxExpand: MOST_EXPANSIONS,
    });
    return DOMPurify.sanitize(markup, OPTIONS);
  } catch (error) {
    const plain = document.createDocumentFragment();
    plain.append(`${math} [not shown as mathematics: ${error instanceof Error ? error.message : error}]`);
    return plain;
  }
}
