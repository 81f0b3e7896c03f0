/**
 * The workbench: the open panels and their positions, saved in this browser. In a narrow window the panels are stacked
 * and the rail switches between them, but a page and its text can share the window; the previous layout is restored when
 * there is room.
 */

import { byId } from "../lib/elements.ts";
import { narrow } from "../lib/narrow.ts";
import { pictureOf } from "../lib/icons.ts";
import { stillWaits } from "../lib/presses.ts";
import { Dock } from "./dock.ts";
import { moveByKeys } from "./keys.ts";
import { type Area, type Guest, type PanelKind, sectionOf } from "./panel_kind.ts";
import { LEAST_DOCUMENT_PX, OF_AGENTS, openInPlace, placeOf } from "./places.ts";
import type { Rect } from "./positions.ts";
import { connectRegions, focusInside, isVisible, whenShown } from "./regions.ts";
import { type EarlierLayout, loadLayout, saveLayout } from "./saved_layout.ts";

/** The section shown while no terminal is open. */
export const TERMINALS = "terminals";
/** The document that is open when no other one is. */
export const START = "start";
/** A lower window has no room for two panels one above the other. */
const TWO_ROWS = 360;
const SAVE_AFTER_MS = 300;
/** The panels that exist at first, in opening order. */
const FIRST = [START, TERMINALS, "python", "problems", "page-console", "files", ...OF_AGENTS];
/** The areas that open and close as a whole. */
const CLOSABLE: Area[] = ["side", "below", "own", "agent"];

export class Workbench {
  #kinds: Map<string, PanelKind>;
  /** the panels' sections by id */
  #sections = new Map<string, HTMLElement>();
  /** The headers that a section shows next to its tab, where there are tabs. */
  #headers = new Map<string, HTMLElement>();
  #guests = new Map<string, Guest>();
  #root = byId("dock", HTMLElement);
  #listeners: (() => void)[] = [];
  #arranged: (() => void)[] = [];
  #saving: ReturnType<typeof setTimeout> | undefined;
  #arranging = false;
  /** In a narrow window, the panel above another one, and that one. */
  #pair: [string, string] | null = null;
  /** Tells if the user has opened the section of no terminals and pressed nothing since. */
  waitsForTerminal = () => false;
  guest: (id: string) => Guest;
  dock: Dock;

  /**
   * @param kinds - of the panels, in the order in which they are listed
   * @param guest - creates a panel that the saved layout has and that isn't registered yet
   */
  constructor(kinds: PanelKind[], guest: (id: string) => Guest) {
    this.#kinds = new Map(kinds.map((kind) => [kind.id, kind]));
    this.guest = guest;
    for (const kind of kinds) this.#addSection(kind);
    this.dock = this.#createDock();
    this.#arrange();
    this.dock.onChange(() => this.#changed());
    this.dock.onShown(() => this.#announce());
    narrow.addEventListener("change", () => this.#arrange());
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

  #createDock() {
    return new Dock(this.#root, {
      element: (id) => this.#elementOf(id),
      title: (id) => this.#kinds.get(id)?.title ?? this.#guestOf(id).title,
      icon: (id) => pictureOf(this.#kinds.get(id)?.icon),
      area: (id) => this.#areaOf(id),
      close: (id) => (this.#sections.has(id) ? this.close(id) : this.#guestOf(id).close()),
      dock: (id) => this.dock.move(id, placeOf(this.dock, id)),
      hide: (id) => this.closeArea(this.dock.areaOf(id)),
      action: (id) => this.#guests.get(id)?.action() ?? null,
      header: (id) => (this.isNarrow ? null : (this.#headers.get(id) ?? null)),
      isOwn: (id) => this.#isOwn(id),
      holding: byId("panels", HTMLElement),
    });
  }

  #areaOf(id: string): Area {
    return this.#kinds.get(id)?.area ?? (this.#isOwn(id) ? "own" : "below");
  }

  /** Every section, whether open or not. */
  get sections(): PanelKind[] {
    return [...this.#kinds.values()];
  }

  get isNarrow() {
    return narrow.matches;
  }

  /** Return whether a section is in front; of the terminals, one of them. */
  shows(id: string): boolean {
    if (id !== TERMINALS) return this.dock.shows(id);
    return this.dock.ids.some((each) => (each === id || !this.#sections.has(each)) && this.dock.shows(each));
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
    this.#add(shown);
    this.dock.show(shown);
    this.#makeRoom(this.dock.areaOf(shown));
    // A terminal of the user's computer gets the focus only by a press on it or its tab, or by F6.
    if (!focus || this.#isOwn(shown)) return;
    const guest = this.#guests.get(shown);
    if (guest) return guest.focus();
    if (shown === TERMINALS) this.waitsForTerminal = stillWaits();
    const section = this.#elementOf(shown);
    whenShown(section, () => focusInside(section));
  }

  /** Bring a panel to the front of its group. An area that the user has closed stays closed. */
  bringUp(id: string) {
    const area = this.dock.areaOf(id);
    if (area === null || this.dock.areas.isOpen(area)) this.dock.show(id);
    else this.dock.raise(id);
  }

  /** Open the area of a section without the focus, unless it is open: something happens there. */
  reveal(id: string) {
    const { area } = this.#kinds.get(id) ?? {};
    if (!this.isNarrow && area && !this.dock.areas.isOpen(area) && !this.dock.isMaximized) this.open(id);
  }

  /** Open a panel at its default place; in a narrow window, in the stack. */
  place(id: string, options: { behind?: boolean; index?: number } = {}) {
    const [first] = this.dock.ids;
    if (!this.isNarrow || first === undefined) return openInPlace(this.dock, id, options);
    this.dock.open(id, { beside: first, side: "within" }, options);
  }

  /** Add a section that isn't open. The agents' sections are tabs of one place. */
  #add(id: string) {
    if (this.dock.has(id)) return;
    if (!OF_AGENTS.includes(id) || this.isNarrow || OF_AGENTS.some((other) => this.dock.has(other)))
      return this.place(id);
    for (const each of OF_AGENTS) openInPlace(this.dock, each, { behind: true });
  }

  /** Close the side bar or the agents' place where both leave no room for documents. */
  #makeRoom(opened: Area | null) {
    const other = opened === "side" ? "agent" : opened === "agent" ? "side" : null;
    const [group] = this.dock.areas.groups("document");
    if (other && group && !this.isNarrow && group.element.clientWidth < LEAST_DOCUMENT_PX)
      this.dock.setOpen(other, false);
  }

  /** Open a section, or close it if it is in front. */
  toggle(id: string) {
    if (!this.shows(id) || this.isNarrow) return this.open(id, { focus: true });
    const front = id === TERMINALS ? (this.#frontGuest() ?? id) : id;
    const area = this.dock.areaOf(front);
    if (area === null || area === "document") this.close(front);
    else this.closeArea(area);
  }

  /** Open the area below and focus it, or close it. */
  toggleBelow() {
    if (!this.isNarrow && this.isBelowOpen) this.closeArea("below");
    else this.open(this.dock.frontOf("below") ?? TERMINALS, { focus: true });
  }

  get isBelowOpen() {
    return this.dock.areas.isOpen("below") || this.dock.areas.isOpen("own");
  }

  /** Close an area. If it had the focus, the document gets it. */
  closeArea(area: Area | null) {
    if (area === null || !CLOSABLE.includes(area)) return;
    const had = this.dock.areas.openingWith(area).some(({ element }) => element.contains(document.activeElement));
    this.dock.setOpen(area, false);
    const document_ = this.dock.frontOf("document");
    if (had && document_ !== undefined) focusInside(this.#elementOf(document_));
  }

  /**
   * Open a section next to another one, unless it is open already. In a narrow window it opens above the other if that
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
    // The start page stands for the last document.
    const isLast = this.dock.areaOf(id) === "document" && this.dock.frontOf("document", id) === undefined;
    if (isLast && id === START) return;
    if (isLast && !this.isNarrow) openInPlace(this.dock, START);
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
    if (rect && !this.isNarrow && !guest.own) return this.dock.open(id, { floating: rect });
    // Next to a hidden group, a new one would be hidden, too.
    if (guest.own && !this.isNarrow) this.dock.setOpen("below", true);
    const wasEmpty = this.dock.isFront(TERMINALS);
    this.place(id, { behind: true, index: this.#indexFor(id) });
    if (wasEmpty && !guest.own) this.dock.raise(id);
  }

  /** Return the position of a new terminal's tab: after the other terminals, and before what else is in their group. */
  #indexFor(id: string): number | undefined {
    if (this.isNarrow || this.#isOwn(id)) return undefined;
    const [group] = this.dock.areas.groups("below");
    const found = group?.panels.findLastIndex((panel) => panel.id === TERMINALS || !this.#sections.has(panel.id));
    return found === undefined ? undefined : found + 1;
  }

  /** Take in a terminal of the user's computer: Python, which drew it until now, doesn't choose its place. */
  own(id: string, guest: Guest) {
    this.admit(id, guest, null);
    if (this.dock.floats(id)) this.dock.move(id, placeOf(this.dock, id));
  }

  #isOwn(id: string) {
    return this.#guests.get(id)?.own ?? false;
  }

  /** Move a terminal of the user's computer out of a group of others, whatever has put them together. */
  #setApart(id: string) {
    if (!this.#isOwn(id) || this.isNarrow || !this.dock.mixes(id)) return;
    this.dock.setOpen("below", true);
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
    saveLayout(undefined);
    this.#arrange();
  }

  #elementOf(id: string) {
    return this.#sections.get(id) ?? this.#guestOf(id).element;
  }

  /** Return the terminal that the user saw last. */
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
    if (this.isNarrow && this.#saving !== undefined) saveLayout(this.dock.save());
    const open = this.dock.ids;
    const active = this.dock.ids.find((id) => id === this.dock.active && this.dock.shows(id)) ?? null;
    document.documentElement.dataset.narrow = String(this.isNarrow);
    if (this.isNarrow) this.#stack(open, active);
    else this.#restore(open);
    for (const listener of this.#arranged) listener();
    this.#arranging = false;
    this.#changed();
  }

  /** Restore the saved layout, or open the default one. */
  #restore(open: string[]) {
    const layout = loadLayout();
    if (layout === null) return this.#openFirst(open);
    if ("shown" in layout) return this.#convert(open, layout);
    try {
      this.dock.restore(layout);
    } catch (error) {
      // It may be damaged; the default layout replaces it.
      console.warn("The saved layout can't be used.", error);
      this.#openFirst(open);
    }
  }

  /**
   * Open the start page. The other areas exist from the start, closed: a new one would take the panels out of the document for
   * a moment, and with that the focus and the scroll positions.
   *
   * @param open - the panels that were open before
   */
  #openFirst(open: string[]) {
    this.dock.clear();
    this.#root.dataset.filling = "";
    for (const id of FIRST) openInPlace(this.dock, id, { behind: true });
    for (const id of open) if (!this.#sections.has(id)) openInPlace(this.dock, id, { index: this.#indexFor(id) });
    for (const area of CLOSABLE) this.dock.setOpen(area, false);
    delete this.#root.dataset.filling;
    this.dock.show(START);
  }

  /** Open the panels of an earlier layout in their new places. */
  #convert(open: string[], earlier: EarlierLayout) {
    this.#openFirst(open);
    const isKnown = (id: string) => this.#sections.has(id);
    for (const id of earlier.open.filter(isKnown)) {
      this.#add(id);
      if (CLOSABLE.includes(this.#areaOf(id))) this.dock.setOpen(this.#areaOf(id), false);
    }
    const hadTerminals = earlier.shown.some((id) => !isKnown(id));
    for (const id of [...earlier.shown.filter(isKnown), ...(hadTerminals ? [TERMINALS] : [])]) this.open(id);
  }

  /** @param active - the panel that was in front */
  #stack(open: string[], active: string | null) {
    this.dock.clear();
    const guests = open.filter((id) => !this.#sections.has(id));
    const ids = [...this.#sections.keys(), ...guests].filter((id) => id !== TERMINALS || guests.length === 0);
    ids.forEach((id, index) =>
      this.dock.open(id, index === 0 ? null : { beside: ids[0], side: "within" }, { behind: true }),
    );
    this.open(active !== null && ids.includes(active) ? active : START);
  }

  #changed() {
    if (this.#arranging) return;
    for (const id of this.#guests.keys()) this.#setApart(id);
    // The last document may have been dragged away.
    if (!this.isNarrow && this.dock.frontOf("document") === undefined) openInPlace(this.dock, START);
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => this.#save(), SAVE_AFTER_MS);
    this.#announce();
  }

  #announce() {
    for (const listener of this.#listeners) listener();
  }

  #save() {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    if (!this.isNarrow) saveLayout(this.dock.save());
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
}
