/** The names of the tools behind the controls that are in sight. The bundle loads when Alt is first held. */

import { html, render } from "lit";
import { calls } from "../../generated/calls.ts";
import { copyText } from "../lib/copying.ts";
import { expect } from "../lib/elements.ts";

const CONTROLS = "[data-action]";

export class NameLayer {
  #copied = "";
  layer: HTMLElement;

  /** @param layer - a popover over the page */
  constructor(layer: HTMLElement) {
    this.layer = layer;
  }

  get isOpen() {
    return this.layer.matches(":popover-open");
  }

  show() {
    // A question for consent would have to be read again under it.
    if (this.isOpen || document.querySelector("dialog:modal")) return;
    this.#copied = "";
    this.layer.showPopover();
    this.#draw();
  }

  hide() {
    if (this.isOpen) this.layer.hidePopover();
  }

  /** @returns whether an element is in a control, whose call is copied */
  copyOf(element: Element): boolean {
    const control = element.closest(CONTROLS);
    if (!(control instanceof HTMLElement)) return false;
    void this.#copy(control.dataset.action ?? "");
    return true;
  }

  async #copy(action: string) {
    const problem = await copyText(calls[action]?.call ?? "");
    this.#copied = problem?.message ?? `Copied ${calls[action]?.call}`;
    this.#draw();
  }

  #draw() {
    const controls = [...document.querySelectorAll(CONTROLS)].filter((control) => isShown(control));
    render(
      html`${controls.map((control) => this.#name(expect(control, HTMLElement)))}
      <p class="call-copied" role="status" ?hidden=${this.#copied === ""}>${this.#copied}</p>`,
      this.layer,
    );
    this.#separate();
  }

  /** Move a name that would cover another one above it. */
  #separate() {
    const placed: DOMRect[] = [];
    for (const name of this.layer.querySelectorAll("button")) {
      const box = name.getBoundingClientRect();
      const covered = placed.find(
        ({ left, right, top, bottom }) => left < box.right && box.left < right && top < box.bottom && box.top < bottom,
      );
      if (covered) name.style.top = `${covered.top - box.height}px`;
      placed.push(name.getBoundingClientRect());
    }
  }

  #name(control: HTMLElement) {
    const action = control.dataset.action ?? "";
    const { tool, call } = calls[action];
    const { left, right, top, bottom } = control.getBoundingClientRect();
    // Below, where the name covers least; but next to an item of a menu, which has another one below.
    const [x, y] = control.role === "menuitem" ? [right + 4, top + 4] : [left, bottom - 6];
    const place = `left: ${Math.min(x, innerWidth - 160)}px; top: ${Math.min(y, innerHeight - 24)}px`;
    return html`<button type="button" class="call-name mono" style=${place} title=${call} tabindex="-1" data-of=${action}
      @mousedown=${(event: Event) => event.preventDefault()} @click=${() => void this.#copy(action)}>${tool}</button>`;
  }
}

/** Return whether a control is visible and nothing covers it. */
function isShown(control: Element) {
  if (!control.checkVisibility({ visibilityProperty: true })) return false;
  const { left, top, width, height } = control.getBoundingClientRect();
  const at = document.elementFromPoint(left + width / 2, top + height / 2);
  return at !== null && (control.contains(at) || at.contains(control));
}
