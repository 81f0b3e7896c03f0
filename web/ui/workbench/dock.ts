/**
 * The window manager: panels that float, dock beside each other and stack as tabs. The only module that uses dockview.
 * Lengths are CSS pixels; positions are from the workbench's top left.
 */

import "dockview/dist/styles/dockview.css";
import { createDockview } from "dockview";
import { GroupActions, GroupHeader } from "./group_actions.js";
import { PanelTab } from "./panel_tab.js";
import { removeLevels } from "./roles.js";

/**
 * @import { DockviewApi, SerializedDockview } from "dockview"
 * @typedef {{x: number, y: number, width: number, height: number}} Rect
 * @typedef {"left" | "right" | "above" | "below" | "within"} Side
 * @typedef {{floating: Rect} | {beside: string, side: Side} | {side: "left" | "right"} | null} Place
 *   null: the whole dock
 *
 * @typedef {object} Contents of the dock
 * @property {(id: string) => HTMLElement} element of a panel; stays the same while it is open
 * @property {(id: string) => string} title
 * @property {(id: string) => void} close called when a person closes a panel
 * @property {(id: string) => void} dock called when a person docks a floating panel
 * @property {(id: string) => import("lit").TemplateResult | null} action an extra button for the group's header
 * @property {(id: string) => HTMLElement | null} header the panel's header, if it moves beside the tabs
 * @property {(ids: string[]) => boolean} isCentral whether a group of these panels is for files and what they lead to
 * @property {(id: string) => boolean} isOwn whether it is a terminal of the person's computer
 * @property {HTMLElement} holding the parent of hidden panels
 * @property {() => HTMLElement} empty creates the view for a dock without panels
 */

/** Keeps a panel's header and a few lines visible. */
const LEAST_WIDTH = 200;
const LEAST_HEIGHT = 120;
/** A narrower group has no room for two beside each other. */
const TWO_COLUMNS = 480;
/** Between groups. */
const GAP = 8;

export class Dock {
  /** @type {DockviewApi} */
  #api;
  /** @type {Set<PanelTab>} a panel may have several: dockview creates more for the list of tabs that don't fit */
  #tabs = new Set();
  /** @type {Map<string, {shown: string, mark: string}>} texts on tabs that replace titles */
  #names = new Map();
  /** @type {WeakMap<HTMLElement, [Element, number][]>} scroll positions of hidden panels */
  #scrolled = new WeakMap();

  /** @param {HTMLElement} root @param {Contents} contents */
  constructor(root, contents) {
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

  /** @param {string} id */
  has(id) {
    return this.#api.getPanel(id) !== undefined;
  }

  /** @param {string} id @returns {boolean} whether it is in front in its group */
  shows(id) {
    return this.#api.getPanel(id)?.api.isVisible ?? false;
  }

  /**
   * Open a panel that isn't open.
   *
   * @param {string} id
   * @param {Place} place
   * @param {{behind?: boolean, leastHeight?: number}} [options] behind: the group's front panel stays in front
   */
  open(id, place, { behind = false, leastHeight = LEAST_HEIGHT } = {}) {
    const options = { id, component: "panel", title: this.contents.title(id), inactive: behind && sharesGroup(place) };
    const least = { minimumWidth: LEAST_WIDTH, minimumHeight: leastHeight };
    this.#api.addPanel(/** @type {any} */ ({ ...options, ...least, ...placed(place) }));
  }

  /** @param {string} id */
  close(id) {
    const panel = this.#api.getPanel(id);
    if (panel) this.#api.removePanel(panel);
  }

  /** Bring a panel to the front without moving the focus. @param {string} id */
  show(id) {
    const panel = this.#api.getPanel(id);
    if (!panel || (this.active === id && panel.api.isVisible)) return;
    if (this.#api.hasMaximizedGroup() && !panel.api.isMaximized()) this.#api.exitMaximizedGroup();
    panel.api.setActive();
  }

  /**
   * Return a panel's position and size, including its tab.
   *
   * @param {string} id
   * @returns {Rect & {floating: boolean} | null} null if it isn't open or has no size
   */
  place(id) {
    const panel = this.#api.getPanel(id);
    if (!panel) return null;
    const { element } = panel.group;
    const box = (element.closest(".dv-resize-container") ?? element).getBoundingClientRect();
    if (box.width === 0 || box.height === 0) return null;
    const { left, top } = this.root.getBoundingClientRect();
    return {
      x: Math.round(box.left - left), y: Math.round(box.top - top),
      width: Math.round(box.width), height: Math.round(box.height), floating: this.floats(id),
    };
  }

  /** Return the z-index that is above a floating panel and below those over it. @param {string} id */
  levelOf(id) {
    const box = this.#api.getPanel(id)?.group.element.closest(".dv-resize-container");
    return box ? getComputedStyle(box).zIndex : "auto";
  }

  /** @param {string} id */
  floats(id) {
    return this.#api.getPanel(id)?.api.location.type === "floating";
  }

  /** @param {string} id @param {Rect} [rect] defaults to the current position */
  float(id, rect) {
    const panel = this.#api.getPanel(id);
    const { x = 100, y = 100, width = 480, height = 320 } = rect ?? this.place(id) ?? {};
    // Without a requested position, an offset shows that the panel floats.
    const off = rect ? 0 : 24;
    if (panel) this.#api.addFloatingGroup(panel, { x: x + off, y: y + off, width, height });
  }

  /** @param {string} id @param {Place} place */
  move(id, place) {
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
   *
   * @param {string} id
   * @param {string} other
   */
  separate(id, other) {
    const panel = this.#api.getPanel(id);
    const group = this.#api.getPanel(other)?.group;
    if (!panel || !group || panel.group !== group) return;
    if (group.element.clientWidth >= TWO_COLUMNS) panel.api.moveTo({ group, position: "right" });
    else {
      const next = this.#api.adjacentGroupInDirection(group, /** @type {any} */ ("right"));
      // The columns at the sides have other uses.
      const isBeside = next && this.contents.isCentral(next.panels.map((each) => each.id));
      if (isBeside) panel.api.moveTo({ group: /** @type {any} */ (next), position: "center" });
    }
  }

  /** Return whether a panel shares its group with one of the other kind: a terminal of the person's computer stands apart. @param {string} id */
  mixes(id) {
    const { isOwn } = this.contents;
    return this.#api.getPanel(id)?.group.panels.some((other) => isOwn(other.id) !== isOwn(id)) ?? false;
  }

  /**
   * Move a panel by keyboard. A floating one moves by some pixels; a docked one moves beside its neighbour, or to the
   * edge.
   *
   * @param {string} id @param {"left" | "right" | "above" | "below"} direction
   */
  step(id, direction) {
    const panel = this.#api.getPanel(id);
    const now = this.place(id);
    if (!panel || !now) return;
    if (now.floating) {
      this.float(id, { ...now, ...stepped(now, direction) });
      return;
    }
    const next = this.#api.adjacentGroupInDirection(panel.group, /** @type {any} */ (ARROWS[direction]));
    if (next) panel.api.moveTo({ group: /** @type {any} */ (next), position: "center" });
    else panel.api.moveTo({ position: SIDES[direction] });
  }

  /** @param {string} id @param {number} wider @param {number} higher */
  resize(id, wider, higher) {
    const now = this.place(id);
    const size = now && { width: Math.max(LEAST_WIDTH, now.width + wider), height: Math.max(LEAST_HEIGHT, now.height + higher) };
    if (now && size && now.floating) this.float(id, { ...now, ...size });
    else if (size) this.size(id, size);
  }

  /** @param {string} id of a docked panel @param {{width?: number, height?: number}} size */
  size(id, size) {
    const group = this.#api.getPanel(id)?.group;
    if (!group) return;
    group.api.setSize(size);
    // dockview takes the group's share of the gaps off the size.
    const now = group.element.getBoundingClientRect();
    const share = (/** @type {"width" | "height"} */ side) => (size[side] ?? 0) - now[side];
    const [width, height] = [share("width"), share("height")];
    if (width > 0 && width < GAP) group.api.setSize({ width: (size.width ?? 0) + width });
    if (height > 0 && height < GAP) group.api.setSize({ height: (size.height ?? 0) + height });
  }

  /** Return a docked panel's exact size. @param {string} id */
  sizeOf(id) {
    const { width = 0, height = 0 } = this.#api.getPanel(id)?.group.element.getBoundingClientRect() ?? {};
    return { width, height };
  }

  /** @param {string} id */
  toggleMaximised(id) {
    const panel = this.#api.getPanel(id);
    if (!panel) return;
    if (panel.api.isMaximized()) this.#api.exitMaximizedGroup();
    else panel.api.maximize();
  }

  /** @param {string} id @param {string} shown on its tab @param {string} spoken by screen readers @param {string} mark a class */
  name(id, shown, spoken, mark) {
    const panel = this.#api.getPanel(id);
    if (!panel) return;
    if (panel.title !== spoken) panel.api.setTitle(spoken);
    this.#names.set(id, { shown, mark });
    for (const tab of this.#tabs) if (tab.id === id) tab.draw(shown, mark);
  }

  /** @param {(id: string) => void} listener called when a person brings a panel to the front */
  onShownByPerson(listener) {
    this.#api.onDidActivePanelChange(({ panel, origin }) => panel && origin === "user" && listener(panel.id));
  }

  /** @param {(id: string) => void} listener called when a person presses a panel's tab */
  onPressed(listener) {
    this.root.addEventListener("click", ({ target }) => {
      const tab = target instanceof Element ? target.closest("[data-tab-panel-id]") : null;
      if (tab instanceof HTMLElement && tab.dataset.tabPanelId) listener(tab.dataset.tabPanelId);
    });
  }

  /** @param {() => void} listener called when the front panel changes */
  onShown(listener) {
    this.#api.onDidActivePanelChange(listener);
  }

  /** @param {() => void} listener called after panels opened, closed, moved or changed size */
  onChange(listener) {
    this.#api.onDidLayoutChange(listener);
  }

  /** @param {() => void} listener called when a panel was maximised or restored */
  onMaximised(listener) {
    return this.#api.onDidMaximizedGroupChange(listener);
  }

  /** @returns {SerializedDockview} */
  save() {
    const layout = this.#api.toJSON();
    addGaps(layout.grid.root);
    return layout;
  }

  /**
   * Restore a layout from `save`. Throws if it isn't one.
   *
   * @param {SerializedDockview} layout
   */
  restore(layout) {
    this.#api.fromJSON(layout, { reuseExistingPanels: true });
  }

  clear() {
    this.#api.clear();
  }

  /** @param {string} id */
  #renderer(id) {
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

  /** Keep a hidden panel in the document, because panels look up their elements there. @param {HTMLElement} element */
  #hold(element) {
    this.contents.holding.append(element);
  }

  /** @param {string} id */
  #tab(id) {
    const { shown, mark } = this.#names.get(id) ?? { shown: this.contents.title(id), mark: "" };
    /** @type {PanelTab} */
    const tab = new PanelTab(id, { close: () => this.contents.close(id), dispose: () => this.#tabs.delete(tab) });
    tab.draw(shown, mark);
    this.#tabs.add(tab);
    return tab;
  }
}

/** @type {Record<Side, "left" | "right" | "top" | "bottom" | "center">} */
const SIDES = { left: "left", right: "right", above: "top", below: "bottom", within: "center" };
const ARROWS = { left: "left", right: "right", above: "up", below: "down" };
const STEP = 24;

/** Return whether the place is in a group with a front panel. @param {Place} place */
function sharesGroup(place) {
  return place !== null && "side" in place && place.side === "within";
}

/** @param {Place} place */
function placed(place) {
  if (place === null) return {};
  if ("floating" in place) return { floating: place.floating };
  if ("beside" in place) return { position: { referencePanel: place.beside, direction: place.side } };
  return { position: { direction: place.side } };
}

/** @param {Rect} rect @param {"left" | "right" | "above" | "below"} direction */
function stepped({ x, y }, direction) {
  const towards = direction === "left" || direction === "above" ? -STEP : STEP;
  return direction === "left" || direction === "right" ? { x: x + towards } : { y: y + towards };
}

/**
 * Add to the sizes of groups beside each other the share of the gaps that dockview takes off when it restores them.
 *
 * @param {SerializedDockview["grid"]["root"]} node
 */
function addGaps({ data }) {
  if (!Array.isArray(data)) return;
  const shown = data.filter(({ visible }) => visible !== false);
  for (const child of shown) if (child.size !== undefined) child.size += (GAP * (shown.length - 1)) / shown.length;
  data.forEach(addGaps);
}

/** @param {HTMLElement} element @returns {[Element, number][]} */
function scrollsIn(element) {
  return [element, ...element.querySelectorAll("*")].filter(({ scrollTop }) => scrollTop > 0)
    .map((part) => [part, part.scrollTop]);
}

