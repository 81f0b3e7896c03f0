/**
 * The window manager: panels that float, dock side by side and stack as tabs. The only module that uses dockview.
 * Lengths are CSS pixels; positions are from the workbench's top left.
 */

import "dockview/dist/styles/dockview.css";
import {
  createDockview,
  type DockviewApi,
  type DockviewGroupPanel,
  type IDockviewGroupPanel,
  type SerializedDockview,
} from "dockview";
import type { TemplateResult } from "lit";
import { Areas } from "./areas.ts";
import { GroupActions, GroupHeader } from "./group_actions.ts";
import type { Area } from "./panel_kind.ts";
import { PanelTab } from "./panel_tab.ts";
import { ARROWS, placed, type Place, type Rect, scrollsIn, sharesGroup, SIDES, stepped } from "./positions.ts";
import { removeLevels } from "./roles.ts";
import { onTabPressed } from "./tab_presses.ts";

/** of the dock */
interface Contents {
  /** of a panel; stays the same while it is open */
  element: (id: string) => HTMLElement;
  title: (id: string) => string;
  icon: (id: string) => unknown;
  /** where it opens first */
  area: (id: string) => Area;
  /** called when a user closes a panel */
  close: (id: string) => void;
  /** called when a user docks a floating panel */
  dock: (id: string) => void;
  /** an extra button for the group's header */
  action: (id: string) => TemplateResult | null;
  /** the panel's header, if it moves next to the tabs */
  header: (id: string) => HTMLElement | null;
  /** hides the area that a panel is in */
  hide: (id: string) => void;
  /** whether it is a terminal of the user's computer */
  isOwn: (id: string) => boolean;
  /** the parent of hidden panels */
  holding: HTMLElement;
}

/** Earlier layouts had columns instead of areas. */
export const LAYOUT_VERSION = 2;

export type SavedLayout = SerializedDockview & { version: number; areas: Record<string, Area> };

/** Keeps a panel's header and a few lines visible. */
const LEAST_WIDTH = 200;
const LEAST_HEIGHT = 120;
/** A narrower group has no room for two documents side by side. */
const TWO_COLUMNS = 720;

export class Dock {
  #api: DockviewApi;
  /** a panel may have several: dockview creates more for the list of tabs that don't fit */
  #tabs = new Set<PanelTab>();
  /** labels on tabs that replace titles */
  #names = new Map<string, { shown: string; mark: string }>();
  /** scroll positions of hidden panels */
  #scrolled = new WeakMap<HTMLElement, [Element, number][]>();
  areas: Areas;
  root: HTMLElement;
  contents: Contents;

  constructor(root: HTMLElement, contents: Contents) {
    this.root = root;
    this.contents = contents;
    this.#api = createDockview(root, {
      createComponent: ({ id }) => this.#renderer(id),
      createTabComponent: ({ id }) => this.#tab(id),
      createLeftHeaderActionComponent: (group) => new GroupHeader(group, this),
      createRightHeaderActionComponent: (group) => new GroupActions(group, this),
      defaultTabComponent: "tab",
      floatingGroupBounds: "boundedWithinViewport",
      // Without a bar above it, a floating panel has exactly the requested size.
      floatingGroupDragHandle: "tabbar",
      // dockview announces panels by the titles that we set.
      announcements: true,
      theme: { name: "gemini", className: "dock", gap: 0 },
    });
    this.areas = new Areas(this.#api, (id) => this.contents.area(id));
    removeLevels(root);
    // Panels that open before dockview measures itself would get shares of zero.
    this.#api.layout(root.clientWidth, root.clientHeight);
  }

  /** The ids of the open panels. */
  get ids() {
    return this.#api.panels.map(({ id }) => id);
  }

  /** The panel in front of the group used last. */
  get active() {
    return this.#api.activePanel?.id ?? null;
  }

  has(id: string) {
    return this.#api.getPanel(id) !== undefined;
  }

  /** @returns whether it is in front in its group, and its area is open */
  shows(id: string): boolean {
    return this.isFront(id) && this.#api.getPanel(id)?.group.api.isVisible === true;
  }

  /** @returns whether it is in front in its group, which may be hidden */
  isFront(id: string): boolean {
    const panel = this.#api.getPanel(id);
    return panel !== undefined && panel.group.activePanel === panel;
  }

  /** Return the area that a docked panel is in; null if it floats or isn't open. */
  areaOf(id: string): Area | null {
    const group = this.#api.getPanel(id)?.group;
    return group ? this.areas.of(group) : null;
  }

  /** Return a panel of the group that was used last in an area: the one in front, but not `except`. */
  frontOf(area: Area, except?: string): string | undefined {
    for (const { activePanel, panels } of this.areas.groups(area)) {
      const others = panels.filter(({ id }) => id !== except);
      const front = others.find((panel) => panel === activePanel) ?? others.at(-1);
      if (front) return front.id;
    }
    return undefined;
  }

  /** Open or close an area: show or hide its groups. Other areas keep their lengths. */
  setOpen(area: Area, open: boolean) {
    const groups = this.areas.openingWith(area).filter(({ api }) => api.isVisible !== open);
    if (groups.length === 0) return;
    const elements = groups.flatMap(({ activePanel }) => (activePanel ? [this.contents.element(activePanel.id)] : []));
    // What isn't drawn forgets its scroll positions.
    if (!open) for (const element of elements) this.#scrolled.set(element, scrollsIn(element));
    this.areas.setVisible(groups, open);
    if (open) elements.forEach((element) => this.#scroll(element));
  }

  /** Bring a panel to the front of its group, which stays hidden if it is. */
  raise(id: string) {
    const panel = this.#api.getPanel(id);
    if (panel && !this.isFront(id)) panel.group.model.openPanel(panel, { skipSetGroupActive: true });
  }

  /**
   * Open a panel that isn't open.
   *
   * @param options - behind: the group's front panel stays in front
   */
  open(
    id: string,
    place: Place,
    {
      behind = false,
      leastHeight = LEAST_HEIGHT,
      index,
    }: { behind?: boolean; leastHeight?: number; index?: number } = {},
  ) {
    const options = { id, component: "panel", title: this.contents.title(id), inactive: behind && sharesGroup(place) };
    const least = { minimumWidth: LEAST_WIDTH, minimumHeight: leastHeight };
    this.#api.addPanel({ ...options, ...least, ...placed(place, index) });
    this.areas.hideAgain();
  }

  close(id: string) {
    const panel = this.#api.getPanel(id);
    if (panel) this.#api.removePanel(panel);
  }

  /** Bring a panel to the front, and open its area, without moving the focus. */
  show(id: string) {
    const panel = this.#api.getPanel(id);
    if (!panel || (this.active === id && this.shows(id))) return;
    if (this.#api.hasMaximizedGroup() && !panel.api.isMaximized()) this.#api.exitMaximizedGroup();
    const area = this.areas.of(panel.group);
    if (area !== null && !panel.group.api.isVisible) this.setOpen(area, true);
    panel.api.setActive();
  }

  /**
   * Return a panel's position and size, including its tab.
   *
   * @returns null if it isn't open or has no size
   */
  place(id: string): (Rect & { floating: boolean }) | null {
    const panel = this.#api.getPanel(id);
    if (!panel) return null;
    const { element } = panel.group;
    const box = (element.closest(".dv-resize-container") ?? element).getBoundingClientRect();
    if (box.width === 0 || box.height === 0) return null;
    const { left, top } = this.root.getBoundingClientRect();
    return {
      x: Math.round(box.left - left),
      y: Math.round(box.top - top),
      width: Math.round(box.width),
      height: Math.round(box.height),
      floating: this.floats(id),
    };
  }

  /** Return the z-index that is above a floating panel and below those over it. */
  levelOf(id: string) {
    const box = this.#api.getPanel(id)?.group.element.closest(".dv-resize-container");
    return box ? getComputedStyle(box).zIndex : "auto";
  }

  /** Return whether the focus is in a panel's group. */
  hasFocus(id: string) {
    return this.#api.getPanel(id)?.group.element.contains(document.activeElement) ?? false;
  }

  floats(id: string) {
    return this.#api.getPanel(id)?.api.location.type === "floating";
  }

  /** @param rect - defaults to the current position */
  float(id: string, rect?: Rect) {
    const panel = this.#api.getPanel(id);
    const { x = 100, y = 100, width = 480, height = 320 } = rect ?? this.place(id) ?? {};
    // Without a requested position, an offset shows that the panel floats.
    const off = rect ? 0 : 24;
    if (panel) this.#api.addFloatingGroup(panel, { x: x + off, y: y + off, width, height });
  }

  move(id: string, place: Place) {
    const panel = this.#api.getPanel(id);
    if (!panel || place === null || "floating" in place) return;
    const beside = "beside" in place ? this.#api.getPanel(place.beside) : undefined;
    const side = SIDES[place.side];
    if (beside) panel.api.moveTo({ group: beside.group, position: side });
    else panel.api.moveTo({ position: side });
    this.areas.hideAgain();
  }

  /**
   * Show a panel next to another one that it shares a group with, so that both are visible: in a new group, or in the
   * next one where there is no room.
   */
  separate(id: string, other: string) {
    const panel = this.#api.getPanel(id);
    const group = this.#api.getPanel(other)?.group;
    if (!panel || !group || panel.group !== group) return;
    if (group.element.clientWidth >= TWO_COLUMNS) {
      panel.api.moveTo({ group, position: "right" });
      this.areas.hideAgain();
    } else {
      const next = this.#api.adjacentGroupInDirection(group, "right");
      if (next && this.areas.of(toMoveTo(next)) === "document")
        panel.api.moveTo({ group: toMoveTo(next), position: "center" });
    }
  }

  /**
   * Return whether a panel shares its group with one of the other kind: a terminal of the user's computer stands
   * apart.
   */
  mixes(id: string) {
    const { isOwn } = this.contents;
    return this.#api.getPanel(id)?.group.panels.some((other) => isOwn(other.id) !== isOwn(id)) ?? false;
  }

  /**
   * Move a panel by keyboard. A floating one moves by some pixels; a docked one moves next to its neighbor, or to the
   * edge.
   */
  step(id: string, direction: "left" | "right" | "above" | "below") {
    const panel = this.#api.getPanel(id);
    const now = this.place(id);
    if (!panel || !now) return;
    if (now.floating) {
      this.float(id, { ...now, ...stepped(now, direction) });
      return;
    }
    const next = this.#api.adjacentGroupInDirection(panel.group, ARROWS[direction]);
    if (next) panel.api.moveTo({ group: toMoveTo(next), position: "center" });
    else panel.api.moveTo({ position: SIDES[direction] });
    // The next group may be hidden.
    this.show(id);
  }

  resize(id: string, wider: number, higher: number) {
    const now = this.place(id);
    const size = now && {
      width: Math.max(LEAST_WIDTH, now.width + wider),
      height: Math.max(LEAST_HEIGHT, now.height + higher),
    };
    if (now && size && now.floating) this.float(id, { ...now, ...size });
    else if (size) this.size(id, size);
  }

  /** @param id - of a docked panel */
  size(id: string, size: { width?: number; height?: number }) {
    this.#api.getPanel(id)?.group.api.setSize(size);
  }

  get isMaximized() {
    return this.#api.hasMaximizedGroup();
  }

  toggleMaximized(id: string) {
    const panel = this.#api.getPanel(id);
    if (!panel) return;
    if (panel.api.isMaximized()) this.#api.exitMaximizedGroup();
    else panel.api.maximize();
  }

  /**
   * @param shown - on its tab
   * @param spoken - by screen readers
   * @param mark - a class
   */
  name(id: string, shown: string, spoken: string, mark: string) {
    const panel = this.#api.getPanel(id);
    if (!panel) return;
    if (panel.title !== spoken) panel.api.setTitle(spoken);
    this.#names.set(id, { shown, mark });
    for (const tab of this.#tabs) if (tab.id === id) tab.draw(shown, mark);
  }

  /** @param listener - called when a user brings a panel to the front */
  onShownByPerson(listener: (id: string) => void) {
    this.#api.onDidActivePanelChange(({ panel, origin }) => panel && origin === "user" && listener(panel.id));
  }

  /** @param listener - called when a user presses a panel's tab */
  onPressed(listener: (id: string) => void) {
    onTabPressed(this.root, listener);
  }

  /** @param listener - called when the front panel changes */
  onShown(listener: () => void) {
    this.#api.onDidActivePanelChange(listener);
  }

  /** @param listener - called after panels opened, closed, moved or changed size */
  onChange(listener: () => void) {
    this.#api.onDidLayoutChange(listener);
  }

  /** @param listener - called when a panel was maximized or restored */
  onMaximized(listener: () => void) {
    return this.#api.onDidMaximizedGroupChange(listener);
  }

  save(): SavedLayout {
    return { ...this.#api.toJSON(), version: LAYOUT_VERSION, areas: this.areas.save() };
  }

  /** Restore a layout from `save`. Throws if it isn't one. */
  restore(layout: SavedLayout) {
    this.#api.fromJSON(layout, { reuseExistingPanels: true });
    this.areas.restore(layout.areas);
  }

  clear() {
    this.#api.clear();
  }

  #renderer(id: string) {
    const element = this.contents.element(id);
    return {
      element,
      init: () => {},
      onHide: () => {
        this.#scrolled.set(element, scrollsIn(element));
        this.#hold(element);
      },
      dispose: () => {
        this.#hold(element);
        this.#names.delete(id);
      },
      onShow: () => this.#scroll(element),
    };
  }

  /** Scroll a panel to where it was before it was hidden. */
  #scroll(element: HTMLElement) {
    for (const [part, top] of this.#scrolled.get(element) ?? []) part.scrollTop = top;
  }

  /** Keep a hidden panel in the document, because panels look up their elements there. */
  #hold(element: HTMLElement) {
    this.contents.holding.append(element);
  }

  #tab(id: string) {
    const { shown, mark } = this.#names.get(id) ?? { shown: this.contents.title(id), mark: "" };
    const tab: PanelTab = new PanelTab(id, this.contents.icon(id), {
      close: () => this.contents.close(id),
      dispose: () => this.#tabs.delete(tab),
    });
    tab.draw(shown, mark);
    this.#tabs.add(tab);
    return tab;
  }
}

/** dockview returns groups by their interface, but takes only its class. */
const toMoveTo = (group: IDockviewGroupPanel) => group as DockviewGroupPanel;
