// Finds the elements that an agent can act on, and their context.

import { frameDocument, isFrame } from "../composed.js";
import { hasArea, Layout } from "./layout.js";
import { Names } from "./names.js";
import { openingText } from "./parts.js";
import { INTERACTIVE, isEditingHost, LANDMARKS } from "./roles.js";
import { statesOf } from "./states.js";
import { shownValue } from "./values.js";

/**
 * @import { Box } from "./layout.js"
 * @import { Item } from "./tree.js"
 * @import { Owned } from "./owned.js"
 * @import { States } from "./states.js"
 * @import { Refs } from "../refs.js"
 * @import { Listeners } from "../listeners.js"
 *
 * @typedef {Box & {
 *   ref: string, role: string, name: string, states: States, value?: string, href?: string, description?: string,
 *   options?: string[], clickable?: boolean, cross_origin?: boolean, covered_by?: string, in_view: boolean,
 * }} Entry an element that can be acted on; `clickable` ones have a listener but no interactive role
 *
 * @typedef {{ items: Item[], owned: Owned, panels: Element[] }} Walked
 * @typedef {"action" | "heading" | "landmark" | "part"} Kind
 * @typedef {{ item: Item, kind: Kind, entry: Entry | null }} Found
 */

const PARTS = new Set(
  "row listitem article radiogroup tabpanel group toolbar menu listbox tree grid tablist".split(" "),
);
const MOST_OPTIONS = 50;
// The limit of descendants that are checked for an element without area.
const MOST_PARTS = 20;
// At least this many similar siblings form a list of cards.
const REPEATED = 3;
const NEAR = 6;

/** The entries of a page. */
export class Entries {
  /** @param {Walked} page @param {Refs} refs @param {Listeners} listeners */
  constructor({ items, owned, panels }, refs, listeners) {
    this.items = items;
    this.panels = panels;
    this.refs = refs;
    this.listeners = listeners;
    this.names = new Names(items, owned);
    this.layout = new Layout(document);
    /** The end of the last item with a press listener, which may handle presses of its descendants. */
    this.delegatedUntil = 0;
  }

  /**
   * Find actions and context among the items from `start` to before `end`, in order.
   * @param {number} start
   * @param {number} end
   * @returns {Found[]}
   */
  find(start, end) {
    /** @type {Found[]} */
    const found = [];
    for (let index = start; index < end; index++) {
      const item = this.items[index];
      if (!item.visible) continue;
      const kind = this.kindOf(item);
      if (!kind) continue;
      const entry = kind === "action" ? this.describe(item) : null;
      if (kind !== "action" || entry) found.push({ item, kind, entry });
    }
    this.noteCovers(found);
    return found;
  }

  /**
   * Note which entries are covered. It comes after all boxes are read, because the first hit test is slow.
   * @param {Found[]} found
   */
  noteCovers(found) {
    for (const { item, entry } of found) {
      const cover = entry?.in_view ? this.layout.coverOf(item.element, entry) : null;
      if (entry && cover) entry.covered_by = this.shortText(cover);
    }
  }

  /**
   * Add the cards of lists without roles: similar siblings that contain actions.
   * @param {Found[]} found
   * @returns {Found[]} `found` and the cards, in order
   */
  withCards(found) {
    /** @type {Map<Item | null, Map<string, Set<Item>>>} */
    const alike = new Map();
    for (const { item, kind } of found) {
      if (kind !== "action") continue;
      let above = item.parent;
      for (let steps = 0; steps < NEAR && above?.role === "generic" && above.name !== "label"; steps++, above = above.parent) {
        const { parent, element } = above;
        const kinds = alike.get(parent) ?? alike.set(parent, new Map()).get(parent);
        const key = `${element.localName} ${element.getAttribute("class")}`;
        const set = kinds?.get(key) ?? kinds?.set(key, new Set()).get(key);
        set?.add(above);
      }
    }
    const known = new Set(found.map(({ item }) => item));
    const cards = [...alike.values()].flatMap((kinds) => [...kinds.values()]).filter((set) => set.size >= REPEATED);
    const more = cards.flatMap((set) => [...set]).filter((item) => !known.has(item));
    if (!more.length) return found;
    const added = more.map((item) => ({ item, kind: /** @type {Kind} */ ("part"), entry: null }));
    return [...found, ...added].sort((one, other) => one.item.index - other.item.index);
  }

  /** @param {Item} item @returns {Kind | null} */
  kindOf(item) {
    const { role, element } = item;
    if (INTERACTIVE.has(role) || this.isActedOn(item)) return "action";
    if (role === "heading") return "heading";
    if (isFrame(element)) return frameDocument(element) ? "landmark" : "action";
    if (LANDMARKS.has(role) && role !== "form") return "landmark";
    return PARTS.has(role) || role === "form" ? "part" : null;
  }

  /** Return whether an item without an interactive role can be pressed or edited. @param {Item} item */
  isActedOn(item) {
    const { element, name } = item;
    if (item.attributed) {
      if (isEditingHost(element)) return true;
      const tab = element.getAttribute("tabindex");
      if (tab !== null && Number(tab) >= 0 && !LANDMARKS.has(item.role)) return true;
      if ((name === "video" || name === "audio") && element.hasAttribute("controls")) return true;
    }
    return this.isClickable(item);
  }

  /** @param {Item} item */
  isClickable(item) {
    if (item.name === "html" || item.name === "body") return false;
    if (this.listeners.hasPressListener(item.element)) {
      this.delegatedUntil = Math.max(this.delegatedUntil, item.end);
      return true;
    }
    return (this.listeners.late || item.index < this.delegatedUntil) && this.looksClickable(item);
  }

  /**
   * Return whether the item has its own pointer cursor: the best evidence if listeners weren't recorded, or an ancestor
   * handles the item's presses.
   * @param {Item} item
   */
  looksClickable(item) {
    if (item.name === "label" || item.style.cursor !== "pointer") return false;
    const { parent } = item;
    return parent === null || (parent.style.cursor !== "pointer" && !INTERACTIVE.has(parent.role));
  }

  /** Create the item's entry, or null if it has no area to act on. @param {Item} item @returns {Entry | null} */
  describe(item) {
    const { element, role } = item;
    const box = this.layout.box(element);
    if (!hasArea(box) && !this.isReached(item)) return null;
    const ref = this.refs.of(element);
    const name = this.names.nameOf(item);
    /** @type {Entry} */
    const entry = { ref, role, name, states: statesOf(item), ...box, in_view: this.layout.isInView(box) };
    this.refs.remember(ref, role, name);
    const description = this.names.descriptionOf(item, name);
    if (description) entry.description = description;
    const value = shownValue(element, isEditingHost(element) ? "textbox" : role);
    if (value !== null && (value || role === "textbox")) entry.value = value;
    const href = /** @type {HTMLAnchorElement} */ (element).href;
    if (role === "link" && typeof href === "string") entry.href = href;
    if (element.localName === "select") entry.options = optionsOf(/** @type {HTMLSelectElement} */ (element));
    if (isFrame(element)) entry.cross_origin = true;
    else if (!INTERACTIVE.has(role) && this.isClickable(item)) {
      entry.clickable = true;
      // Browsers compute no name for it, so describe it by its text.
      const text = name || description ? "" : openingText(item, this.items);
      if (text) entry.description = text;
    }
    return entry;
  }

  /**
   * Return whether an item without area can be pressed: through its label, or through overflowing descendants.
   * @param {Item} item
   */
  isReached({ element, index, end }) {
    if (this.names.labels.get(element)?.some((label) => hasArea(this.layout.box(label)))) return true;
    const last = Math.min(end, index + 1 + MOST_PARTS);
    for (let inner = index + 1; inner < last; inner++) {
      if (hasArea(this.layout.box(this.items[inner].element))) return true;
    }
    return false;
  }

  /** @param {Element} element */
  shortText(element) {
    const attribute = element.getAttribute("id");
    const id = attribute ? `#${attribute}` : "";
    const [first] = element.classList;
    return `[${this.refs.of(element)}] ${element.localName}${id || (first ? `.${first}` : "")}`;
  }
}

/** @param {HTMLSelectElement} select */
function optionsOf(select) {
  return Array.from(select.options, (option) => option.label.trim()).slice(0, MOST_OPTIONS);
}
