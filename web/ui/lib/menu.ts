/** A menu below a button or at the pointer (https://www.w3.org/WAI/ARIA/apg/patterns/menubar/). */

import { html, nothing, render } from "lit";

export interface Item {
  id: string;
  label: string;
  /** the shortcut */
  keys?: string;
  /** the action of Python that it takes */
  action?: string;
  disabled?: boolean;
  /** whether a line is above it */
  apart?: boolean;
  run: () => void;
}

const MARGIN = 4;

export class Menu {
  #element = document.createElement("div");
  #opener: HTMLElement | null = null;

  /** @param panel - the parent of the menu */
  constructor(panel: HTMLElement) {
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

  /** @param at - the button that opens it, or a point in the viewport */
  open(label: string, items: Item[], at: HTMLElement | { x: number; y: number }) {
    this.#element.hidePopover();
    this.#opener = at instanceof HTMLElement ? at : null;
    this.#element.setAttribute("aria-label", label);
    render(
      items.map((item) => this.#item(item)),
      this.#element,
    );
    this.#element.showPopover();
    this.#place(at instanceof HTMLElement ? below(at) : at);
    this.#buttons()[0]?.focus();
  }

  #item({ id, label, keys, disabled, apart, action, run }: Item) {
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

  #place({ x, y }: { x: number; y: number }) {
    const { width, height } = this.#element.getBoundingClientRect();
    this.#element.style.left = `${Math.max(MARGIN, Math.min(x, innerWidth - width - MARGIN))}px`;
    this.#element.style.top = `${Math.max(MARGIN, Math.min(y, innerHeight - height - MARGIN))}px`;
  }

  #buttons() {
    return [...this.#element.querySelectorAll("button")];
  }

  #onKey(event: KeyboardEvent) {
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

function below(element: HTMLElement) {
  const { left, bottom } = element.getBoundingClientRect();
  return { x: left, y: bottom + MARGIN };
}
