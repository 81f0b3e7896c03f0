// Computes the states of elements by WAI-ARIA and HTML-AAM. False states are omitted, except `checked`, `expanded`,
// `pressed` and `selected`.

import * as dom from "../dom.ts";
import { ariaOf } from "../internals.ts";
import { INTERACTIVE, isEditingHost } from "./roles.ts";
import type { Item } from "./tree.ts";

export type States = Record<string, boolean | string | number>;

const CHECKABLE = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"]);
const SELECTABLE = new Set(["option", "tab", "treeitem", "gridcell", "row", "columnheader", "rowheader"]);
const RANGES = new Set(["slider", "spinbutton", "scrollbar", "progressbar", "meter", "separator"]);
const LEVELS = new Set(["heading", "treeitem"]);
const UNTYPED = new Set("button checkbox color file hidden image radio range reset submit".split(" "));
const DATES = new Set(["date", "datetime-local", "month", "week", "time"]);
const CAN_BE_DISABLED = new Set(["button", "input", "select", "textarea", "option", "optgroup", "fieldset"]);
const TYPED = new Set([...DATES, "color", "email", "tel", "url", "password", "file"]);

export function statesOf(item: Item): States {
  const { element, role } = item;
  const states: States = {};
  if (dom.isNamed(element, "input") && TYPED.has(element.type)) states.type = element.type;
  const switched = {
    checked: checkedOf(element, role),
    pressed: role === "button" ? pressedOf(element) : null,
    expanded: expandedOf(element, role),
    selected: selectedOf(element, role),
  };
  for (const [state, is] of Object.entries(switched)) if (is !== null) states[state] = is;
  if (isDisabled(item)) states.disabled = true;
  addFieldStates(item, states);
  addPlace(item, states);
  return states;
}

function addFieldStates({ element, name }: Item, states: States) {
  const field = isFieldOf(element, name) ? element : null;
  const isTyped = name === "textarea" || (field !== null && name === "input" && !UNTYPED.has(field.type));
  if (ariaOf(element, "aria-required") === "true" || field?.required) states.required = true;
  // A disabled field is always read-only.
  const isReadOnly =
    (ariaOf(element, "aria-readonly") === "true" && !isEditingHost(element)) || (isTyped && field?.readOnly === true);
  if (isReadOnly && !states.disabled) states.readonly = true;
  const invalid = ariaOf(element, "aria-invalid");
  if (invalid !== null && invalid !== "" && invalid !== "false") states.invalid = true;
  else if (invalid === null && field !== null && breaksRules(field, isTyped)) states.invalid = true;
  if (isEditingHost(element)) states.editable = true;
  if (name === "select" ? field?.multiple : ariaOf(element, "aria-multiselectable") === "true") states.multiple = true;
  const popup = ariaOf(element, "aria-haspopup");
  if (popup && popup !== "false") states.haspopup = popup === "true" ? "menu" : popup;
}

/** a control with a value; only some have all of these */
type Field = HTMLSelectElement & Partial<Pick<HTMLInputElement, "readOnly">>;

function isFieldOf(element: Element, name: string): element is Field {
  return name === "input" || name === "textarea" || name === "select";
}

/** Return whether a field is invalid. An empty required text field isn't, but a missing selection is. */
function breaksRules(field: Field, isTyped: boolean) {
  if (!field.willValidate || field.validity.valid) return false;
  return !isTyped || !field.validity.valueMissing || DATES.has(field.type);
}

function addPlace(item: Item, states: States) {
  const { element, role } = item;
  const current = ariaOf(element, "aria-current");
  if (current && current !== "false") states.current = current === "true" ? true : current;
  const sort = ariaOf(element, "aria-sort");
  if (sort === "ascending" || sort === "descending") states.sort = sort;
  if (LEVELS.has(role)) {
    const level = Number(ariaOf(element, "aria-level")) || Number(/^h([1-6])$/.exec(dom.localName(element))?.[1]);
    if (level) states.level = level;
    else states.level = role === "heading" ? 2 : treeLevel(item);
  }
  if (!RANGES.has(role)) return;
  const input = dom.isNamed(element, "input") ? element : null;
  const isRange = input?.type === "range";
  const now = input ? input.value : ariaOf(element, "aria-valuenow");
  const least = (input ? input.min : ariaOf(element, "aria-valuemin")) || (isRange ? "0" : null);
  const most = (input ? input.max : ariaOf(element, "aria-valuemax")) || (isRange ? "100" : null);
  if (isNumber(now)) states.valuenow = Number(now);
  if (isNumber(least)) states.valuemin = Number(least);
  if (isNumber(most)) states.valuemax = Number(most);
}

/** Return the level of a tree item, counted by groups. */
function treeLevel(item: Item) {
  let level = 1;
  for (let above = item.parent; above && above.role !== "tree"; above = above.parent)
    if (above.role === "group") level++;
  return level;
}

const isNumber = (text: string | null) => text !== null && text.trim() !== "" && Number.isFinite(Number(text));

function checkedOf(element: Element, role: string): boolean | "mixed" | null {
  const given = ariaOf(element, "aria-checked");
  if (!CHECKABLE.has(role))
    return given !== null && (role === "option" || role === "treeitem") ? tristate(given) : null;
  if (dom.isNamed(element, "input") && (element.type === "checkbox" || element.type === "radio"))
    return element.indeterminate ? "mixed" : element.checked;
  return given === "mixed" && role !== "radio" && role !== "switch" ? "mixed" : given === "true";
}

function tristate(value: string | null): boolean | "mixed" | null {
  if (value === null || value === "" || value === "undefined") return null;
  return value === "mixed" ? "mixed" : value !== "false";
}

function pressedOf(element: Element) {
  const given = tristate(ariaOf(element, "aria-pressed"));
  const input = dom.isNamed(element, "input") ? element : null;
  return given !== null && input?.type === "checkbox" ? input.checked : given;
}

function expandedOf(element: Element, role: string): boolean | null {
  if (dom.localName(element) === "summary" && role === "button") {
    const details = dom.parentElement(element);
    return details !== null && dom.isNamed(details, "details") && details.open;
  }
  const given = ariaOf(element, "aria-expanded");
  if (given === "true" || given === "false") return given === "true";
  const { popoverTargetElement } = dom.propertiesOf(element);
  if (popoverTargetElement) return dom.matches(popoverTargetElement, ":popover-open");
  return dom.localName(element) === "select" && role === "combobox" ? dom.matches(element, ":open") : null;
}

function selectedOf(element: Element, role: string): boolean | null {
  if (!SELECTABLE.has(role)) return null;
  if (dom.isNamed(element, "option")) return element.selected;
  const given = ariaOf(element, "aria-selected");
  if (given === "true" || given === "false") return given === "true";
  return role === "tab" || role === "treeitem" ? false : null;
}

function isDisabled({ element, name, role, barred }: Item) {
  if (barred || ((CAN_BE_DISABLED.has(name) || name.includes("-")) && dom.matches(element, ":disabled"))) return true;
  // As in Chromium, so are the controls in the shadow tree of an element with this attribute.
  const root = dom.getRootNode(element);
  const host = dom.isShadowRoot(root) && root.host;
  return Boolean(host && dom.hasAttribute(host, "disabled")) && INTERACTIVE.has(role) && role !== "link";
}
