// Forms that declare themselves as tools, by `toolname` and `tooldescription`
// (https://github.com/webmachinelearning/webmcp/blob/main/declarative-api-explainer.md).

import * as dom from "../dom.js";

/** @import { Offered } from "./context.js" */

const SKIPPED = new Set(["submit", "button", "reset", "image", "file", "hidden", "password"]);
const NUMBERS = new Set(["number", "range"]);
const FILLED = "The form is filled and waits: check it, then press its submit button.";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

/** @param {Document} document @returns {Offered[]} */
export function formTools(document) {
  const forms = Array.from(/** @type {NodeListOf<HTMLFormElement>} */ (dom.querySelectorAll(document, "form[toolname]")));
  return forms.map((form) => ({
    name: dom.getAttribute(form, "toolname") ?? "",
    description: dom.getAttribute(form, "tooldescription") ?? "",
    inputSchema: schemaOf(form),
    execute: (input) => fill(form, input ?? {}),
  }));
}

/** @param {HTMLFormElement} form @returns {Map<string, Control[]>} the controls with a name, several for radio buttons */
function controlsOf(form) {
  /** @type {Map<string, Control[]>} */
  const found = new Map();
  for (const element of dom.elements(form)) {
    const control = /** @type {Control} */ (element);
    if (!control.name || SKIPPED.has(control.type) || control.localName === "button" || control.localName === "fieldset") continue;
    found.set(control.name, [...(found.get(control.name) ?? []), control]);
  }
  return found;
}

/** @param {HTMLFormElement} form */
function schemaOf(form) {
  /** @type {Record<string, object>} */
  const properties = {};
  const required = [];
  for (const [name, controls] of controlsOf(form)) {
    properties[name] = propertyOf(controls);
    if (controls.some((control) => control.required)) required.push(name);
  }
  return { type: "object", properties, ...(required.length ? { required } : {}) };
}

/** @param {Control[]} controls */
function propertyOf(controls) {
  const [control] = controls;
  const text = controls.map((one) => one.getAttribute("toolparamdescription") ?? "").find(Boolean) ?? labelOf(control);
  const description = text ? { description: text } : {};
  if (control.type === "checkbox" && controls.length === 1) return { type: "boolean", ...description };
  if (control.type === "radio") return { type: "string", enum: controls.map(({ value }) => value), ...description };
  if (control instanceof HTMLSelectElement) {
    return { type: "string", enum: Array.from(control.options, ({ value }) => value).filter(Boolean), ...description };
  }
  return { type: NUMBERS.has(control.type) ? "number" : "string", ...description };
}

/** @param {Control} control */
function labelOf(control) {
  return control.labels?.[0]?.textContent?.trim() || control.getAttribute("aria-label") || "";
}

/**
 * Fill the form, and submit it if it says so.
 * @param {HTMLFormElement} form
 * @param {Record<string, unknown>} input
 */
async function fill(form, input) {
  const controls = controlsOf(form);
  for (const [name, value] of Object.entries(input)) {
    for (const control of controls.get(name) ?? []) setValue(control, value);
  }
  if (!dom.hasAttribute(form, "toolautosubmit")) return FILLED;
  return submitted(form);
}

/** @param {Control} control @param {unknown} value */
function setValue(control, value) {
  if (control instanceof HTMLInputElement && (control.type === "checkbox" || control.type === "radio")) {
    const checked = control.type === "radio" ? control.value === String(value) : value === true;
    if (control.checked !== checked) control.click();
    return;
  }
  // A framework replaces the setter of the element itself; the prototype's tells it of a change.
  const { set } = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value"));
  set?.call(control, String(value));
  control.dispatchEvent(new Event("input", { bubbles: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Submit the form; return what its page answers by `respondWith`, or null. @param {HTMLFormElement} form */
async function submitted(form) {
  /** @type {unknown} */
  let answer = null;
  const extend = (/** @type {SubmitEvent} */ event) => {
    if (event.target !== form) return;
    Object.defineProperties(event, {
      agentInvoked: { value: true },
      respondWith: { value: (/** @type {unknown} */ given) => { answer = given; } },
    });
  };
  addEventListener("submit", extend, { capture: true, once: true });
  dom.requestSubmit(form);
  removeEventListener("submit", extend, { capture: true });
  return answer;
}
