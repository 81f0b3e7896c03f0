/** The buttons at the right of a group's tabs: what its panel offers, floating or docking it, and making it large. */

import { html, nothing, render } from "lit";
import { icon } from "./icons.js";
import { asGroup } from "./roles.js";

/**
 * @import { DockviewGroupPanel } from "dockview"
 * @import { Dock } from "./dock.js"
 */

export class GroupActions {
  /** @type {{dispose(): void}[]} */
  #following = [];

  /** @param {DockviewGroupPanel} group @param {Dock} dock */
  constructor(group, dock) {
    this.group = group;
    this.dock = dock;
    this.element = document.createElement("div");
    this.element.className = "group-actions";
  }

  init() {
    asGroup(this.group.element);
    const draw = () => this.#draw();
    const { api } = this.group;
    this.#following = [
      api.onDidActivePanelChange(draw),
      api.onDidLocationChange(draw),
      // dockview tells it of the whole dock only.
      this.dock.onMaximised(draw),
    ];
    draw();
  }

  dispose() {
    for (const follower of this.#following) follower.dispose();
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

/** @param {string} title @param {string} label @param {string} picture @param {() => void} act */
function button(title, label, picture, act) {
  return html`<button type="button" class="quiet icon" title=${title} aria-label=${label} @click=${act}>${icon(picture)}</button>`;
}
