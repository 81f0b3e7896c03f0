// Describes a single element for results and errors, without a pass over the whole page.

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
  const role = element.getAttribute("role") ?? item?.role ?? "generic";
  // The label may be outside the element.
  const [label] = /** @type {HTMLInputElement} */ (element).labels ?? [];
  const name = (item && new Names(items, roots).nameOf(item)) || tidy((label ?? element).textContent ?? "");
  return { ref: refs.of(element), role, name: name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name };
}
