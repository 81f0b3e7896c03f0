/**
 * Markdown as it is meant to look. It is anybody's text: nothing in it acts, and nothing is loaded from outside. Pictures and
 * links among the files work.
 *
 * @import { Failure } from "../../types.js"
 */

import { html } from "lit";
import { fromMarkdown, openInNewTab } from "../../untrusted_html.js";
import { isFailure } from "../../call.js";

/**
 * @typedef {object} Around
 * @property {string} path of the text
 * @property {(path: string, type: string) => Promise<string | Failure>} picture
 * @property {(path: string) => void} open
 * @property {(path: string) => string | undefined} typeOf a picture
 */

/**
 * @param {string} text
 * @param {Around} around
 */
export function markdown(text, around) {
  const fragment = fromMarkdown(text);
  // Before anything of it is in the document, where pictures would load.
  for (const image of fragment.querySelectorAll("img")) placePicture(image, around);
  for (const link of fragment.querySelectorAll("a, area")) connect(link, around);
  for (const box of fragment.querySelectorAll("input")) tame(box);
  for (const table of fragment.querySelectorAll("table")) makeScrollable(table);
  return html`<article class="preview-markdown">${fragment}</article>`;
}

/**
 * @param {HTMLImageElement} image
 * @param {Around} around
 */
function placePicture(image, { path, picture, typeOf }) {
  const target = amongFiles(image.getAttribute("src") ?? "", path);
  const type = target === null ? undefined : typeOf(target);
  image.removeAttribute("src");
  if (target === null || type === undefined) {
    image.replaceWith(`[picture from outside, not loaded: ${image.alt || "no description"}]`);
    return;
  }
  void picture(target, type).then((url) => {
    if (isFailure(url)) image.replaceWith(`[picture that is missing: ${target}]`);
    else image.src = url;
  });
}

/**
 * @param {Element} link
 * @param {Around} around
 */
function connect(link, { path, open }) {
  const href = link.getAttribute("href") ?? "";
  const target = amongFiles(href, path);
  if (target === null) {
    // A place in this text is none in the page.
    if (!/^(https?|mailto):/i.test(href)) link.removeAttribute("href");
    openInNewTab(link);
    return;
  }
  link.setAttribute("href", "#");
  link.setAttribute("title", target);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    open(target);
  });
}

/**
 * The file that an address in a text names; null where it leads elsewhere.
 *
 * @param {string} address
 * @param {string} path of the text
 */
function amongFiles(address, path) {
  if (address === "" || address.startsWith("#") || address.startsWith("//") || /^[a-z][a-z\d+.-]*:/i.test(address)) return null;
  const { pathname } = new URL(address, `file://${encodeURI(path)}`);
  try {
    return decodeURIComponent(pathname);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/**
 * Leaves the boxes of task lists, which can't be pressed, and no other field.
 *
 * @param {HTMLInputElement} field
 */
function tame(field) {
  if (field.type !== "checkbox") {
    field.remove();
    return;
  }
  field.disabled = true;
  field.ariaLabel = field.checked ? "Done" : "To do";
}

/** @param {HTMLTableElement} table */
function makeScrollable(table) {
  const place = document.createElement("div");
  place.className = "preview-table";
  place.tabIndex = 0;
  place.setAttribute("role", "region");
  place.setAttribute("aria-label", "Table");
  table.replaceWith(place);
  place.append(table);
}
