/**
 * Rendered Markdown. It is untrusted text: nothing in it acts, and nothing loads from outside. Images and links to
 * other files work.
 *
 * @import { Failure } from "../../types.js"
 */

import { html } from "lit";
import { fromMarkdown, openInNewTab } from "../../untrusted_html.js";
import { isFailure } from "../../call.js";

/**
 * @typedef {object} Context
 * @property {string} path of the text
 * @property {(path: string, type: string) => Promise<string | Failure>} loadImage
 * @property {(path: string) => void} open
 * @property {(path: string) => string | undefined} typeOf returns the media type of an image
 */

/**
 * @param {string} text
 * @param {Context} context
 */
export function markdown(text, context) {
  const fragment = fromMarkdown(text);
  // Before the fragment is in the document, where images would load.
  for (const image of fragment.querySelectorAll("img")) replaceImage(image, context);
  for (const link of fragment.querySelectorAll("a, area")) connect(link, context);
  for (const box of fragment.querySelectorAll("input")) keepTaskBox(box);
  for (const table of fragment.querySelectorAll("table")) makeScrollable(table);
  return html`<article class="preview-markdown">${fragment}</article>`;
}

/**
 * @param {HTMLImageElement} image
 * @param {Context} context
 */
function replaceImage(image, { path, loadImage, typeOf }) {
  const target = filePath(image.getAttribute("src") ?? "", path);
  const type = target === null ? undefined : typeOf(target);
  image.removeAttribute("src");
  if (target === null || type === undefined) {
    image.replaceWith(`[external image, not loaded: ${image.alt || "no description"}]`);
    return;
  }
  void loadImage(target, type).then((url) => {
    if (isFailure(url)) image.replaceWith(`[missing image: ${target}]`);
    else image.src = url;
  });
}

/**
 * @param {Element} link
 * @param {Context} context
 */
function connect(link, { path, open }) {
  const href = link.getAttribute("href") ?? "";
  const target = filePath(href, path);
  if (target === null) {
    // A fragment of this text doesn't exist in the page.
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
 * Return the file that an address in a text refers to, or null if it leads elsewhere.
 *
 * @param {string} address
 * @param {string} path of the text
 */
function filePath(address, path) {
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
 * Keep the boxes of task lists, disabled, and remove all other fields.
 *
 * @param {HTMLInputElement} field
 */
function keepTaskBox(field) {
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
