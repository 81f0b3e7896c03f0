// Describes a single element for results and errors, without a pass over the whole page.

import * as dom from "../dom.js";
import { tidy } from "../snapshot/drawn.js";
import { Names } from "../snapshot/names.js";
import { walkReferenced } from "../snapshot/tree.js";

/**
 * @import { Refs } from "../refs.js"
 * @import { Candidate } from "../targets.js"
 */

const MAX_NAME = 80;

/** @param {Refs} refs @param {Element} element @returns {Candidate} */
export function describe(refs, element) {
  const { items, roots } = walkReferenced(element);
  const [item] = items;
  const role = dom.getAttribute(element, "role") ?? item?.role ?? "generic";
  // The label may be outside the element.
  const [label] = dom.propertiesOf(element).labels ?? [];
  const name = (item && new Names(items, roots).nameOf(item)) || tidy(dom.textContent(label ?? element) ?? "");
  return { ref: refs.of(element), role, name: name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name };
}
