// What a page says, as Markdown: a part of the page script, loaded on first use.

import { cut } from "./budget.js";
import { copyOf } from "./copy.js";
import { convert } from "./markdown.js";

/**
 * @typedef {object} PageText
 * @property {string} text Markdown
 * @property {boolean} truncated whether something was left out
 * @property {string} title
 * @property {"article" | "page"} kind an article without what is around it, or all of the page
 * @property {number} total_chars of the whole text
 */

/** @param {Document} page @param {number} most characters @param {string} instruction @returns {PageText} */
export function textOf(page, most, instruction) {
  const { markdown, title, kind } = convert(copyOf(page));
  return { ...cut(markdown, most, instruction), title, kind, total_chars: markdown.length };
}
