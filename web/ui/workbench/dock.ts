/**
 * The window manager: panels that float, dock beside each other and stack as tabs. The only module that uses dockview.
 * Lengths are CSS pixels; positions are from the workbench's top left.
 */

import "dockview/dist/styles/dockview.css";
import { createDockview, type DockviewApi, type SerializedDockview } from "dockview";
import type { TemplateResult } from "lit";
import { GroupActions, GroupHeader } from "./group_actions.ts";
import type { Area } from "./panel_kind.ts";
import { PanelTab } from "./panel_tab.ts";
import { removeLevels } from "./roles.ts";
import { onTabPressed } from "./tab_presses.ts";

export type Rect = { x: number; y: number; width: number; height: number };
export type Side = "left" | "right" | "above" | "below" | "within";

/** null: the whole dock */
export type Place = { floating: Rect } | { beside: string; side: Side } | { side: "left" | "right" } | null;

/** of the dock */
interface Contents {
  /** of a panel; stays the same while it is open */
  element: (id: string) => HTMLElement;
  title: (id: string) => string;
  icon: (id: string) => unknown;
  /** where it opens first */
  area: (id: string) => Area;
  /** called when a person closes a panel */
  close: (id: string) => void;
  /** called when a person docks a floating panel */
  dock: (id: string) => void;
  /** an extra button for the group's header */
  action: (id: string) => TemplateResult | null;
  /** the panel's header, if it moves beside the tabs */
  header: (id: string) => HTMLElement | null;
  /** whether a group of these panels is for files and what they lead to */
  isCentral: (ids: string[]) => boolean;
  /** whether it is a terminal of the person's computer */
  isOwn: (id: string) => boolean;
  /** the parent of hidden panels */
  holding: HTMLElement;
  /** creates the view for a dock without panels */
  empty: () => HTMLElement;
}

/** Keeps a panel's header and a few lines visible. */
const LEAST_WIDTH = 200;
const LEAST_HEIGHT = 120;
/** A narrower group has no room for two beside each other. */
const TWO_COLUMNS = 480;
/** Between groups. */
const GAP = 8;

export class Dock {
  #api: DockviewApi;
  /** a panel may have several: dockview creates more for the list of tabs that don't fit */
  #tabs = new Set<PanelTab>();
  /** texts on tabs that replace titles */
  #names = new Map<string, { shown: string; mark: string }>();
  /** scroll positions of hidden panels */
  #scrolled = new WeakMap<HTMLElement, [Element, number][]>();
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
      createWatermarkComponent: () => ({ element: contents.empty(), init() {} }),
      defaultTabComponent: "tab",
      floatingGroupBounds: "boundedWithinViewport",
      // Without a bar above it, a floating panel has exactly the requested size.
      floatingGroupDragHandle: "tabbar",
      // dockview announces panels by the titles that we set.
      announcements: true,
      theme: { name: "gemini", className: "dock", gap: GAP },
    });
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

  /** @returns whether it is in front in its group */
  shows(id: string): boolean {
    return this.#api.getPanel(id)?.api.isVisible ?? false;
  }

  /**
   * Open a panel that isn't open.
   *
   * @param options - behind: the group's front panel stays in front
   */
  open(
    id: string,
    place: Place,
    { behind = false, leastHeight = LEAST_HEIGHT }: { behind?: boolean; leastHeight?: number } = {},
  ) {
    const options = { id, component: "panel", title: this.contents.title(id), inactive: behind && sharesGroup(place) };
    const least = { minimumWidth: LEAST_WIDTH, minimumHeight: leastHeight };
    this.#api.addPanel({ ...options, ...least, ...placed(place) } as any);
  }

  close(id: string) {
    const panel = this.#api.getPanel(id);
    if (panel) this.#api.removePanel(panel);
  }

  /** Bring a panel to the front without moving the focus. */
  show(id: string) {
    const panel = this.#api.getPanel(id);
    if (!panel || (this.active === id && panel.api.isVisible)) return;
    if (this.#api.hasMaximizedGroup() && !panel.api.isMaximized()) this.#api.exitMaximizedGroup();
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
  }

  /**
   * Show a panel beside another one that it shares a group with, so that both are visible: in a new group, or in the
   * next one where there is no room.
   */
  separate(id: string, other: string) {
    const panel = this.#api.getPanel(id);
    const group = this.#api.getPanel(other)?.group;
    if (!panel || !group || panel.group !== group) return;
    if (group.element.clientWidth >= TWO_COLUMNS) panel.api.moveTo({ group, position: "right" });
    else {
      const next = this.#api.adjacentGroupInDirection(group, "right" as any);
      // The columns at the sides have other uses.
      const isBeside = next && this.contents.isCentral(next.panels.map((each) => each.id));
      if (isBeside) panel.api.moveTo({ group: next as any, position: "center" });
    }
  }

  /**
   * Return whether a panel shares its group with one of the other kind: a terminal of the person's computer stands
   * apart.
   */
  mixes(id: string) {
    const { isOwn } = this.contents;
    return this.#api.getPanel(id)?.group.panels.some((other) => isOwn(other.id) !== isOwn(id)) ?? false;
  }

  /**
   * Move a panel by keyboard. A floating one moves by some pixels; a docked one moves beside its neighbour, or to the
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
    const next = this.#api.adjacentGroupInDirection(panel.group, ARROWS[direction] as any);
    if (next) panel.api.moveTo({ group: next as any, position: "center" });
    else panel.api.moveTo({ position: SIDES[direction] });
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
    const group = this.#api.getPanel(id)?.group;
    if (!group) return;
    group.api.setSize(size);
    // dockview takes the group's share of the gaps off the size.
    const now = group.element.getBoundingClientRect();
    const share = (side: "width" | "height") => (size[side] ?? 0) - now[side];
    const [width, height] = [share("width"), share("height")];
    if (width > 0 && width < GAP) group.api.setSize({ width: (size.width ?? 0) + width });
    if (height > 0 && height < GAP) group.api.setSize({ height: (size.height ?? 0) + height });
  }

  /** Return a docked panel's exact size. */
  sizeOf(id: string) {
    const { width = 0, height = 0 } = this.#api.getPanel(id)?.group.element.getBoundingClientRect() ?? {};
    return { width, height };
  }

  toggleMaximised(id: string) {
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

  /** @param listener - called when a person brings a panel to the front */
  onShownByPerson(listener: (id: string) => void) {
    this.#api.onDidActivePanelChange(({ panel, origin }) => panel && origin === "user" && listener(panel.id));
  }

  /** @param listener - called when a person presses a panel's tab */
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

  /** @param listener - called when a panel was maximised or restored */
  onMaximised(listener: () => void) {
    return this.#api.onDidMaximizedGroupChange(listener);
  }

  save(): SerializedDockview {
    const layout = this.#api.toJSON();
    addGaps(layout.grid.root);
    return layout;
  }

  /** Restore a layout from `save`. Throws if it isn't one. */
  restore(layout: SerializedDockview) {
    this.#api.fromJSON(layout, { reuseExistingPanels: true });
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
      onShow: () => {
        for (const [part, top] of this.#scrolled.get(element) ?? []) part.scrollTop = top;
      },
    };
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

const SIDES: Record<Side, "left" | "right" | "top" | "bottom" | "center"> = {
  left: "left",
  right: "right",
  above: "top",
  below: "bottom",
  within: "center",
};
const ARROWS = { left: "left", right: "right", above: "up", below: "down" };
const STEP = 24;

/** Return whether the place is in a group with a front panel. */
function sharesGroup(place: Place) {
  return place !== null && "side" in place && place.side === "within";
}

function placed(place: Place) {
  if (place === null) return {};
  if ("floating" in place) return { floating: place.floating };
  if ("beside" in place) return { position: { referencePanel: place.beside, direction: place.side } };
  return { position: { direction: place.side } };
}

function stepped({ x, y }: Rect, direction: "left" | "right" | "above" | "below") {
  const towards = direction === "left" || direction === "above" ? -STEP : STEP;
  return direction === "left" || direction === "right" ? { x: x + towards } : { y: y + towards };
}

/** Add to the sizes of groups beside each other the share of the gaps that dockview takes off when it restores them. */
function addGaps({ data }: SerializedDockview["grid"]["root"]) {
  if (!Array.isArray(data)) return;
  const shown = data.filter(({ visible }) => visible !== false);
  for (const child of shown) if (child.size !== undefined) child.size += (GAP * (shown.length - 1)) / shown.length;
  data.forEach(addGaps);
}

function scrollsIn(element: HTMLElement): [Element, number][] {
  return [element, ...element.querySelectorAll("*")]
    .filter(({ scrollTop }) => scrollTop > 0)
    .map((part) => [part, part.scrollTop]);
}
