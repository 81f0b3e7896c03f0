// Selects options of native lists and of widgets with ARIA roles.
// https://www.w3.org/WAI/ARIA/apg/patterns/

import { composedContains, rootsBelow } from "../composed.ts";
import * as dom from "../dom.ts";
import { Disabled, InvalidArguments, NotFound, Unsupported } from "../errors.ts";
import { shadowOf } from "../internals.ts";
import { selectBehind, selectedLabels, widgetOf } from "../native_controls.ts";
import { oneLine } from "../short_texts.ts";
import { askToLeave } from "./consent.ts";
import { isEditable, isTextField, selectAll } from "./editing.ts";
import { fireEdit } from "./events.ts";
import { moveFocus } from "./focus.ts";
import type { Given } from "./actions.ts";
import type { InputDevices } from "./input_devices.ts";
import { keyOf } from "./keys.ts";
import { fireSelectionChange, isDisabledOption } from "./lists.ts";
import { enabled, isShown, present, ready, tagOf } from "./ready.ts";
import { setValue } from "./values.ts";
import { frame, pause } from "./waiting.ts";

type Named<T extends Element> = { one: T; name: string };

const OPTIONS = ["option", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem", "tab", "radio", "checkbox"];
const CHOICES = [...OPTIONS.map((role) => `[role=${role}]`), "input[type=radio]", "input[type=checkbox]"].join(", ");
const POPUPS = "[role=listbox], [role=menu], [role=tree], [role=grid], [role=dialog]";
const OPENERS = "[role=combobox], [aria-haspopup]:not([aria-haspopup=false]), [aria-expanded][aria-controls]";
const MAX_LISTED = 30;
// If the option isn't there after this time, its name is typed to filter the list.
const FILTER_AFTER_MS = 300;
const POLL_MS = 50;
const TIMEOUT_S = 5;

/**
 * Select one option, several options of a list, or a path through the levels of a menu or tree.
 * @param options - a target and `option`, a label or value or a list of them
 */
export async function select(
  devices: InputDevices,
  { option, consented, ...options }: Given & { option?: string | string[] },
): Promise<object> {
  const wanted = Array.isArray(option) ? option : [option];
  if (!wanted.length || !wanted.every((one) => typeof one === "string")) {
    throw new InvalidArguments("`option` is missing.", { hint: "Pass the option's label, or a list of labels." });
  }
  const found = await present(devices.page, options, options);
  const element: Element = dom.propertiesOf(found).control ?? found;
  const native = dom.closest(element, "select");
  const widget = native && widgetOf(native);
  askToLeave(widget ?? element, consented);
  if (widget) return selectAria(devices, widget, wanted, options, native);
  if (native) return selectNative(devices, native, wanted, options);
  const { list } = dom.propertiesOf(element);
  if (list && dom.isNamed(element, "input")) return selectListed(devices, element, list, wanted[0], options);
  return selectAria(devices, element, wanted, options, selectBehind(element));
}

async function selectNative(devices: InputDevices, list: HTMLSelectElement, wanted: string[], options: Given) {
  enabled(list);
  const selected = wanted.map((one) => optionOf(devices, list, one));
  if (selected.length > 1 && !list.multiple) throw new InvalidArguments(`${tagOf(list)} takes one option.`);
  const boxed = (list.multiple || list.size > 1) && isShown(list);
  const place = await ready(devices.page, { ...options, element: boxed ? selected[0] : list }, options);
  return devices.perform(options, async () => {
    await devices.press(place);
    moveFocus(list);
    const before = Array.from(list.selectedOptions);
    if (list.multiple) for (const one of list.options) one.selected = selected.includes(one);
    else list.selectedIndex = selected[0].index;
    fireSelectionChange(list, before);
    return () => ({ success: true, value: selectedLabels(list) });
  });
}

/** @param list - its suggestions */
async function selectListed(
  devices: InputDevices,
  input: HTMLInputElement,
  list: HTMLDataListElement,
  wanted: string,
  options: Given,
) {
  const { value } = optionOf(devices, list, wanted);
  const place = await ready(devices.page, { ...options, element: input }, options);
  return devices.perform(options, async () => {
    await devices.press(place);
    moveFocus(input);
    setValue(input, value);
    fireEdit(input);
    return () => ({ success: input.value === value, value: input.value });
  });
}

function optionOf(devices: InputDevices, list: HTMLSelectElement | HTMLDataListElement, wanted: string) {
  const all = Array.from(list.options);
  const named = all.map((one) => ({ one, name: oneLine(one.label || one.value) }));
  const found = closestNamed(named, wanted) ?? all.find((one) => one.value === wanted);
  if (!found) throw noOption(list, wanted, named);
  if (isDisabledOption(found)) {
    throw new Disabled(`The option ${JSON.stringify(wanted)} is disabled.`, {
      data: { by: devices.page.describe(list) },
    });
  }
  return found;
}

/** @param behind - the drop-down that the widget shows */
async function selectAria(
  devices: InputDevices,
  element: Element,
  wanted: string[],
  options: Given,
  behind: HTMLSelectElement | null,
) {
  const opener = openerOf(element);
  const start = opener && (await ready(devices.page, { ...options, element: opener }, options));
  return devices.perform(options, async () => {
    const from = opener ?? element;
    const opens = opener !== null;
    if (start && !isOpen(devices, from, wanted[0])) await devices.press(start);
    let selected = from;
    for (const [index, one] of wanted.entries()) {
      selected = await find(devices, from, one, opens, options);
      const leads = !behind && index < wanted.length - 1;
      // In the list of a combobox the active option is marked as selected, too.
      const done = behind ? isChosen(behind, one) : isSelected(selected) && (!opens || isMultiple(selected));
      if (!done || leads) await choose(devices, selected, leads, options);
    }
    return () => {
      if (behind) return selectedBehind(behind, wanted);
      checkSelected(selected, wanted);
      const done = isSelected(selected) ? { success: true } : {};
      return { ...done, value: shownBy(from) ?? wanted.join(", ") };
    };
  });
}

/** Return what a press opens the options of a widget by, or null if they are in it. */
function openerOf(element: Element) {
  if (dom.matches(element, CHOICES.replace(/, input.*/, "")) || dom.matches(element, POPUPS)) return null;
  const opener = dom.matches(element, OPENERS) ? element : dom.querySelector(element, OPENERS);
  if (opener) return opener;
  // A button may open a menu without saying so.
  return dom.matches(element, "button, [role=button]") && choicesIn(element).next().done ? element : null;
}

/** Return whether the options are open. */
function isOpen(devices: InputDevices, opener: Element, wanted: string) {
  const expanded = dom.getAttribute(opener, "aria-expanded");
  if (expanded !== null) return expanded === "true";
  return closestNamed(namedChoices(devices, opener, true), wanted) !== undefined;
}

function selectedBehind(list: HTMLSelectElement, wanted: string[]) {
  const missing = wanted.find((one) => !isChosen(list, one));
  if (missing === undefined) return { success: true, value: selectedLabels(list) };
  throw notSelected(missing);
}

function notSelected(wanted: string | undefined) {
  return new Unsupported(`${JSON.stringify(wanted)} was clicked but isn't selected.`, {
    hint: "Take a snapshot to see what the click did.",
  });
}

/** @param wanted - a label or value */
function isChosen(list: HTMLSelectElement, wanted: string) {
  const text = oneLine(wanted).toLowerCase();
  return Array.from(list.selectedOptions).some(
    ({ label, value }) => value === wanted || oneLine(label).toLowerCase().includes(text),
  );
}

function isMultiple(choice: Element) {
  return (
    dom.closest(choice, "[role=listbox][aria-multiselectable=true]") !== null ||
    /checkbox/.test(dom.getAttribute(choice, "role") ?? "")
  );
}

async function find(
  devices: InputDevices,
  from: Element,
  wanted: string,
  opens: boolean,
  { signal, timeout = TIMEOUT_S }: Given,
) {
  const start = performance.now();
  let filtered = false;
  for (;;) {
    const named = namedChoices(devices, from, opens);
    const found = closestNamed(named, wanted);
    if (found) return found;
    const waited = performance.now() - start;
    if (waited >= timeout * 1000) throw noOption(from, wanted, named);
    if (!filtered && waited >= FILTER_AFTER_MS && isTextField(from) && isEditable(from)) {
      filtered = true;
      moveFocus(from);
      selectAll(from);
      await devices.keyboard.write(wanted, signal);
    }
    await pause(POLL_MS, signal);
  }
}

function namedChoices({ page }: InputDevices, from: Element, opens: boolean): Named<Element>[] {
  return choicesOf(from, opens).map((one) => ({ one, name: oneLine(page.describe(one).name) }));
}

/** Return the options that can be selected now. */
function choicesOf(from: Element, opens: boolean): Element[] {
  const roots = Array.from(rootsBelow(document));
  const ids = ["aria-controls", "aria-owns"]
    .flatMap((name) => (dom.getAttribute(from, name) ?? "").split(/\s+/))
    .filter(Boolean);
  const controlled = ids.flatMap((id) => dom.getElementById(dom.getRootNode(from), id) ?? []);
  const popups = roots.flatMap((root) => Array.from(dom.querySelectorAll(root, POPUPS)));
  const scopes = opens ? [...controlled, ...popups] : [from, ...controlled];
  const all = new Set(scopes.flatMap((scope) => [...choicesIn(scope)]));
  // Add the options of submenus.
  if (!opens)
    for (const popup of popups) for (const one of choicesIn(popup)) if (composedContains(from, popup)) all.add(one);
  return [...all].filter(
    (one) => isShown(one) || Array.from<Element>(dom.propertiesOf(one).labels ?? []).some(isShown),
  );
}

/** Iterate over the choices below an element, also those in its shadow root or assigned to slots. */
function* choicesIn(scope: Element): Generator<Element> {
  yield* dom.querySelectorAll(scope, CHOICES);
  const shadow = shadowOf(scope);
  yield* shadow?.querySelectorAll(CHOICES) ?? [];
  for (const slot of [scope, ...(shadow ? [shadow] : [])].flatMap((root) =>
    Array.from(dom.querySelectorAll(root, "slot")),
  )) {
    for (const one of slot.assignedElements({ flatten: true })) {
      if (dom.matches(one, CHOICES)) yield one;
      yield* choicesIn(one);
    }
  }
}

/** @param leads - whether another level follows */
async function choose(devices: InputDevices, choice: Element, leads: boolean, options: Given) {
  if (leads && dom.getAttribute(choice, "aria-expanded") === "true") return;
  await devices.press(await ready(devices.page, { element: rowOf(choice) }, options));
  if (!leads) return;
  await frame(options.signal);
  if (dom.getAttribute(choice, "aria-expanded") === "false") {
    moveFocus(choice);
    await devices.keyboard.stroke(keyOf("ArrowRight"));
  }
}

/** Return the part of a tree item to press: its own line, not its children. */
function rowOf(choice: Element) {
  if (!dom.querySelector(choice, "[role=group]")) return choice;
  return (
    Array.from(dom.children(choice)).find((child) => dom.getAttribute(child, "role") !== "group" && isShown(child)) ??
    choice
  );
}

function isSelected(choice: Element) {
  const { checked } = dom.propertiesOf(choice);
  return (
    checked === true ||
    dom.getAttribute(choice, "aria-selected") === "true" ||
    dom.getAttribute(choice, "aria-checked") === "true"
  );
}

function checkSelected(choice: Element, wanted: string[]) {
  const states = ["aria-selected", "aria-checked"].filter((name) => dom.hasAttribute(choice, name));
  const native = dom.localName(choice) === "input";
  if (!dom.isConnected(choice) || !isShown(choice) || isSelected(choice) || (!states.length && !native)) return;
  throw notSelected(wanted.at(-1));
}

/** Return the text that a combobox shows as its value. */
function shownBy(element: Element) {
  if (isTextField(element)) return element.value;
  if (dom.getAttribute(element, "role") !== "combobox") return null;
  return oneLine(dom.textContent(element) ?? "");
}

function closestNamed<T extends Element>(named: Named<T>[], wanted: string): T | undefined {
  const text = oneLine(wanted);
  const lower = text.toLowerCase();
  const exact = named.find(({ name }) => name === text) ?? named.find(({ name }) => name.toLowerCase() === lower);
  if (exact) return exact.one;
  const partial = named.filter(({ name }) => name.toLowerCase().includes(lower));
  return partial.length === 1 ? partial[0].one : undefined;
}

function noOption(list: Element, wanted: string, named: Named<Element>[]) {
  const names = named.map(({ name }) => name).slice(0, MAX_LISTED);
  const some = names.map((name) => JSON.stringify(name)).join(", ");
  return new NotFound(`${tagOf(list)} has no option ${JSON.stringify(wanted)}.`, {
    hint: names.length ? `There are ${some}${named.length > MAX_LISTED ? ", …" : ""}.` : "It showed no options.",
    data: { options: names },
  });
}
