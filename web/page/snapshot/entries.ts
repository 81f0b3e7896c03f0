// Finds the elements that an agent can act on, and their context.

import { composedParent, frameDocument, isFrame } from "../composed.ts";
import * as dom from "../dom.ts";
import type { Listeners } from "../listeners.ts";
import { labelFor, selectBehind, selectedLabels, widgetOf, widgetOfFiles } from "../native_controls.ts";
import type { Refs } from "../refs.ts";
import { hasArea, Layout, type Box } from "./layout.ts";
import { Names } from "./names.ts";
import { openingText } from "./parts.ts";
import { CELLS, INTERACTIVE, isEditingHost, LANDMARKS } from "./roles.ts";
import { statesOf, type States } from "./states.ts";
import type { Item, Walked } from "./tree.ts";
import { shownValue } from "./values.ts";

/** an element that can be acted on; `clickable` ones have a listener but no interactive role */
export interface Entry extends Box {
  ref: string;
  role: string;
  name: string;
  states: States;
  value?: string;
  href?: string;
  description?: string;
  options?: string[];
  clickable?: boolean;
  cross_origin?: boolean;
  drawn?: boolean;
  covered_by?: string;
  in_view: boolean;
}

type Kind = "action" | "heading" | "landmark" | "part";
export type Found = { item: Item; kind: Kind; entry: Entry | null };

const PARTS = new Set(
  "row listitem article radiogroup tabpanel group toolbar menu listbox tree grid treegrid tablist".split(" "),
);
const MOST_OPTIONS = 50;
// The limit of descendants that are checked for an element without area.
const MOST_PARTS = 20;
// The area of a canvas that is listed, in pixels.
const LEAST_CANVAS = 2_500;
// At least this many similar siblings form a list of cards.
const REPEATED = 3;
const NEAR = 6;

/** The entries of a page. */
export class Entries {
  items: Item[];
  panels: Element[];
  unrendered: Set<Element>;
  refs: Refs;
  listeners: Listeners;
  names: Names;
  layout: Layout;
  /** The end of the last item with a press listener, which may handle presses of its descendants. */
  delegatedUntil = 0;
  /** Controls behind labels or widgets, whose boxes they are listed with. */
  tied = new Set<Item>();

  constructor({ items, owned, roots, panels, unrendered }: Walked, refs: Refs, listeners: Listeners) {
    this.items = items;
    this.panels = panels;
    this.unrendered = unrendered;
    this.refs = refs;
    this.listeners = listeners;
    this.names = new Names(items, roots, owned, (element) => listeners.isExposed(element));
    this.layout = new Layout(document);
  }

  /** Find actions and context among the items from `start` to before `end`, in order. */
  find(start: number, end: number): Found[] {
    const found: Found[] = [];
    for (let index = start; index < end; index++) {
      const item = this.items[index];
      if (!item.visible) continue;
      const kind = this.kindOf(item);
      if (!kind) continue;
      const entry = kind === "action" ? this.describe(item) : null;
      if (kind !== "action" || entry) found.push({ item, kind, entry });
    }
    return this.noteCovers(found);
  }

  /**
   * Note which entries are covered, and leave out cells below copies of themselves, as in grids with fixed headers. It
   * comes after all boxes are read, because the first hit test is slow.
   */
  noteCovers(found: Found[]): Found[] {
    const cells = new Map<Element, Entry>();
    for (const { item, entry } of found) if (entry && item.grid && CELLS.has(item.role)) cells.set(item.element, entry);
    return found.filter(({ item, entry }) => {
      const cover = entry?.in_view && !this.tied.has(item) ? this.layout.coverOf(item.element, entry) : null;
      if (!entry || !cover) return true;
      entry.covered_by = this.shortText(cover);
      if (!cells.has(item.element)) return true;
      let above: Element | null = cover;
      while (above && !cells.has(above)) above = composedParent(above);
      const copy = above && cells.get(above);
      return copy?.role !== entry.role || copy.name !== entry.name;
    });
  }

  /**
   * Add the cards of lists without roles: similar siblings that contain actions.
   * @returns `found` and the cards, in order
   */
  withCards(found: Found[]): Found[] {
    const alike = new Map<string, Item[]>();
    const seen = new Set<Item>();
    for (const { item, kind } of found) {
      if (kind !== "action") continue;
      let above = item.parent;
      for (
        let steps = 0;
        steps < NEAR && above?.role === "generic" && above.name !== "label";
        steps++, above = above.parent
      ) {
        if (seen.has(above)) continue;
        seen.add(above);
        const { parent, element } = above;
        const key = `${parent?.index} ${dom.localName(element)} ${dom.getAttribute(element, "class")}`;
        const same = alike.get(key) ?? [];
        same.push(above);
        alike.set(key, same);
      }
    }
    const known = new Set(found.map(({ item }) => item));
    const cards = [...alike.values()].filter((same) => same.length >= REPEATED).flat();
    const more = cards.filter((item) => !known.has(item));
    if (!more.length) return found;
    const added = more.map((item): (typeof found)[number] => ({ item, kind: "part", entry: null }));
    return [...found, ...added].sort((one, other) => one.item.index - other.item.index);
  }

  kindOf(item: Item): Kind | null {
    const { role, element } = item;
    // Its listener may handle presses of rows that aren't options.
    if (role === "listbox") this.isClickable(item);
    if (INTERACTIVE.has(role) || this.isActedOn(item)) return "action";
    if (role === "heading") return "heading";
    if (isFrame(element)) return frameDocument(element) ? "landmark" : "action";
    if (LANDMARKS.has(role) && role !== "form") return "landmark";
    return PARTS.has(role) || role === "form" ? "part" : null;
  }

  /** Return whether an item without an interactive role can be pressed or edited. */
  isActedOn(item: Item) {
    const { element, name } = item;
    if (item.attributed) {
      if (isEditingHost(element)) return true;
      const tab = dom.getAttribute(element, "tabindex");
      if (tab !== null && !LANDMARKS.has(item.role) && (Number(tab) >= 0 || isGridPart(item))) return true;
      if (item.grid && CELLS.has(item.role) && isReachedInGrid(item)) return true;
      if ((name === "video" || name === "audio") && dom.hasAttribute(element, "controls")) return true;
    }
    if (name === "canvas" && isLarge(element)) return true;
    return this.isClickable(item);
  }

  isClickable(item: Item) {
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
   */
  looksClickable(item: Item) {
    if (item.name === "label" || item.style.cursor !== "pointer") return false;
    const { parent } = item;
    return (
      parent === null ||
      (parent.style.cursor !== "pointer" && (!INTERACTIVE.has(parent.role) || parent.role === "listbox"))
    );
  }

  /** Create the item's entry, or null if it has no area to act on. */
  describe(item: Item): Entry | null {
    const { element, role } = item;
    if (item.name === "select" && widgetOf(element)) return null;
    const widget = widgetOfFiles(element) ?? labelFor(element);
    const box = this.layout.box(widget ?? element);
    if (!hasArea(box) && !this.isReached(item)) return null;
    if (widget) this.tied.add(item);
    const ref = this.refs.of(element);
    const name = this.names.nameOf(item);
    const entry: Entry = { ref, role, name, states: statesOf(item), ...box, in_view: this.layout.isInView(box) };
    this.refs.remember(ref, role, name);
    const description = this.names.descriptionOf(item, name);
    if (description) entry.description = description;
    const value = shownValue(element, isEditingHost(element) ? "textbox" : role);
    if (value !== null && (value || role === "textbox")) entry.value = value;
    const href = role === "link" ? dom.propertiesOf(element).href : null;
    if (typeof href === "string") entry.href = href;
    this.noteOptions(item, entry);
    if (item.name === "canvas") entry.drawn = true;
    if (isFrame(element)) entry.cross_origin = true;
    else if (!INTERACTIVE.has(role) && (this.isClickable(item) || isSortable(item))) {
      entry.clickable = true;
      // Browsers compute no name for it, so describe it by its text.
      const text = name || description ? "" : openingText(item, this.items);
      if (text) entry.description = text;
    }
    return entry;
  }

  /** Add the options of a drop-down, also of a hidden one behind a widget. */
  noteOptions({ element, name }: Item, entry: Entry) {
    const behind = entry.role === "combobox" && name !== "select" ? selectBehind(element) : null;
    if (behind) entry.value = selectedLabels(behind);
    const list = behind ?? (dom.isNamed(element, "select") ? element : dom.propertiesOf(element).list);
    if (list) entry.options = optionsOf(list);
  }

  /** Return whether an item without area can be pressed: through its label, or through overflowing descendants. */
  isReached({ element, index, end }: Item) {
    if (this.names.labels.get(element)?.some((label) => hasArea(this.layout.box(label)))) return true;
    const last = Math.min(end, index + 1 + MOST_PARTS);
    for (let inner = index + 1; inner < last; inner++) {
      if (hasArea(this.layout.box(this.items[inner].element))) return true;
    }
    return false;
  }

  shortText(element: Element) {
    const attribute = dom.getAttribute(element, "id");
    const id = attribute ? `#${attribute}` : "";
    const [first] = dom.classList(element);
    return `[${this.refs.of(element)}] ${dom.localName(element)}${id || (first ? `.${first}` : "")}`;
  }
}

/** Return whether a canvas is large enough to show things to act on. */
function isLarge(canvas: Element) {
  const { width, height } = dom.getBoundingClientRect(canvas);
  return width * height >= LEAST_CANVAS;
}

/** Return whether the item is a row or cell of a grid. */
function isGridPart({ grid, role }: Item) {
  return grid !== null && (role === "row" || CELLS.has(role));
}

/** Return whether a cell without `tabindex` can be acted on. */
function isReachedInGrid(cell: Item) {
  if (isSortable(cell)) return true;
  return (
    cell.grid !== null && dom.id(cell.element) !== "" && dom.hasAttribute(cell.grid.element, "aria-activedescendant")
  );
}

function isSortable({ grid, role, element }: Item) {
  return grid !== null && role === "columnheader" && dom.hasAttribute(element, "aria-sort");
}

/** @param list - a drop-down or a `datalist` */
function optionsOf({ options }: { options: HTMLCollectionOf<HTMLOptionElement> }) {
  return Array.from(options, (option) => option.label.trim() || option.value).slice(0, MOST_OPTIONS);
}
