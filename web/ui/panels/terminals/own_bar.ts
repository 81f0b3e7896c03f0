/**
 * Above the screen of a terminal of the user's computer, where Python draws nothing: whose shell it is, and the button
 * that lets keys go there.
 */

import { html, nothing, render } from "lit";
import { icon } from "../../lib/icons.ts";
import { TypingGuard } from "./typing_guard.ts";

export class OwnBar {
  element = document.createElement("div");
  #button = document.createElement("button");
  #state = document.createElement("span");
  #guard: TypingGuard;

  /**
   * @param id - of the terminal
   * @param onChange - called when keys start or stop going there
   */
  constructor(id: string, panel: HTMLElement, onChange: (open: boolean) => void) {
    this.element.className = "own-bar";
    this.#button.type = "button";
    this.#button.className = "own-enter";
    this.#button.setAttribute("aria-label", `Press Enter or click to type on your computer, in ${id}`);
    this.#button.textContent = "Press Enter or click to type";
    const name = document.createElement("span");
    name.className = "own-name";
    render(html`${icon("computer")}<b>Your computer</b>`, name);
    this.#state.setAttribute("role", "status");
    this.element.append(name, this.#state, this.#button);
    // A press on the bar leaves the focus in the screen.
    this.element.addEventListener("mousedown", (event) => event.preventDefault());
    let open = false;
    this.#guard = new TypingGuard(panel, this.#button, () => {
      if (open !== this.#guard.open) onChange((open = this.#guard.open));
      this.#draw();
    });
    this.#draw();
  }

  /** True if keys go to the computer. */
  get open() {
    return this.#guard.open;
  }

  /** Return whether an event may send keys. */
  accepts(event: Event) {
    return this.#guard.accepts(event);
  }

  /** Focus the button, or leave the focus where it is if keys go to the computer already. */
  focus() {
    if (!this.open) this.#button.focus();
  }

  dispose() {
    this.#guard.dispose();
    this.element.remove();
  }

  #draw() {
    const { open, armed } = this.#guard;
    this.#button.hidden = open;
    this.#button.toggleAttribute("data-focus-first", !open);
    // `disabled` would move the focus, and interrupt a screen reader.
    this.#button.ariaDisabled = armed ? null : "true";
    render(open ? html`Your keys go to its shell, not through Python` : nothing, this.#state);
  }
}
