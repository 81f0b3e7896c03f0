/**
 * HTML and Markdown from Python objects. A bundle of its own, loaded when the first such value is shown.
 */

import { fromHtml, fromMarkdown, openInNewTab } from "../untrusted_html.js";

// What loads by itself may come from the page alone, so that a value can't tell others that it was looked at.
const LOADING = ["src", "href", "xlink:href"];

/** @param {string} html @returns {DocumentFragment} */
export function ofHtml(html) {
  return still(fromHtml(html));
}

/** @param {string} text @returns {DocumentFragment} */
export function ofMarkdown(text) {
  return still(fromMarkdown(text));
}

/** @param {DocumentFragment} fragment */
function still(fragment) {
  for (const element of fragment.querySelectorAll("*")) {
    for (const name of LOADING) if (mayLoad(element, name)) element.removeAttribute(name);
    if (element.tagName === "A") openInNewTab(element);
    if (element.tagName === "INPUT") element.remove();
  }
  return fragment;
}

/** @param {Element} element @param {string} name of an attribute */
function mayLoad(element, name) {
  const value = element.getAttribute(name) ?? "";
  const leads = element.tagName === "A" && name === "href" && /^https?:/i.test(value);
  return !leads && !/^data:image\//i.test(value);
}
