// Selects options of a native list box with the mouse.

import * as dom from "../dom.js";
import { fireChange, fireInput } from "./events.js";

/** @import { Modifiers } from "./mouse.js" */

/** Select the option that was pressed. @param {Element} target @param {Modifiers} modifiers */
export function pressOption(target, { ctrlKey, metaKey }) {
  const list = dom.localName(target) === "option" ? /** @type {HTMLSelectElement | null} */ (dom.closest(target, "select")) : null;
  const option = /** @type {HTMLOptionElement} */ (target);
  if (!list || list.disabled || option.disabled || option.matches("optgroup:disabled > *")) return;
  const before = Array.from(list.selectedOptions);
  if (!list.multiple) list.selectedIndex = option.index;
  else if (ctrlKey || metaKey) option.selected = !option.selected;
  else for (const one of list.options) one.selected = one === option;
  fireSelectionChange(list, before);
}

/** Dispatch input and change events if the selection differs from `before`. @param {HTMLSelectElement} list @param {HTMLOptionElement[]} before */
export function fireSelectionChange(list, before) {
  const after = Array.from(list.selectedOptions);
  if (before.length === after.length && before.every((one, index) => one === after[index])) return;
  fireInput(list);
  fireChange(list);
}
