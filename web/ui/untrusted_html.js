/**
 * HTML and Markdown from untrusted authors, without anything that could act, imitate the page or take the keyboard.
 * Callers decide about images and link targets. The libraries are heavy, so only bundles that load on demand import
 * this.
 */

import DOMPurify from "dompurify";
import { Marked } from "marked";

const OPTIONS = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: [
    "style", "form", "button", "textarea", "select", "option", "dialog", "audio", "video", "source", "track", "picture",
    // The sanitized result would be searched without its contents.
    "template",
  ],
    // Element names belong to the page, and a style could cover it.
  FORBID_ATTR: [
    "style", "class", "id", "name", "srcset", "poster", "background", "popover", "autofocus", "tabindex", "slot", "contenteditable",
  ],
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: /** @type {const} */ (true),
};
const marked = new Marked({ gfm: true });

/** @param {string} html @returns {DocumentFragment} outside any document, so it has loaded nothing */
export function fromHtml(html) {
  return DOMPurify.sanitize(html, OPTIONS);
}

/** @param {string} text @returns {DocumentFragment} as from `fromHtml` */
export function fromMarkdown(text) {
  return fromHtml(marked.parse(text, { async: false }));
}

/** Open a link in a new tab, without a referrer. @param {Element} link */
export function openInNewTab(link) {
  link.setAttribute("target", "_blank");
  link.setAttribute("rel", "noopener noreferrer");
}
