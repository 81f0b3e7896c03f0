// Finds the word at a position, as a double-click in Chromium selects it.

import * as dom from "../dom.ts";

type Position = { node: Node; offset: number };

/** a text node and its offset in the paragraph */
type Piece = { node: Text; start: number };

const BREAKING = "br, img, input, select, textarea, iframe, video, canvas, object, svg";
const words = new Intl.Segmenter(undefined, { granularity: "word" });

/**
 * Return the start and end of the word at `at`: the later one between two words, the last one at the end of a
 * paragraph.
 */
export function wordAt(text: string, at: number): [number, number] {
  const isEnd = at >= text.length || text[at] === "\n";
  if (isEnd && (at === 0 || text[at - 1] === "\n")) return [at, at];
  const found = words.segment(text).containing(isEnd ? at - 1 : at);
  return found ? [found.index, found.index + found.segment.length] : [at, at];
}

/**
 * Return the start and end of the word at a position in the document.
 * @returns null if there is no text
 */
export function wordAround(node: Node, offset: number): [Position, Position] | null {
  const { pieces, text, at } = paragraphAt(node, offset);
  const [start, end] = wordAt(text, at);
  const first = pieces.findLast((piece) => piece.start <= start);
  const last = pieces.findLast((piece) => piece.start < end);
  if (!first || !last) return null;
  return [
    { node: first.node, offset: start - first.start },
    { node: last.node, offset: end - last.start },
  ];
}

/** Return the text around a position up to the next breaks, and the position's offset in it. */
function paragraphAt(node: Node, offset: number) {
  const caret = dom.createRange(dom.ownerDocument(node) ?? node);
  caret.setStart(node, offset);
  let pieces: Piece[] = [];
  let text = "";
  let at = -1;
  for (const each of inlineNodes(blockOf(node))) {
    if (at < 0 && each !== node && caret.comparePoint(each, 0) > 0) at = text.length;
    if (!dom.isText(each)) {
      if (at >= 0) break;
      [pieces, text] = [[], ""];
      continue;
    }
    if (each === node) at = text.length + offset;
    pieces.push({ node: each, start: text.length });
    text += shown(each);
  }
  return { pieces, text, at: at < 0 ? text.length : at };
}

/** Iterate over the text nodes of a block and the elements that separate them. */
function* inlineNodes(block: Node): Generator<Node> {
  for (const child of dom.childNodes(block)) {
    if (dom.isText(child)) yield child;
    if (!dom.isElementNode(child)) continue;
    const { display } = getComputedStyle(child);
    if (display === "none") continue;
    if (isInline(child)) yield* inlineNodes(child);
    else yield child;
  }
}

/** Return the nearest ancestor that isn't inline. */
function blockOf(node: Node) {
  let at = dom.nodeType(node) === Node.TEXT_NODE ? (dom.parentNode(node) ?? node) : node;
  for (let above = dom.parentNode(at); above && dom.isElementNode(at) && isInline(at); above = dom.parentNode(at))
    at = above;
  return at;
}

function isInline(element: Element) {
  return /^(inline|contents|ruby)/.test(getComputedStyle(element).display) && !dom.matches(element, BREAKING);
}

/** Return the text with a space for each character that is shown as one. */
function shown({ data, parentElement }: Text) {
  const collapse = parentElement ? getComputedStyle(parentElement).whiteSpaceCollapse : "collapse";
  if (collapse === "collapse") return data.replace(/[\t\n\r]/g, " ");
  return collapse === "preserve-breaks" ? data.replace(/[\t\r]/g, " ") : data;
}
