/**
 * The workbench: the open panels and their positions, saved in this browser. In a narrow window the panels are stacked
 * and a bar switches between them, but a page and its text can share the window; the previous layout is restored when
 * there is room.
 */

import { html, render, type TemplateResult } from "lit";
import { byId } from "../lib/elements.ts";
import { loadSaved, save } from "../../shared/local_state.ts";
import { Dock, type Rect } from "./dock.ts";
import { moveByKeys } from "./keys.ts";
import { pictureOf } from "../lib/icons.ts";
import { type Area, type PanelKind, sectionOf } from "./panel_kind.ts";
import { FIRST, isCentral, openInPlace, placeOf } from "./places.ts";
import { connectRegions, focusInside, isVisible } from "./regions.ts";

/** a panel that isn't a section of the page, such as a terminal */
export interface Guest {
  element: HTMLElement;
  title: string;
  /** whether it is a terminal of the person's computer, which shares a group with no other panel */
  own: boolean;
  /** requests closing */
  close: () => void;
  action: () => TemplateResult | null;
}

const LAYOUT = "layout";
/** The section shown while no terminal is open. */
export const TERMINALS = "terminals";
const NARROW = "(max-width: 699px)";
/** A lower window has no room for two panels one above the other. */
const TWO_ROWS = 360;
const SAVE_AFTER_MS = 300;

export class Workbench {
  #kinds: Map<string, PanelKind>;
  /** the panels' sections by id */
  #sections = new Map<string, HTMLElement>();
  /** The headers that a section shows beside its tab, where there are tabs. */
  #headers = new Map<string, HTMLElement>();
  #guests = new Map<string, Guest>();
  #root = byId("dock", HTMLElement);
  #switch = byId("panel-switch", HTMLElement);
  #narrow = matchMedia(NARROW);
  #listeners: (() => void)[] = [];
  #arranged: (() => void)[] = [];
  #saving: ReturnType<typeof setTimeout> | undefined;
  #arranging = false;
  /** In a narrow window, the panel above another one, and that one. */
  #pair: [string, string] | null = null;
  guest: (id: string) => Guest;
  dock: Dock;

  /**
   * @param kinds - of the panels, in the order in which they are listed
   * @param guest - creates a panel that the saved layout has and that isn't registered yet
   * @param empty - creates the view of a workbench without panels
   */
  constructor(kinds: PanelKind[], guest: (id: string) => Guest, empty: () => HTMLElement) {
    this.#kinds = new Map(kinds.map((kind) => [kind.id, kind]));
    this.guest = guest;
    for (const kind of kinds) this.#addSection(kind);
    this.dock = this.#createDock(empty);
    this.#arrange();
    this.dock.onChange(() => this.#changed());
    this.dock.onShown(() => this.#drawSwitch());
    this.#narrow.addEventListener("change", () => this.#arrange());
    moveByKeys(this.#root, this.dock);
    addEventListener("pagehide", () => this.#saving !== undefined && this.#save());
    connectRegions(
      () => this.#parts(),
      (part) => this.#showPart(part),
    );
  }

  #addSection(kind: PanelKind) {
    const section = document.getElementById(kind.id) ?? sectionOf(kind);
    // In the order in which narrow windows list them.
    byId("panels", HTMLElement).append(section);
    this.#sections.set(kind.id, section);
    const header = section.querySelector("header[data-strip]");
    if (header instanceof HTMLElement) this.#headers.set(kind.id, header);
  }

  #createDock(empty: () => HTMLElement) {
    return new Dock(this.#root, {
      element: (id) => this.#elementOf(id),
      title: (id) => this.#kinds.get(id)?.title ?? this.#guestOf(id).title,
      icon: (id) => pictureOf(this.#kinds.get(id)?.icon),
      area: (id) => this.#areaOf(id),
      close: (id) => (this.#sections.has(id) ? this.close(id) : this.#guestOf(id).close()),
      dock: (id) => this.dock.move(id, placeOf(this.dock, id)),
      action: (id) => this.#guests.get(id)?.action() ?? null,
      header: (id) => (this.isNarrow ? null : (this.#headers.get(id) ?? null)),
      isCentral: (ids) => isCentral(ids.map((id) => this.#areaOf(id))) && !ids.some((id) => this.#isOwn(id)),
      isOwn: (id) => this.#isOwn(id),
      holding: byId("panels", HTMLElement),
      empty,
    });
  }

  #areaOf(id: string): Area {
    return this.#kinds.get(id)?.area ?? (this.#isOwn(id) ? "own" : "centre");
  }

  /** Every section, whether open or not. */
  get sections(): { id: string; title: string; open: boolean }[] {
    return [...this.#kinds.values()].map(({ id, title }) => ({ id, title, open: this.dock.has(id) }));
  }

  get isNarrow() {
    return this.#narrow.matches;
  }

  /** @param listener - called after panels opened, closed, moved or changed size */
  onChange(listener: () => void) {
    this.#listeners.push(listener);
  }

  /**
   * Open a section, or bring it to the front.
   *
   * @param options - focus: also focus it
   */
  open(id: string, { focus = false }: { focus?: boolean } = {}) {
    this.#join();
    const shown = id === TERMINALS ? (this.#frontGuest() ?? id) : id;
    if (!this.dock.has(shown)) openInPlace(this.dock, shown);
    this.dock.show(shown);
    // A terminal of the person's computer gets the focus only by a press on it or its tab, or by F6.
    if (focus && !this.#isOwn(shown)) focusInside(this.#elementOf(shown));
  }

  /**
   * Open a section beside another one, unless it is open already. In a narrow window it opens above the other if that
   * is visible. Where there is no room, it shares the other's place.
   */
  openBeside(id: string, other: string) {
    if (this.isNarrow && this.dock.shows(other) && this.#root.clientHeight >= TWO_ROWS) {
      if (this.#pair?.[0] === id) return;
      this.#join();
      this.#pair = [id, other];
      this.dock.move(id, { beside: other, side: "above" });
      return;
    }
    if (!this.isNarrow && !this.dock.has(id) && this.dock.has(other))
      this.dock.open(id, { beside: other, side: "within" });
    this.open(id);
    this.dock.separate(id, other);
  }

  /** Stack the panel that is above another one in a narrow window. */
  #join() {
    if (this.#pair === null) return;
    const [id, other] = this.#pair;
    this.#pair = null;
    this.dock.move(id, { beside: other, side: "within" });
  }

  close(id: string) {
    this.dock.close(id);
  }

  /** @param listener - called after a layout was applied, which may lack some panels */
  onArranged(listener: () => void) {
    this.#arranged.push(listener);
  }

  /** @param rect - where it floats; null: docked */
  admit(id: string, guest: Guest, rect: Rect | null) {
    this.#guests.set(id, guest);
    if (this.dock.has(id)) return this.#setApart(id);
    // It stays where `own` has put it, also in another layout.
    if (rect && !this.isNarrow && !guest.own) this.dock.open(id, { floating: rect });
    else openInPlace(this.dock, id, { behind: true });
  }

  /** Take in a terminal of the person's computer: Python, which drew it until now, doesn't choose its place. */
  own(id: string, guest: Guest) {
    this.admit(id, guest, null);
    if (this.dock.floats(id)) this.dock.move(id, placeOf(this.dock, id));
  }

  #isOwn(id: string) {
    return this.#guests.get(id)?.own ?? false;
  }

  /** Move a terminal of the person's computer out of a group of others, whatever has put them together. */
  #setApart(id: string) {
    if (!this.#isOwn(id) || this.isNarrow || !this.dock.mixes(id)) return;
    const place = placeOf(this.dock, id);
    const isMixed = place !== null && "beside" in place && place.side === "within" && this.dock.mixes(place.beside);
    this.dock.move(id, isMixed ? { ...place, side: "right" } : place);
  }

  dismiss(id: string) {
    this.dock.close(id);
    this.#guests.delete(id);
  }

  /** Restore the default layout. */
  reset() {
    save(LAYOUT, undefined);
    this.#arrange();
  }

  #elementOf(id: string) {
    return this.#sections.get(id) ?? this.#guestOf(id).element;
  }

  /** Return the terminal that the person saw last. */
  #frontGuest() {
    const open = this.dock.ids.filter((id) => !this.#sections.has(id));
    const others = open.filter((id) => !this.#isOwn(id));
    const guests = others.length > 0 ? others : open;
    return guests.find((id) => this.#guests.get(id)?.element.hasAttribute("data-front")) ?? guests.at(-1);
  }

  #guestOf(id: string) {
    const known = this.#guests.get(id) ?? this.guest(id);
    this.#guests.set(id, known);
    return known;
  }

  #arrange() {
    this.#arranging = true;
    this.#pair = null;
    // A change of the last moments, which a narrow window would drop.
    if (this.isNarrow && this.#saving !== undefined) save(LAYOUT, this.dock.save());
    const open = this.dock.ids;
    document.documentElement.dataset.narrow = String(this.isNarrow);
    if (this.isNarrow) this.#stack(open);
    else if (!this.#restore()) this.#openFirst(open);
    for (const listener of this.#arranged) listener();
    this.#arranging = false;
    this.#changed();
  }

  /** @returns whether a saved layout was restored */
  #restore(): boolean {
    const layout = loadSaved(LAYOUT, null);
    if (layout === null) return false;
    try {
      this.dock.restore(layout);
    } catch (error) {
      // It may be from another version; the default layout replaces it.
      console.warn("The saved layout can't be used.", error);
      this.dock.clear();
      return false;
    }
    return true;
  }

  /** @param open - the panels that were open before */
  #openFirst(open: string[]) {
    this.dock.clear();
    for (const id of FIRST)
      if (this.#sections.has(id)) openInPlace(this.dock, id, { behind: id === "tools" || id === "settings" });
    for (const id of open) if (!this.#sections.has(id)) openInPlace(this.dock, id);
  }

  #stack(open: string[]) {
    this.dock.clear();
    const guests = open.filter((id) => !this.#sections.has(id));
    const ids = [...this.#sections.keys(), ...guests].filter((id) => id !== TERMINALS || guests.length === 0);
    ids.forEach((id, index) =>
      this.dock.open(id, index === 0 ? null : { beside: ids[0], side: "within" }, { behind: true }),
    );
    this.open(TERMINALS);
  }

  #changed() {
    if (this.#arranging) return;
    for (const id of this.#guests.keys()) this.#setApart(id);
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => this.#save(), SAVE_AFTER_MS);
    this.#drawSwitch();
    for (const listener of this.#listeners) listener();
  }

  #save() {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    if (!this.isNarrow) save(LAYOUT, this.dock.save());
  }

  /** Return the regions that F6 reaches: left to right, then down; floating panels last. */
  #parts() {
    const found = [...document.querySelectorAll("[data-region], #dock .panel")].filter(isVisible);
    const parts = found.filter((part) => part instanceof HTMLElement);
    return this.isNarrow ? [...parts.filter((part) => part.dataset.region), ...this.#sections.values()] : parts;
  }

  #showPart(part: HTMLElement) {
    if (this.isNarrow && this.#sections.has(part.id)) this.open(part.id);
    else if (part.dataset.terminal) this.dock.show(part.dataset.terminal);
  }

  #drawSwitch() {
    const front = this.dock.active;
    const active = front !== null && this.#sections.has(front) ? front : TERMINALS;
    render(
      html`${this.sections.map(
        ({ id, title }) => html`<button type="button" value=${id}
      aria-current=${id === active ? "true" : "false"} @click=${() => this.open(id)}>${title}</button>`,
      )}`,
      this.#switch,
    );
  }
}
