// Finds the labels of all controls in one pass, because `element.labels` scans the tree each time.

import * as dom from "../dom.js";

/**
 * Return the labels of each control that has any, including hidden ones.
 * @param {Iterable<Document | ShadowRoot>} roots
 * @returns {Map<Element, Element[]>}
 */
export function labelsIn(roots) {
  /** @type {Map<Element, Element[]>} */
  const labels = new Map();
  for (const root of roots) {
    for (const label of dom.querySelectorAll(root, "label")) {
      const { control } = label;
      if (!control) continue;
      const known = labels.get(control);
      if (known) known.push(label);
      else labels.set(control, [label]);
    }
  }
  return labels;
}
