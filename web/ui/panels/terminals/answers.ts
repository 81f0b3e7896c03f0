// xterm.js sends replies itself: answers to queries in the output, and reports of the mouse and focus that output
// has turned on. They arrive like keys, but nobody typed them.

import type { Terminal } from "@xterm/xterm";

const ANSWER = new RegExp(
  [
    // Device attributes and status, cursor, modes, window; focus; mouse.
    "^\\x1b\\[[?>=]?[\\d;:]*(?:c|n|R|\\$y|t)$",
    "^\\x1b\\[[IO]$",
    "^\\x1b\\[<[\\d;]+[Mm]$",
    "^\\x1b\\[M[^]{3}$",
    // Colors, clipboard and other OSC, DCS and APC strings.
    "^\\x1b[\\]P_^][^]*(?:\\x1b\\\\|\\x07)$",
  ].join("|"),
);

// Programs ask a few queries at a time, and the mouse moves once a frame. More is a flood, which would take the kernel's time.
const MOST_IN_A_SECOND = 200;

/** Distinguishes the terminal's own replies from typed input, and limits them. */
export class Answers {
  #since = 0;
  #sent = 0;
  #pressed: string | null = null;

  constructor(terminal: Terminal) {
    // Shift+F3 sends the same bytes as a cursor report; xterm reports a key immediately before sending it.
    terminal.onKey(({ key }) => {
      this.#pressed = key;
      queueMicrotask(() => {
        this.#pressed = null;
      });
    });
  }

  /** @param data - sent by the terminal */
  has(data: string) {
    return data !== this.#pressed && ANSWER.test(data);
  }

  /** Return whether one more reply may be sent, and count it. */
  mayFollow() {
    const now = performance.now();
    if (now - this.#since > 1000) [this.#since, this.#sent] = [now, 0];
    return ++this.#sent <= MOST_IN_A_SECOND;
  }
}
