// A copy of what a page shows, as a document that nothing runs in: without what is hidden, with what shadow roots, slots
// and frames of the same origin show in its place.

import { frameDocument, isFrame } from "../composed.js";

/** @typedef {{ node: Node, into: Element, depth: number, inCell: boolean }} Visit */

const SKIPPED = new Set([
  "audio", "canvas", "datalist", "embed", "head", "input", "link", "map", "meta", "meter", "noscript", "object", "progress",
  "script", "select", "style", "svg", "template", "textarea", "title", "video",
]);
// In a cell, whatever would need lines of its own is text: tables of Markdown have one line a row.
const INLINE_IN_CELLS = new Set([
  "blockquote", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "ul",
]);
const KEPT = ["class", "id", "role", "title", "lang", "colspan", "rowspan", "align", "start", "itemprop", "rel"];
// What is converted later calls itself for each level.
const DEEPEST = 200;

/** @param {Document} page @returns {Document} */
export function copyOf(page) {
  const copy = document.implementation.createHTMLDocument(page.title);
  copy.documentElement.lang = page.documentElement.lang;
  /** @type {Visit[]} */
  const waiting = [{ node: page.body ?? page.documentElement, into: copy.documentElement, depth: 0, inCell: false }];
  copy.body.remove();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth, inCell } = next;
    if (node.nodeType === Node.TEXT_NODE) {
      if (isSeen(node.parentElement)) next.into.append(/** @type {Text} */ (node).data);
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      const element = /** @type {Element} */ (node);
      if (!isShown(element)) continue;
      if (element.localName === "img") {
        next.into.append(picture(/** @type {HTMLImageElement} */ (element), copy) ?? "");
        continue;
      }
      const made = depth < DEEPEST ? shallow(element, copy, inCell) : null;
      if (made) next.into.append(made);
      const cell = inCell || element.localName === "td" || element.localName === "th";
      const inner = childrenOf(element);
      for (let at = inner.length - 1; at >= 0; at--) {
        waiting.push({ node: inner[at], into: made ?? next.into, depth: depth + 1, inCell: cell });
      }
    }
  }
  return copy;
}

/** @param {Element} element */
function isShown(element) {
  if (SKIPPED.has(element.localName) || element.getAttribute("aria-hidden") === "true") return false;
  // What has no box of its own may have children with one.
  return element.checkVisibility() || getComputedStyle(element).display === "contents";
}

/** @param {Element | null} parent null in a shadow root */
function isSeen(parent) {
  return parent === null || getComputedStyle(parent).visibility === "visible";
}

/** @param {Element} element @returns {Node[]} what is shown in it */
function childrenOf(element) {
  if (isFrame(element)) {
    const body = frameDocument(element)?.body;
    return body ? Array.from(body.childNodes) : [];
  }
  if (element.localName === "details" && !(/** @type {HTMLDetailsElement} */ (element).open)) {
    return Array.from(element.querySelectorAll(":scope > summary")).slice(0, 1);
  }
  if (element.localName === "slot") {
    const assigned = /** @type {HTMLSlotElement} */ (element).assignedNodes();
    if (assigned.length) return assigned;
  }
  return Array.from((element.shadowRoot ?? element).childNodes);
}

/** The element without what is in it; null for one that says nothing. @param {Element} element @param {Document} copy
 * @param {boolean} inCell */
function shallow(element, copy, inCell) {
  const name = element.localName;
  // Parts of an application as text: what is in them counts.
  if (name === "slot") return null;
  const plain = isFrame(element) || name.includes("-") || name === "form" || name === "summary";
  const made = copy.createElement(inCell && INLINE_IN_CELLS.has(name) ? "span" : plain ? "div" : name);
  for (const attribute of KEPT) {
    const value = element.getAttribute(attribute);
    if (value !== null) made.setAttribute(attribute, value);
  }
  const { href } = /** @type {HTMLAnchorElement} */ (element);
  if (name === "a" && /^(https?|mailto|tel|file):/.test(href)) made.setAttribute("href", href);
  // Lines of their own become words of their own.
  if (inCell && INLINE_IN_CELLS.has(name)) made.append(" ");
  return made;
}

/** An image as its description, with its address where it has one. @param {HTMLImageElement} image
 * @param {Document} copy @returns {Element | string | null} */
function picture({ alt, currentSrc, src }, copy) {
  const from = currentSrc || src;
  if (!alt) return null;
  if (!/^https?:/.test(from)) return alt;
  const made = copy.createElement("img");
  made.setAttribute("alt", alt);
  made.setAttribute("src", from);
  return made;
}
