/**
 * The ends of a group's row of tabs: a header that the panel in front shows there, the panel's own button, and floating,
 * docking, maximizing and closing, which are in a menu where there is no room for all names.
 */

import type { DockviewGroupPanel } from "dockview";
import { html, nothing, render } from "lit";
import { Menu } from "../lib/menu.ts";
import type { Dock } from "./dock.ts";
import { icon } from "../lib/icons.ts";
import type { Area } from "./panel_kind.ts";
import { setGroupRole } from "./roles.ts";
import { fitNames } from "./tab_names.ts";

type Act = { id: string; label: string; run: () => void };

/** A narrower group has no room for a panel's header next to the tabs. */
const STRIP_WIDTH = 420;

/** An end of the row, which dockview makes and drops with the group. */
abstract class GroupEnd {
  subscriptions: { dispose(): void }[] = [];
  element = document.createElement("div");
  group: DockviewGroupPanel;
  dock: Dock;

  constructor(group: DockviewGroupPanel, dock: Dock) {
    this.group = group;
    this.dock = dock;
  }

  dispose() {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

/** Next to the tabs: the header of the panel in front, if it moves there. */
export class GroupHeader extends GroupEnd {
  /** The panel whose header is here. */
  #id = "";

  init() {
    this.element.className = "group-header";
    const sizes = new ResizeObserver(() => this.#draw());
    sizes.observe(this.group.element);
    this.subscriptions = [
      this.group.api.onDidActivePanelChange(() => this.#draw()),
      { dispose: () => sizes.disconnect() },
    ];
    this.#draw();
  }

  dispose() {
    super.dispose();
    this.#giveBack();
  }

  #draw() {
    const id = this.group.activePanel?.id ?? "";
    // In a narrow group it has a separate row, in the panel.
    const hasRoom = this.group.element.clientWidth >= STRIP_WIDTH;
    const header = id === "" || !hasRoom ? null : this.dock.contents.header(id);
    if (header?.parentElement === this.element) return;
    this.#giveBack();
    this.#id = id;
    if (header) this.element.append(header);
  }

  #giveBack() {
    const header = this.element.firstElementChild;
    if (header) this.dock.contents.element(this.#id).prepend(header);
  }
}

/** At the right end. */
export class GroupActions extends GroupEnd {
  #menu: Menu | null = null;

  init() {
    this.element.className = "group-actions";
    setGroupRole(this.group.element);
    this.#menu = new Menu(this.group.element);
    const draw = () => this.#draw();
    const { api } = this.group;
    const header = this.group.element.querySelector(".dv-tabs-and-actions-container");
    this.subscriptions = [
      api.onDidActivePanelChange(draw),
      api.onDidLocationChange(draw),
      // dockview reports it only for the dock as a whole.
      this.dock.onMaximized(draw),
    ];
    draw();
    if (header instanceof HTMLElement) this.subscriptions.push(fitNames(header));
  }

  #draw() {
    const id = this.group.activePanel?.id;
    if (id === undefined) {
      render(nothing, this.element);
      return;
    }
    const title = this.dock.contents.title(id);
    const acts = this.#acts(id);
    const open = ({ currentTarget }: Event & { currentTarget: HTMLElement }) =>
      this.#menu?.open(
        title,
        [...acts, { id: "close", label: "Close", keys: "Del", run: () => this.dock.contents.close(id) }],
        currentTarget,
      );
    render(
      html`${this.dock.contents.action(id)}
      ${acts.map(
        ({ id: name, label, run }) => html`<button type="button" class="quiet icon group-act" title=${label}
        aria-label="${label} ${title}" @click=${run}>${icon(name)}</button>`,
      )}
      <button type="button" class="quiet icon group-menu" title="More" aria-label="More for ${title}" aria-haspopup="menu"
        aria-expanded="false" @click=${open}>${icon("more")}</button>`,
      this.element,
    );
  }

  #acts(id: string): Act[] {
    const { dock } = this;
    if (dock.floats(id)) return [{ id: "dock", label: "Dock", run: () => dock.contents.dock(id) }];
    const large = this.group.api.isMaximized();
    const area = dock.areaOf(id);
    const hide = area === null || area === "document" ? [] : [hiding(area, () => dock.contents.hide(id))];
    return [
      { id: "float", label: "Float", run: () => dock.float(id) },
      {
        id: large ? "restore" : "maximize",
        label: large ? "Restore" : "Maximize",
        run: () => dock.toggleMaximized(id),
      },
      ...hide,
    ];
  }
}

/** Return the act that closes an entire area. */
function hiding(area: Area, run: () => void): Act {
  return { id: "close", label: { side: "Hide side bar", agent: "Hide agents" }[area as string] ?? "Hide panel", run };
}
