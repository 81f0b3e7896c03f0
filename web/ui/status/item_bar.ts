/**
 * Draws the status items. Those that act, and those where something is missing, are buttons in the line. The rest is behind
 * one button, whose popover explains each.
 */

import { html, nothing, render } from "lit";
import { repeatBy } from "../lib/repeat_by.ts";
import { byId } from "../lib/elements.ts";
import type { StatusItem } from "./items.ts";

export class ItemBar {
  #place = byId("status-items", HTMLElement);
  #explained = byId("status-explained", HTMLElement);
  #button = byId("status-button", HTMLButtonElement);
  #items: StatusItem[] = [];

  constructor() {
    this.#button.addEventListener("click", () => this.#toggle(null));
    this.#explained.addEventListener("toggle", ({ newState }) =>
      this.#button.setAttribute("aria-expanded", String(newState === "open")),
    );
  }

  render(items: StatusItem[]) {
    this.#items = items;
    const inLine = items.filter(({ run, lacking }) => run !== undefined || lacking);
    render(
      html`${repeatBy(
        inLine,
        "id",
        ({
          id,
          label,
          lacking,
          title,
          run,
        }) => html`<li><button type="button" id=${run ? `status-${id}` : `status-line-${id}`}
      class="quiet" data-lacking=${lacking ? "" : nothing} title=${title}
      aria-haspopup=${run ? nothing : "dialog"} @click=${() => (run ? run() : this.#toggle(id))}>${label}</button></li>`,
      )}`,
      this.#place,
    );
    this.#explain();
  }

  /** Show the explanations, with those open that a user looks for; hide them if they are shown. */
  #toggle(id: string | null) {
    // Pressing outside a popover closes it, so a press on its button only closes.
    if (this.#explained.matches(":popover-open")) return this.#explained.hidePopover();
    for (const { id: each, lacking } of this.#items) {
      const details = document.getElementById(`status-${each}`)?.parentElement;
      if (details instanceof HTMLDetailsElement) details.open = each === id || (id === null && lacking === true);
    }
    this.#explained.showPopover({ source: this.#button });
    this.#explained.focus();
  }

  #explain() {
    const close = () => this.#explained.hidePopover();
    const explained = this.#items.filter(({ run }) => run === undefined);
    render(
      html`<h2 id="status-explained-title">Status</h2>
      ${repeatBy(explained, "id", (item) => this.#item(item))}
      <div class="answers"><button type="button" @click=${close}>Close</button></div>`,
      this.#explained,
    );
  }

  #item({ id, label, title, text, lacking, action }: StatusItem) {
    const act = () => {
      this.#explained.hidePopover();
      action?.run();
    };
    return html`<details data-lacking=${lacking ? "" : nothing}>
      <summary id="status-${id}">${label}</summary>
      <h3>${title}</h3>
      ${text.map((each) => html`<p>${each}</p>`)}
      ${action ? html`<button type="button" @click=${act}>${action.label}</button>` : nothing}
    </details>`;
  }
}
