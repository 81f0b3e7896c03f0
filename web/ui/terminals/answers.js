// xterm.js sends replies by itself: answers to queries in the output, and reports of the mouse and focus that output
// has turned on. They arrive like keys, but nobody typed them.

const ANSWER = new RegExp([
  // Device attributes and status, cursor, modes, window; focus; mouse.
  "^\\x1b\\[[?>=]?[\\d;:]*(?:c|n|R|\\$y|t)$", "^\\x1b\\[[IO]$", "^\\x1b\\[<[\\d;]+[Mm]$", "^\\x1b\\[M[^]{3}$",
  // Colors, clipboard and other OSC, DCS and APC strings.
  "^\\x1b[\\]P_^][^]*(?:\\x1b\\\\|\\x07)$",
].join("|"));

/** Distinguishes the terminal's own replies from typed input. */
export class Answers {
  /** @type {string | null} */
  #pressed = null;

  /** @param {import("@xterm/xterm").Terminal} terminal */
  constructor(terminal) {
    // Shift+F3 sends the same bytes as a cursor report; xterm reports a key immediately before sending it.
    terminal.onKey(({ key }) => {
      this.#pressed = key;
      queueMicrotask(() => { this.#pressed = null; });
    });
  }

  /** @param {string} data sent by the terminal */
  has(data) {
    return data !== this.#pressed && ANSWER.test(data);
  }
}
