/**
 * Labels with the caller, beside commands that the person didn't type. Python sends an operating system command
 * (py/gemini/terminal/terminal.py) before such a command's line.
 *
 * @import { Terminal } from "@xterm/xterm"
 */

const COMMAND = 7770;
const LONGEST = 40;

export class CallerMarks {
  /** @param {Terminal} terminal */
  constructor(terminal) {
    this.terminal = terminal;
    terminal.parser.registerOscHandler(COMMAND, (caller) => {
      this.#mark(caller.slice(0, LONGEST));
      return true;
    });
  }

  /** @param {string} caller */
  #mark(caller) {
    const marker = this.terminal.registerMarker(0);
    const width = Math.min(caller.length + 2, this.terminal.cols);
    // Without x it would be at the left, despite the anchor.
    const mark = marker && this.terminal.registerDecoration({ marker, anchor: "right", x: 1, width });
    let shown = "";
    mark?.onRender((element) => {
      // Each change of the screen renders all marks, also those out of view.
      if (element.style.display === "none") return;
      // Only a dot where the label would cover the command.
      const text = this.terminal.buffer.active.getLine(marker.line)?.translateToString(true) ?? "";
      const isFree = text.length <= this.terminal.cols - width - 1;
      const now = `${isFree} ${caller}`;
      if (now === shown && element.classList.contains("caller-mark")) return;
      shown = now;
      element.classList.add("caller-mark");
      element.classList.toggle("dot", !isFree);
      element.textContent = isFree ? caller : "";
      element.title = `Run by ${caller}`;
    });
  }
}
