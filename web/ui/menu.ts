/** A menu below a button or at the pointer (https://www.w3.org/WAI/ARIA/apg/patterns/menubar/). */

import { html, nothing, render } from "lit";

/**
 * @typedef {object} Item
 * @property {string} id
 * @property {string} label
 * @property {string} [keys] the shortcut
 * @property {string} [action] the action of Python that it takes
 * @property {boolean} [disabled]
 * @property {boolean} [apart] whether a line is above it
 * @property {() => void} run
 */

const MARGIN = 4;

export class Menu {
  #element = document.createElement("div");
  /** @type {HTMLElement | null} */
  #opener = null;

  /** @param {HTMLElement} panel the parent of the menu */
  constructor(panel) {
    this.#element.className = "menu";
    this.#element.popover = "auto";
    this.#element.setAttribute("role", "menu");
    this.#element.addEventListener("keydown", (event) => this.#onKey(event));
    this.#element.addEventListener("contextmenu", (event) => event.preventDefault());
    this.#element.addEventListener("toggle", (event) => {
      this.#opener?.setAttribute("aria-expanded", String(event.newState === "open"));
    });
    panel.append(this.#element);
  }

  /**
   * @param {string} label
   * @param {Item[]} items
   * @param {HTMLElement | {x: number, y: number}} at the button that opens it, or a point in the viewport
   */
  open(label, items, at) {
    this.#element.hidePopover();
    this.#opener = at instanceof HTMLElement ? at : null;
    this.#element.setAttribute("aria-label", label);
    render(items.map((item) => this.#item(item)), this.#element);
    this.#element.showPopover();
    this.#place(at instanceof HTMLElement ? below(at) : at);
    this.#buttons()[0]?.focus();
  }

  /** @param {Item} item */
  #item({ id, label, keys, disabled, apart, action, run }) {
    const choose = () => {
      this.#element.hidePopover();
      run();
    };
    return html`
      <button type="button" role="menuitem" tabindex="-1" class=${apart ? "apart" : nothing} data-item=${id} data-action=${action ?? nothing} aria-disabled=${disabled ? "true" : nothing}
        @click=${disabled ? nothing : choose}>
        <span>${label}</span>${keys ? html`<kbd>${keys}</kbd>` : nothing}
      </button>`;
  }

  /** @param {{x: number, y: number}} at */
  #place({ x, y }) {
    const { width, height } = this.#element.getBoundingClientRect();
    this.#element.style.left = `${Math.max(MARGIN, Math.min(x, innerWidth - width - MARGIN))}px`;
    this.#element.style.top = `${Math.max(MARGIN, Math.min(y, innerHeight - height - MARGIN))}px`;
  }

  #buttons() {
    return [...this.#element.querySelectorAll("button")];
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const buttons = this.#buttons();
    const index = buttons.findIndex((button) => button === document.activeElement);
    const next = {
      ArrowDown: buttons[(index + 1) % buttons.length],
      ArrowUp: buttons.at(index - 1),
      Home: buttons[0],
      End: buttons.at(-1),
    }[event.key];
    if (event.key === "Tab") this.#element.hidePopover();
    else if (next) next.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {HTMLElement} element */
function below(element) {
  const { left, bottom } = element.getBoundingClientRect();
  return { x: left, y: bottom + MARGIN };
}
