/** Create and find elements. Text is always text: nothing here parses HTML. */

/**
 * @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Attribute
 * @typedef {Node | string | null | false} Child
 */

/**
 * Create an element with attributes, listeners (functions such as `onclick`) and children.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, Attribute>} [attributes] false, null and undefined omit the attribute
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
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
 * Return the element of index.html with an id.
 *
 * @template {HTMLElement} Type
 * @param {string} id
 * @param {new () => Type} type
 * @returns {Type}
 */
export function byId(id, type) {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new TypeError(`index.html has no ${type.name} with the id ${id}`);
}

/**
 * Show an error and its hint in an element with `role="alert"`.
 *
 * @param {HTMLElement} place
 * @param {{message: string, hint?: string | null} | null} error null clears it
 */
export function showProblem(place, error) {
  place.hidden = error === null;
  if (error === null) place.replaceChildren();
  else place.replaceChildren(error.message, error.hint ? h("span", { class: "hint" }, error.hint) : "");
}
