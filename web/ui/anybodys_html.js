/**
 * HTML and Markdown that anybody may have written, with all that could act, pass for the page's own or take the keyboard
 * taken out. What loads by itself, and where links lead, is for who shows it to say. It comes with heavy libraries, so only
 * bundles that are loaded on first use import it.
 */

import DOMPurify from "dompurify";
import { Marked } from "marked";

const OPTIONS = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: [
    "style", "form", "button", "textarea", "select", "option", "dialog", "audio", "video", "source", "track", "picture",
    // What is in it would be passed over by who looks through the result.
    "template",
  ],
  // Names of elements are the page's, and looks that the text brings could cover it.
  FORBID_ATTR: [
    "style", "class", "id", "name", "srcset", "poster", "background", "popover", "autofocus", "tabindex", "slot", "contenteditable",
  ],
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: /** @type {const} */ (true),
};
const marked = new Marked({ gfm: true });

/** @param {string} html @returns {DocumentFragment} in no document, so nothing of it has loaded */
export function fromHtml(html) {
  return DOMPurify.sanitize(html, OPTIONS);
}

/** @param {string} text @returns {DocumentFragment} as `fromHtml` */
export function fromMarkdown(text) {
  return fromHtml(marked.parse(text, { async: false }));
}

/** Has a link open beside the page, and tell nothing of it. @param {Element} link */
export function openBeside(link) {
  link.setAttribute("target", "_blank");
  link.setAttribute("rel", "noopener noreferrer");
}
