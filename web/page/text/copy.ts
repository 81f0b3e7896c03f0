// Copies the visible page into an inert document, with the contents of shadow roots, slots and same-origin frames in
// place.

import { frameDocument, isFrame } from "../composed.ts";
import * as dom from "../dom.ts";

type Visit = { node: Node; into: Element; depth: number; inCell: boolean };

const SKIPPED = new Set(
  `audio canvas datalist embed head input link map meta meter noscript object progress script select style svg template
  textarea title video`.split(/\s+/),
);
// Block elements in table cells become inline, because a Markdown table has one line per row.
const INLINE_IN_CELLS = new Set("blockquote dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre ul".split(" "));
const ATTRIBUTES = ["class", "id", "role", "title", "lang", "colspan", "rowspan", "align", "start", "itemprop", "rel"];
// The conversion to Markdown is recursive, so limit the depth.
const MAX_DEPTH = 200;

export function copyOf(page: Document): Document {
  const copy = dom.implementation(document).createHTMLDocument(dom.title(page));
  copy.documentElement.lang = dom.documentElement(page).lang;
  const waiting: Visit[] = [
    { node: dom.body(page) ?? dom.documentElement(page), into: copy.documentElement, depth: 0, inCell: false },
  ];
  copy.body.remove();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth, inCell } = next;
    if (dom.isText(node)) {
      if (isSeen(dom.parentElement(node))) dom.append(next.into, node.data);
    } else if (dom.isElementNode(node)) {
      if (!isShown(node)) continue;
      if (dom.isNamed(node, "img")) {
        dom.append(next.into, imageCopy(node, copy) ?? "");
        continue;
      }
      const created = depth < MAX_DEPTH ? shallow(node, copy, inCell) : null;
      if (created) dom.append(next.into, created);
      const cell = inCell || dom.localName(node) === "td" || dom.localName(node) === "th";
      const inner = childrenOf(node);
      for (let at = inner.length - 1; at >= 0; at--) {
        waiting.push({ node: inner[at], into: created ?? next.into, depth: depth + 1, inCell: cell });
      }
    }
  }
  return copy;
}

function isShown(element: Element) {
  if (SKIPPED.has(dom.localName(element)) || dom.getAttribute(element, "aria-hidden") === "true") return false;
  // Elements without a box may have visible children.
  return dom.checkVisibility(element) || getComputedStyle(element).display === "contents";
}

/** @param parent - null in a shadow root */
function isSeen(parent: Element | null) {
  return parent === null || getComputedStyle(parent).visibility === "visible";
}

/** @returns the visible children */
function childrenOf(element: Element): Node[] {
  if (isFrame(element)) {
    const inner = frameDocument(element);
    const body = inner && dom.body(inner);
    return body ? Array.from(dom.childNodes(body)) : [];
  }
  if (dom.isNamed(element, "details") && !element.open) {
    return Array.from(dom.querySelectorAll(element, ":scope > summary")).slice(0, 1);
  }
  if (dom.isNamed(element, "slot")) {
    const assigned = element.assignedNodes();
    if (assigned.length) return assigned;
  }
  return Array.from(dom.childNodes(dom.shadowRoot(element) ?? element));
}

/** Copy an element without its children, or return null for a slot. */
function shallow(element: Element, copy: Document, inCell: boolean) {
  const name = dom.localName(element);
  // Only a slot's contents matter.
  if (name === "slot") return null;
  const plain = isFrame(element) || name.includes("-") || name === "form" || name === "summary";
  const created = copy.createElement(inCell && INLINE_IN_CELLS.has(name) ? "span" : plain ? "div" : name);
  for (const attribute of ATTRIBUTES) {
    const value = dom.getAttribute(element, attribute);
    if (value !== null) created.setAttribute(attribute, value);
  }
  const href = dom.isNamed(element, "a") ? element.href : "";
  if (/^(https?|mailto|tel|file):/.test(href)) created.setAttribute("href", href);
  // Former lines are separated by spaces.
  if (inCell && INLINE_IN_CELLS.has(name)) created.append(" ");
  return created;
}

/** Copy an image with its alternative text, or return only the text if it has no HTTP URL. */
function imageCopy({ alt, currentSrc, src }: HTMLImageElement, copy: Document): Element | string | null {
  const from = currentSrc || src;
  if (!alt) return null;
  if (!/^https?:/.test(from)) return alt;
  const created = copy.createElement("img");
  created.setAttribute("alt", alt);
  created.setAttribute("src", from);
  return created;
}
