// Selects options of a native list box with the mouse.

import * as dom from "../dom.ts";
import { fireEdit } from "./events.ts";
import type { Modifiers } from "./mouse.ts";

/** Select the option that was pressed. */
export function pressOption(target: Element, { ctrlKey, metaKey }: Modifiers) {
  if (!dom.isNamed(target, "option")) return;
  const list = dom.closest(target, "select");
  if (!list || list.disabled || isDisabledOption(target)) return;
  const before = Array.from(list.selectedOptions);
  if (!list.multiple) list.selectedIndex = target.index;
  else if (ctrlKey || metaKey) target.selected = !target.selected;
  else for (const one of list.options) one.selected = one === target;
  fireSelectionChange(list, before);
}

/** Return whether an option or its group is disabled. */
export function isDisabledOption(option: HTMLOptionElement) {
  return option.disabled || option.matches("optgroup:disabled > *");
}

/** Dispatch input and change events if the selection differs from `before`. */
export function fireSelectionChange(list: HTMLSelectElement, before: HTMLOptionElement[]) {
  const after = Array.from(list.selectedOptions);
  if (before.length === after.length && before.every((one, index) => one === after[index])) return;
  fireEdit(list);
}
