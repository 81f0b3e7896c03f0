/**
 * HTML and Markdown from Python objects. The bundle loads when the first such value is shown.
 */

import { fromHtml, fromMarkdown, openInNewTab } from "../untrusted_html.js";

// Only images in data: URLs load, so that a value can't report that it was viewed.
const LOADING = ["src", "href", "xlink:href"];

/** @param {string} html @returns {DocumentFragment} */
export function ofHtml(html) {
  return inert(fromHtml(html));
}

/** @param {string} text @returns {DocumentFragment} */
export function ofMarkdown(text) {
  return inert(fromMarkdown(text));
}

/** @param {DocumentFragment} fragment */
function inert(fragment) {
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
