// Describes a single element for results and errors, without a pass over the whole page.

import * as dom from "../dom.ts";
import type { Refs } from "../refs.ts";
import { shorten } from "../short_texts.ts";
import { tidy } from "../snapshot/drawn.ts";
import { Names } from "../snapshot/names.ts";
import { walkReferenced } from "../snapshot/tree.ts";
import type { Candidate } from "../targets.ts";

const MAX_NAME = 80;

export function describe(refs: Refs, element: Element): Candidate {
  return { ref: refs.of(element), ...nameAndRole(element) };
}

/** Return an element's role and name, without giving it a ref. */
export function nameAndRole(element: Element): { role: string; name: string } {
  const { items, roots } = walkReferenced(element);
  const [item] = items;
  const role = dom.getAttribute(element, "role") ?? item?.role ?? "generic";
  // The label may be outside the element.
  const [label] = dom.propertiesOf(element).labels ?? [];
  const name = (item && new Names(items, roots).nameOf(item)) || tidy(dom.textContent(label ?? element) ?? "");
  return { role, name: shorten(name, MAX_NAME) };
}
