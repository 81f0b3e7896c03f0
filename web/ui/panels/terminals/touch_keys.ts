/** The keys that on-screen keyboards lack, in a row below a terminal. Narrow windows show it while the terminal has the focus. */

import { html, render } from "lit";

/** the keys as they are written on the buttons, their names, which contain that, and what a terminal gets */
const KEYS: [shown: string, name: string, keys: string][] = [
  ["Esc", "Esc, escape", "\x1b"],
  ["Tab", "Tab", "\t"],
  ["←", "Left", "\x1b[D"],
  ["↑", "Up", "\x1b[A"],
  ["↓", "Down", "\x1b[B"],
  ["→", "Right", "\x1b[C"],
];

interface Screen {
  press: (keys: string) => void;
}

export class TouchKeys {
  /** True while Ctrl is held for the next key. */
  #control = false;
  element = document.createElement("div");
  screen: () => Screen | null;

  /** @param screen - returns the terminal's screen, if it is there */
  constructor(screen: () => Screen | null) {
    this.screen = screen;
    this.element.className = "touch-keys";
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", "Keys");
    // The terminal keeps the focus, and with it the keyboard on the screen.
    this.element.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#draw();
  }

  /** Return the keys that are typed, with Ctrl if it is held. */
  apply(keys: string): string {
    if (!this.#control || !/^[a-z@[\\\]^_]$/i.test(keys)) return keys;
    this.#hold(false);
    return String.fromCharCode(keys.toUpperCase().charCodeAt(0) & 0x1f);
  }

  #hold(control: boolean) {
    this.#control = control;
    this.#draw();
  }

  #draw() {
    const key = ([shown, name, keys]: (typeof KEYS)[number]) =>
      html`<button type="button" class="quiet" tabindex="-1" aria-label=${name} @click=${() => this.screen()?.press(keys)}>${shown}</button>`;
    render(
      html`<button type="button" class="quiet" tabindex="-1" aria-pressed=${this.#control}
        @click=${() => this.#hold(!this.#control)}>Ctrl</button>${KEYS.map(key)}`,
      this.element,
    );
  }
}
