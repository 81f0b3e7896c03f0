/**
 * HTML and Markdown from Python objects. The bundle loads when the first such value is shown.
 */

import { fromHtml, fromMarkdown } from "../untrusted_html.js";
import { prepared } from "../untrusted_view.js";

// Only images in data: URLs load, so that a value can't report that it was viewed.

/** @param {string} html @returns {DocumentFragment} */
export function ofHtml(html) {
  return prepared(fromHtml(html));
}

/** @param {string} text @returns {DocumentFragment} */
export function ofMarkdown(text) {
  return prepared(fromMarkdown(text));
}
