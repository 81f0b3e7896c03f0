/** The buttons at the right of a group's tabs: the panel's own, floating or docking, and maximising. */

import { html, nothing, render } from "lit";
import { icon } from "./icons.js";
import { setGroupRole } from "./roles.js";

/**
 * @import { DockviewGroupPanel } from "dockview"
 * @import { Dock } from "./dock.js"
 */

export class GroupActions {
  /** @type {{dispose(): void}[]} */
  #subscriptions = [];

  /** @param {DockviewGroupPanel} group @param {Dock} dock */
  constructor(group, dock) {
    this.group = group;
    this.dock = dock;
    this.element = document.createElement("div");
    this.element.className = "group-actions";
  }

  init() {
    setGroupRole(this.group.element);
    const draw = () => this.#draw();
    const { api } = this.group;
    this.#subscriptions = [
      api.onDidActivePanelChange(draw),
      api.onDidLocationChange(draw),
      // dockview reports it only for the whole dock.
      this.dock.onMaximised(draw),
    ];
    draw();
  }

  dispose() {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #draw() {
    const id = this.group.activePanel?.id;
    if (id === undefined) {
      render(nothing, this.element);
      return;
    }
    const floating = this.group.api.location.type === "floating";
    const large = this.group.api.isMaximized();
    const { dock } = this;
    const title = dock.contents.title(id);
    render(html`${dock.contents.action(id)}
      ${floating
        ? button("Dock", `Dock ${title}`, "dock", () => dock.contents.dock(id))
        : button("Float", `Float ${title}`, "float", () => dock.float(id))}
      ${floating ? nothing : button(large ? "Restore" : "Maximise", `${large ? "Restore" : "Maximise"} ${title}`,
        large ? "restore" : "maximise", () => dock.toggleMaximised(id))}`, this.element);
  }
}

/** @param {string} title @param {string} label @param {string} iconName @param {() => void} act */
function button(title, label, iconName, act) {
  return html`<button type="button" class="quiet icon" title=${title} aria-label=${label} @click=${act}>${icon(iconName)}</button>`;
}
