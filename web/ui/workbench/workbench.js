/**
 * The workbench: which panels are open and where, kept in this browser. Where the window is narrow they are stacked
 * and a bar switches between them; the layout of before comes back with the room for it.
 */

import { html, render } from "lit";
import { byId } from "../elements.js";
import { loadSaved, save } from "../saved.js";
import { Dock } from "./dock.js";
import { moveByKeys } from "./keys.js";
import { FIRST, openInPlace, placeOf } from "./places.js";
import { connectRegions, focusInside, isVisible } from "./regions.js";

/**
 * @import { Rect } from "./dock.js"
 *
 * @typedef {object} Guest a panel that isn't a section of index.html, as a terminal is
 * @property {HTMLElement} element
 * @property {string} title
 * @property {() => void} close asks for its end
 * @property {() => import("lit").TemplateResult | null} action
 */

const LAYOUT = "layout";
/** The section that stands where no terminal is open. */
export const TERMINALS = "terminals";
const NARROW = "(max-width: 699px)";
const KEEP_AFTER_MS = 300;

export class Workbench {
  /** @type {Map<string, HTMLElement>} the sections of index.html by id */
  #sections = new Map();
  /** @type {Map<string, Guest>} */
  #guests = new Map();
  #root = byId("dock", HTMLElement);
  #switch = byId("panel-switch", HTMLElement);
  #narrow = matchMedia(NARROW);
  /** @type {(() => void)[]} */
  #listeners = [];
  /** @type {(() => void)[]} */
  #arranged = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #keeping;
  #arranging = false;

  /** @param {(id: string) => Guest} guest a panel that the kept layout has and nobody has brought yet */
  constructor(guest) {
    this.guest = guest;
    for (const section of document.querySelectorAll("#panels > section")) {
      if (section instanceof HTMLElement) this.#sections.set(section.id, section);
    }
    this.dock = new Dock(this.#root, {
      element: (id) => this.#elementOf(id),
      title: (id) => this.#sections.get(id)?.dataset.title ?? this.#guestOf(id).title,
      close: (id) => (this.#sections.has(id) ? this.close(id) : this.#guestOf(id).close()),
      dock: (id) => this.dock.move(id, placeOf(this.dock, id)),
      action: (id) => this.#guests.get(id)?.action() ?? null,
      holding: byId("panels", HTMLElement),
      empty: () => this.#emptyNote(),
    });
    this.#arrange();
    this.dock.onChange(() => this.#changed());
    this.dock.onShown(() => this.#drawSwitch());
    this.#narrow.addEventListener("change", () => this.#arrange());
    moveByKeys(this.#root, this.dock);
    addEventListener("pagehide", () => this.#keeping !== undefined && this.#keep());
    connectRegions(() => this.#parts(), (part) => this.#showPart(part));
  }

  /** Every section, whether open or not. @returns {{id: string, title: string, open: boolean}[]} */
  get sections() {
    return [...this.#sections].map(([id, { dataset }]) => ({ id, title: dataset.title ?? id, open: this.dock.has(id) }));
  }

  get isNarrow() {
    return this.#narrow.matches;
  }

  /** @param {() => void} listener called after panels came, went, moved or changed their size */
  onChange(listener) {
    this.#listeners.push(listener);
  }

  /**
   * Opens a section, or brings it to the front.
   *
   * @param {string} id
   * @param {{focus?: boolean}} [options] focus: the keyboard goes there
   */
  open(id, { focus = false } = {}) {
    const shown = id === TERMINALS ? (this.#frontGuest() ?? id) : id;
    if (!this.dock.has(shown)) openInPlace(this.dock, shown);
    this.dock.show(shown);
    if (focus) focusInside(this.#elementOf(shown));
  }

  /** @param {string} id */
  close(id) {
    this.dock.close(id);
  }

  /** @param {() => void} listener called after all panels were put in their places, by a layout that may not know of all */
  onArranged(listener) {
    this.#arranged.push(listener);
  }

  /** @param {string} id @param {Guest} guest @param {Rect | null} rect where it floats; null docks it */
  admit(id, guest, rect) {
    this.#guests.set(id, guest);
    if (this.dock.has(id)) return;
    if (rect && !this.isNarrow) this.dock.open(id, { floating: rect });
    else openInPlace(this.dock, id, { behind: true });
  }

  /** @param {string} id */
  dismiss(id) {
    this.dock.close(id);
    this.#guests.delete(id);
  }

  /** Puts every panel where it was at first. */
  reset() {
    save(LAYOUT, undefined);
    this.#arrange();
  }

  /** @param {string} id */
  #elementOf(id) {
    return this.#sections.get(id) ?? this.#guestOf(id).element;
  }

  /** The terminal that a person saw last. */
  #frontGuest() {
    const guests = this.dock.ids.filter((id) => !this.#sections.has(id));
    return guests.find((id) => this.#guests.get(id)?.element.hasAttribute("data-front")) ?? guests.at(-1);
  }

  /** @param {string} id */
  #guestOf(id) {
    const known = this.#guests.get(id) ?? this.guest(id);
    this.#guests.set(id, known);
    return known;
  }

  #arrange() {
    this.#arranging = true;
    const open = this.dock.ids;
    document.documentElement.dataset.narrow = String(this.isNarrow);
    if (this.isNarrow) this.#stack(open);
    else if (!this.#restore()) this.#openFirst(open);
    for (const listener of this.#arranged) listener();
    this.#arranging = false;
    this.#changed();
  }

  /** @returns {boolean} whether there was a layout to restore */
  #restore() {
    const layout = loadSaved(LAYOUT, null);
    if (layout === null) return false;
    try {
      this.dock.restore(layout);
    } catch (error) {
      // Of another version perhaps: the layout of the beginning is better than none.
      console.warn("The kept layout can't be used.", error);
      this.dock.clear();
      return false;
    }
    return true;
  }

  /** @param {string[]} open what was open before */
  #openFirst(open) {
    this.dock.clear();
    for (const id of FIRST) if (this.#sections.has(id)) openInPlace(this.dock, id, { behind: id === "tools" || id === "settings" });
    for (const id of open) if (!this.#sections.has(id)) openInPlace(this.dock, id);
  }

  /** @param {string[]} open */
  #stack(open) {
    this.dock.clear();
    const guests = open.filter((id) => !this.#sections.has(id));
    const ids = [...this.#sections.keys(), ...guests].filter((id) => id !== TERMINALS || guests.length === 0);
    ids.forEach((id, index) => this.dock.open(id, index === 0 ? null : { beside: /** @type {string} */ (ids[0]), side: "within" }, { behind: true }));
    this.open(TERMINALS);
  }

  #changed() {
    if (this.#arranging) return;
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => this.#keep(), KEEP_AFTER_MS);
    this.#drawSwitch();
    for (const listener of this.#listeners) listener();
  }

  #keep() {
    clearTimeout(this.#keeping);
    this.#keeping = undefined;
    if (!this.isNarrow) save(LAYOUT, this.dock.save());
  }

  /** The parts of the page that F6 reaches: from left to right, then down; what floats comes last. */
  #parts() {
    const found = [...document.querySelectorAll("[data-region], #dock .panel")].filter(isVisible);
    const parts = found.filter((part) => part instanceof HTMLElement);
    return this.isNarrow ? [...parts.filter((part) => part.dataset.region), ...this.#sections.values()] : parts;
  }

  /** @param {HTMLElement} part */
  #showPart(part) {
    if (this.isNarrow && this.#sections.has(part.id)) this.open(part.id);
    else if (part.dataset.terminal) this.dock.show(part.dataset.terminal);
  }

  #emptyNote() {
    const note = document.createElement("div");
    note.className = "empty";
    render(html`<p>No panel is open.</p>
      <button type="button" @click=${() => this.reset()}>Open the usual ones</button>`, note);
    return note;
  }

  #drawSwitch() {
    const front = this.dock.active;
    const active = front !== null && this.#sections.has(front) ? front : TERMINALS;
    render(html`${this.sections.map(({ id, title }) => html`<button type="button" value=${id}
      aria-current=${id === active ? "true" : "false"} @click=${() => this.open(id)}>${title}</button>`)}`, this.#switch);
  }
}
