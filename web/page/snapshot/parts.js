// What a row, a card or an item of a list says beside what can be acted on in it.

import { drawn, tidy } from "./names.js";

/** @import { Found } from "./entries.js" @import { Item } from "./tree.js" */

const LONGEST = 80;
// A part that is larger than that is no row or card.
const MOST_ITEMS = 200;

/**
 * The text in a part, without that of its actions and of parts in it.
 * @param {Found[]} found
 * @param {number} index of the part in `found`
 * @param {Item[]} items of the page
 */
export function partText(found, index, items) {
  const part = found[index].item;
  let text = "";
  let next = index + 1;
  const last = Math.min(part.end, part.index + MOST_ITEMS);
  for (let at = part.index; at < last && text.length < LONGEST; ) {
    while (next < found.length && found[next].item.index < at) next++;
    const inner = found[next];
    if (inner?.item.index === at && at !== part.index && inner.kind !== "heading") {
      at = inner.item.end;
      continue;
    }
    text += ownText(items[at]);
    at++;
  }
  return tidy(text);
}

/** The text directly in the element. @param {Item} item */
function ownText(item) {
  if (!item.visible) return "";
  let text = "";
  for (let node = item.element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === 3 && /\S/.test(/** @type {Text} */ (node).data)) text += ` ${drawn(/** @type {Text} */ (node), item, "")}`;
  }
  return text;
}
