/** Create and find elements. Text is always text: nothing here parses HTML. */

import { hintOf } from "./hint.ts";

type Attribute = string | number | boolean | null | undefined | { hear(event: Event): void }["hear"];
type Child = Node | string | null | false;

/**
 * Create an element with attributes, listeners (functions such as `onclick`) and children.
 *
 * @param attributes - false, null and undefined omit the attribute
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
}

/**
 * Return a value of a class, such as the target of an event.
 *
 * @throws {TypeError} it is of another
 */
export function expect<Type>(value: unknown, type: new () => Type): Type {
  if (value instanceof type) return value;
  throw new TypeError(`This is no ${type.name}: ${value}`);
}

/** Return the element of index.html with an id. */
export function byId<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new TypeError(`index.html has no ${type.name} with the id ${id}`);
}

/** Focus the first element in another one that a selector matches, if there is one. */
export function focusIn(parent: ParentNode, selector: string) {
  const found = parent.querySelector(selector);
  if (found instanceof HTMLElement) found.focus();
}

/**
 * Show an error and its hint in an element with `role="alert"`.
 *
 * @param error - null clears it
 */
export function showProblem(
  place: HTMLElement,
  error: { type?: string; message: string; hint?: string | null } | null,
) {
  place.hidden = error === null;
  if (error === null) place.replaceChildren();
  else place.replaceChildren(error.message, hintOf(error) ?? "");
}
