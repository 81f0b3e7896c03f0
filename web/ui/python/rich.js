/**
 * HTML and Markdown from Python objects, with all that could act or load something taken out. A bundle of its own,
 * loaded when the first such value is shown.
 */

import DOMPurify from "dompurify";
import { marked } from "marked";

// What loads by itself may come from the page alone, so that a value can't tell others that it was looked at.
const LOADING = ["src", "srcset", "poster", "background", "href", "xlink:href"];
const OPTIONS = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select", "option", "dialog", "audio", "video", "source", "picture"],
  FORBID_ATTR: ["style", "id", "name", "class", "srcset", "tabindex", "contenteditable"],
  ALLOW_DATA_ATTR: false,
};

DOMPurify.addHook("afterSanitizeAttributes", (element) => {
  for (const name of LOADING) {
    const value = element.getAttribute(name);
    if (value === null) continue;
    const leads = element.tagName === "A" && name === "href" && /^https?:/i.test(value);
    if (!leads && !/^data:image\//i.test(value)) element.removeAttribute(name);
  }
  if (element.tagName !== "A") return;
  element.setAttribute("target", "_blank");
  element.setAttribute("rel", "noopener noreferrer");
});

/** @param {string} html @returns {string} */
export function sanitised(html) {
  return DOMPurify.sanitize(html, OPTIONS);
}

/** @param {string} text @returns {string} */
export function fromMarkdown(text) {
  return sanitised(marked.parse(text, { async: false, gfm: true }));
}
