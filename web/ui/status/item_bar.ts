/** Draws the status items as buttons that open their explanations, or act. */

import { html, nothing, render } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { byId } from "../lib/elements.ts";
import type { StatusItem } from "./items.ts";

export class ItemBar {
  #place = byId("status-items", HTMLElement);
  #explained = byId("status-explained", HTMLElement);
  #items: StatusItem[] = [];
  /** the item whose explanation is open */
  #open: string | null = null;

  constructor() {
    this.#explained.addEventListener("toggle", (event) => {
      if (event.newState === "closed") this.#open = null;
      this.#draw();
    });
  }

  render(items: StatusItem[]) {
    this.#items = items;
    this.#draw();
    if (this.#open !== null) this.#explain();
  }

  #draw() {
    render(
      html`${repeat(
        this.#items,
        ({ id }) => id,
        ({ id, label, lacking, title, run }) => html`<li><button type="button" id="status-${id}"
      class="quiet" data-lacking=${lacking ? "" : nothing} title=${run ? title : nothing}
      aria-haspopup=${run ? nothing : "dialog"} aria-expanded=${run ? nothing : this.#open === id}
      @click=${(event: Event & { currentTarget: HTMLElement }) => this.#toggle(id, event.currentTarget)}>${label}</button></li>`,
      )}`,
      this.#place,
    );
  }

  #toggle(id: string, button: HTMLElement) {
    const run = this.#items.find((item) => item.id === id)?.run;
    if (run) {
      run();
      return;
    }
    // Pressing outside a popover closes it, so a press on the open item's button only closes.
    const again = this.#open === id;
    this.#explained.hidePopover();
    if (again) return;
    this.#open = id;
    this.#explain();
    this.#explained.showPopover({ source: button });
    const { left, top } = button.getBoundingClientRect();
    this.#explained.style.left = `${Math.max(8, Math.min(left, innerWidth - this.#explained.offsetWidth - 8))}px`;
    this.#explained.style.bottom = `${innerHeight - top + 6}px`;
    this.#explained.focus();
  }

  #explain() {
    const item = this.#items.find(({ id }) => id === this.#open);
    if (!item) return;
    const { title, text, action } = item;
    const act = () => {
      this.#explained.hidePopover();
      action?.run();
    };
    render(
      html`<h2 id="status-explained-title">${title}</h2>
      ${text.map((each) => html`<p>${each}</p>`)}
      <div class="answers">${action ? html`<button type="button" class="primary" @click=${act}>${action.label}</button>` : nothing}
        <button type="button" @click=${() => this.#explained.hidePopover()}>Close</button></div>`,
      this.#explained,
    );
  }
}
