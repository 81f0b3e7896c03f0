// Native controls that a page hides and shows as its label, or as a widget of a library such as Select2 or Choices.

import * as dom from "./dom.ts";
import { isSmall } from "./surfaces.ts";

const CHECKABLE = "input[type=radio], input[type=checkbox], select, [role=switch], [role=checkbox], [role=radio]";
const OPENER = "[role=combobox], [aria-haspopup]:not([aria-haspopup=false])";
const HIDDEN = { visibilityProperty: true, opacityProperty: true };
// The widget is at most this many levels above the control, or next to one of them.
const MOST_LEVELS = 3;

/** Return whether a control can't be seen. */
function isHiddenControl(control: Element) {
  return !dom.checkVisibility(control, HIDDEN) || isSmall(control) || /^rect\(/.test(getComputedStyle(control).clip);
}

/** Return whether an element is left of or above everything that scrolling shows. */
function isOffPage(element: Element) {
  const { right, bottom } = dom.getBoundingClientRect(element);
  return right + scrollX <= 0 || bottom + scrollY <= 0;
}

/** Return the label that is shown instead of a radio button, checkbox, switch or drop-down, or null. */
export function labelFor(control: Element): Element | null {
  if (!dom.matches(control, CHECKABLE) || (!isHiddenControl(control) && !isOffPage(control)) || widgetOf(control))
    return null;
  const ids = dom.getAttribute(control, "aria-labelledby")?.split(/\s+/) ?? [];
  const labels = [
    ...(dom.propertiesOf(control).labels ?? []),
    ...ids.map((id) => dom.getElementById(dom.getRootNode(control), id)),
  ];
  return labels.find((one) => one && !isHiddenControl(one)) ?? null;
}

/** Return the labels of the selected options. */
export function selectedLabels(list: HTMLSelectElement) {
  return Array.from(list.selectedOptions, ({ label }) => label.trim()).join(", ");
}

/** Iterate over an element and those above it within its form and the body, at most so many. */
function* levels(start: Element, most: number): Generator<Element> {
  let at: Element | null = start;
  for (let level = 0; at && level < most; level++, at = dom.parentElement(at)) {
    if (dom.localName(at) === "form" || at === dom.body(dom.ownerDocument(at))) return;
    yield at;
  }
}

/** Return the part of a widget that opens the list of a hidden drop-down, or null. */
export function widgetOf(select: Element): Element | null {
  if (!isHiddenControl(select)) return null;
  for (const at of levels(select, MOST_LEVELS)) {
    const beside = dom.nextElementSibling(at);
    const opener = beside && (dom.matches(beside, OPENER) ? beside : dom.querySelector(beside, OPENER));
    if (opener) return opener;
    const above = dom.parentElement(at);
    if (above && dom.matches(above, OPENER)) return above;
  }
  return null;
}

/** Return the hidden drop-down that a widget shows, or null. */
export function selectBehind(widget: Element): HTMLSelectElement | null {
  for (const at of levels(widget, MOST_LEVELS + 1)) {
    const before = dom.previousElementSibling(at);
    const inner = at === widget ? dom.querySelector(at, "select") : null;
    const found = before && dom.isNamed(before, "select") ? before : inner;
    if (found) return widgetOf(found) === widget ? found : null;
  }
  return null;
}

/**
 * Return the element shown instead of a hidden file input: its label, its form if it is elsewhere, or the element
 * around it.
 * @returns null if the element is no hidden file input, or nothing is shown
 */
export function widgetOfFiles(input: Element): Element | null {
  if (!dom.isNamed(input, "input") || input.type !== "file" || !isHiddenControl(input)) return null;
  const form = input.form && dom.contains(input.form, input) ? null : input.form;
  const shown = [...(input.labels ?? []), form, input.parentElement].find((one) => one && !isHiddenControl(one));
  return shown && shown !== dom.body(input.ownerDocument) ? shown : null;
}
