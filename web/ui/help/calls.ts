/**
 * While Alt is held, controls name the tool behind them. A press on a name, or Alt+C for the control in focus, copies the
 * call in Python, so that what a user does by hand becomes a script. The names come from Python's declarations.
 */

import { html, render } from "lit";
import { calls } from "../../generated/calls.ts";
import { commands } from "../lib/commands.ts";
import { copyText } from "../lib/copying.ts";
import { byId, expect } from "../lib/elements.ts";
import { onTrustedKey } from "../lib/trusted.ts";

// Alt is also the beginning of other keys, such as Alt+Tab.
const HOLD_MS = 400;
const CONTROLS = "[data-action]";

class CallNames {
  #layer = byId("call-names", HTMLElement);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #copied = "";

  constructor() {
    onTrustedKey((event) => this.#onKey(event), { capture: true });
    document.addEventListener("keyup", ({ key, isTrusted }) => isTrusted && key === "Alt" && this.#hide());
    window.addEventListener("blur", () => this.#hide());
    commands.addKeys({
      where: "Any control",
      does: [
        ["Alt", "Show the tools behind the controls (hold)"],
        ["Alt+C", "Copy the call"],
      ],
    });
  }

  get #isOpen() {
    return this.#layer.matches(":popover-open");
  }

  #onKey(event: KeyboardEvent) {
    const { key, code, ctrlKey, metaKey, shiftKey, altKey, repeat } = event;
    if (key === "Alt" && !ctrlKey && !metaKey && !shiftKey) {
      if (!repeat) this.#timer = setTimeout(() => this.#show(), HOLD_MS);
      return;
    }
    clearTimeout(this.#timer);
    const control = document.activeElement?.closest(CONTROLS);
    if (this.#isOpen && altKey && code === "KeyC" && control instanceof HTMLElement) {
      event.preventDefault();
      event.stopPropagation();
      void this.#copy(control.dataset.action ?? "");
    } else {
      this.#hide();
    }
  }

  #show() {
    // A question for consent would have to be read again under it.
    if (document.querySelector("dialog:modal")) return;
    this.#copied = "";
    this.#layer.showPopover();
    this.#draw();
  }

  #hide() {
    clearTimeout(this.#timer);
    if (this.#isOpen) this.#layer.hidePopover();
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
      this.#layer,
    );
    this.#separate();
  }

  /** Move a name that would cover another one above it. */
  #separate() {
    const placed: DOMRect[] = [];
    for (const name of this.#layer.querySelectorAll("button")) {
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

export function showCallNames() {
  return new CallNames();
}
