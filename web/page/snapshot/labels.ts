// Finds the labels of all controls in one pass, because `element.labels` scans the tree each time.

import * as dom from "../dom.ts";

/** Return the labels of each control that has any, including hidden ones. */
export function labelsIn(roots: Iterable<Document | ShadowRoot>): Map<Element, Element[]> {
  const labels = new Map<Element, Element[]>();
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
