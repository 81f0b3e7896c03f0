// Reads a page's text as Markdown. A part of the page script, loaded on first use.

import { cut } from "./budget.js";
import { copyOf } from "./copy.js";
import { convert } from "./markdown.js";

/**
 * @typedef {object} PageText
 * @property {string} text Markdown
 * @property {boolean} truncated whether the text was cut
 * @property {string} title
 * @property {"article" | "page"} kind "article": only the article in the page; "page": the whole page
 * @property {number} total_chars of the whole text
 */

/** @param {Document} page @param {number} most characters @param {string} instruction @returns {PageText} */
export function textOf(page, most, instruction) {
  const { markdown, title, kind } = convert(copyOf(page));
  return { ...cut(markdown, most, instruction), title, kind, total_chars: markdown.length };
}
