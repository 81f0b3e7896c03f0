// Forms that declare themselves as tools, by `toolname` and `tooldescription`
// (https://github.com/webmachinelearning/webmcp/blob/main/declarative-api-explainer.md).

import * as dom from "../dom.ts";
import type { Offered } from "./context.ts";

const SKIPPED = new Set(["submit", "button", "reset", "image", "file", "hidden", "password"]);
const NUMBERS = new Set(["number", "range"]);
const FILLED = "The form is filled and waits: check it, then press its submit button.";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export function formTools(document: Document): Offered[] {
  const forms = Array.from(dom.querySelectorAll<HTMLFormElement>(document, "form[toolname]"));
  return forms.map((form) => ({
    name: dom.getAttribute(form, "toolname") ?? "",
    description: dom.getAttribute(form, "tooldescription") ?? "",
    inputSchema: schemaOf(form),
    execute: (input) => fill(form, input ?? {}),
  }));
}

/** @returns the controls with a name, several for radio buttons */
function controlsOf(form: HTMLFormElement): Map<string, Control[]> {
  const found = new Map<string, Control[]>();
  for (const element of dom.elements(form)) {
    // Of a form's elements, those with a name are controls.
    const control = element as Control;
    if (
      !control.name ||
      SKIPPED.has(control.type) ||
      control.localName === "button" ||
      control.localName === "fieldset"
    )
      continue;
    found.set(control.name, [...(found.get(control.name) ?? []), control]);
  }
  return found;
}

function schemaOf(form: HTMLFormElement) {
  const properties: Record<string, object> = {};
  const required = [];
  for (const [name, controls] of controlsOf(form)) {
    properties[name] = propertyOf(controls);
    if (controls.some((control) => control.required)) required.push(name);
  }
  return { type: "object", properties, ...(required.length ? { required } : {}) };
}

function propertyOf(controls: Control[]) {
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

function labelOf(control: Control) {
  return control.labels?.[0]?.textContent?.trim() || control.getAttribute("aria-label") || "";
}

/** Fill the form, and submit it if it says so. */
async function fill(form: HTMLFormElement, input: object) {
  const controls = controlsOf(form);
  for (const [name, value] of Object.entries(input)) {
    for (const control of controls.get(name) ?? []) setValue(control, value);
  }
  if (!dom.hasAttribute(form, "toolautosubmit")) return FILLED;
  return submitted(form);
}

function setValue(control: Control, value: unknown) {
  if (control instanceof HTMLInputElement && (control.type === "checkbox" || control.type === "radio")) {
    const checked = control.type === "radio" ? control.value === String(value) : value === true;
    if (control.checked !== checked) control.click();
    return;
  }
  // A framework replaces the setter of the element itself; the prototype's tells it of a change.
  const described = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value");
  described?.set?.call(control, String(value));
  control.dispatchEvent(new Event("input", { bubbles: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Submit the form; return what its page answers by `respondWith`, or null. */
async function submitted(form: HTMLFormElement) {
  let answer: unknown = null;
  const extend = (event: SubmitEvent) => {
    if (event.target !== form) return;
    Object.defineProperties(event, {
      agentInvoked: { value: true },
      respondWith: {
        value: (given: unknown) => {
          answer = given;
        },
      },
    });
  };
  addEventListener("submit", extend, { capture: true, once: true });
  dom.requestSubmit(form);
  removeEventListener("submit", extend, { capture: true });
  return answer;
}
