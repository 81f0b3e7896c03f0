// The text of a row, a card or a list item, without its actions.

import * as dom from "../dom.ts";
import { drawn, tidy } from "./drawn.ts";
import type { Found } from "./entries.ts";
import { flatChildren, type Item } from "./tree.ts";

const MAX_TEXT = 80;
// The limit of items that are searched for an element's first words.
const MAX_ITEMS = 50;

/**
 * Return the text of a part, without its actions and inner parts.
 * @param index - of the part in `found`
 * @param items - of the page
 */
export function partText(found: Found[], index: number, items: Item[]) {
  const part = found[index].item;
  const inner = items.slice(part.index, part.end);
  const shown = new Map(inner.map((item) => [item.element, item]));
  for (let next = index + 1; next < found.length && found[next].item.index < part.end; next++) {
    if (found[next].kind !== "heading") shown.delete(found[next].item.element);
  }
  return textOf(part, shown);
}

/**
 * Return the first words of an element without a name.
 * @param items - of the page
 */
export function openingText(item: Item, items: Item[]) {
  const inner = items.slice(item.index, Math.min(item.end, item.index + MAX_ITEMS));
  return textOf(item, new Map(inner.map((one) => [one.element, one])));
}

/** Return the text of the shown elements in reading order. */
function textOf(part: Item, shown: Map<Element, Item>) {
  let text = "";
  const stack: { node: Node; within: Item }[] = [{ node: part.element, within: part }];
  for (let next = stack.pop(); next && text.length < MAX_TEXT; next = stack.pop()) {
    const { node, within } = next;
    if (dom.isText(node)) {
      const { data } = node;
      if (within.visible && /\S/.test(data)) text += ` ${drawn(node, within, "")}`;
      continue;
    }
    const item = dom.isElementNode(node) ? shown.get(node) : undefined;
    if (item) for (const child of flatChildren(item).reverse()) stack.push({ node: child, within: item });
  }
  return tidy(text);
}
