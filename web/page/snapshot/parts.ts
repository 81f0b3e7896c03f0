// The text of a row, a card or a list item, without its actions.

import * as dom from "../dom.js";
import { drawn, tidy } from "./drawn.js";
import { flatChildren } from "./tree.js";

/** @import { Found } from "./entries.js" @import { Item } from "./tree.js" */

const MAX_TEXT = 80;
// The limit of items that are searched for an element's first words.
const MAX_ITEMS = 50;

/**
 * Return the text of a part, without its actions and inner parts.
 * @param {Found[]} found
 * @param {number} index of the part in `found`
 * @param {Item[]} items of the page
 */
export function partText(found, index, items) {
  const part = found[index].item;
  const inner = items.slice(part.index, part.end);
  const shown = new Map(inner.map((item) => [item.element, item]));
  for (let next = index + 1; next < found.length && found[next].item.index < part.end; next++) {
    if (found[next].kind !== "heading") shown.delete(found[next].item.element);
  }
  return textOf(part, shown);
}

/** Return the first words of an element without a name. @param {Item} item @param {Item[]} items of the page */
export function openingText(item, items) {
  const inner = items.slice(item.index, Math.min(item.end, item.index + MAX_ITEMS));
  return textOf(item, new Map(inner.map((one) => [one.element, one])));
}

/** Return the text of the shown elements in reading order. @param {Item} part @param {Map<Element, Item>} shown */
function textOf(part, shown) {
  let text = "";
  /** @type {{ node: Node, within: Item }[]} */
  const stack = [{ node: part.element, within: part }];
  for (let next = stack.pop(); next && text.length < MAX_TEXT; next = stack.pop()) {
    const { node, within } = next;
    if (dom.nodeType(node) === 3) {
      const { data } = /** @type {Text} */ (node);
      if (within.visible && /\S/.test(data)) text += ` ${drawn(/** @type {Text} */ (node), within, "")}`;
      continue;
    }
    const item = shown.get(/** @type {Element} */ (node));
    if (item) for (const child of flatChildren(item).reverse()) stack.push({ node: child, within: item });
  }
  return tidy(text);
}
