// What xterm.js sends by itself: its answers to output that asks it something, and reports of the mouse and the focus that
// output has turned on. None of it is typed, although it arrives like keys.

const ANSWER = new RegExp([
  // Device attributes and status, cursor, modes, window; focus; mouse.
  "^\\x1b\\[[?>=]?[\\d;:]*(?:c|n|R|\\$y|t)$", "^\\x1b\\[[IO]$", "^\\x1b\\[<[\\d;]+[Mm]$", "^\\x1b\\[M[^]{3}$",
  // Colours, clipboard and whatever else is a string of OSC, DCS or APC.
  "^\\x1b[\\]P_^][^]*(?:\\x1b\\\\|\\x07)$",
].join("|"));

/** Tells the terminal's answers from what the person types. */
export class Answers {
  /** @type {string | null} */
  #pressed = null;

  /** @param {import("@xterm/xterm").Terminal} terminal */
  constructor(terminal) {
    // Shift+F3 sends what a report of the cursor looks like; xterm names a key right before it sends it.
    terminal.onKey(({ key }) => {
      this.#pressed = key;
      queueMicrotask(() => { this.#pressed = null; });
    });
  }

  /** @param {string} data that the terminal sends */
  has(data) {
    return data !== this.#pressed && ANSWER.test(data);
  }
}
