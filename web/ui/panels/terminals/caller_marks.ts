/**
 * Labels with the caller next to commands that the user didn't type. Python sends an operating system command
 * (py/gemini/computer/terminal/terminal.py) before such a command's line.
 */

import type { IDecoration, Terminal } from "@xterm/xterm";
import { callerName } from "../../lib/caller_names.ts";

const COMMAND = 7770;
const LONGEST = 40;
const DOT_LEFT = "-0.625rem";

/** a label; its width is in columns */
type Mark = { mark: IDecoration; width: number; caller: string };

export class CallerMarks {
  /** Starts each name, so that a program's output can't hold one; null before Python has sent it. */
  secret: string | null = null;
  /** Draws each mark again. */
  #shown = new Map<IDecoration, () => void>();
  /** The rows and columns at the top right that the panel's bar covers, and the width of a column in pixels. */
  #covered = { rows: 0, columns: 0, columnWidth: 0 };
  #bar = new ResizeObserver(([{ target }]) => this.#avoid(target));
  terminal: Terminal;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
    terminal.parser.registerOscHandler(COMMAND, (named) => {
      const [secret, caller] = named.split(";", 2);
      if (secret === this.secret) this.#add(callerName(caller).slice(0, LONGEST));
      return true;
    });
  }

  /** Keep the labels out of the bar that lies over the screen, whenever it is shown. */
  avoid(bar: Element) {
    this.#bar.observe(bar);
  }

  dispose() {
    this.#bar.disconnect();
  }

  #avoid(bar: Element) {
    const screen = this.terminal.element?.querySelector(".xterm-screen")?.getBoundingClientRect();
    const { left, bottom, height } = bar.getBoundingClientRect();
    const isOver = height > 0 && screen !== undefined && screen.width > 0;
    const columnWidth = isOver ? screen.width / this.terminal.cols : 0;
    this.#covered = isOver
      ? {
          rows: Math.ceil((bottom - screen.top) / (screen.height / this.terminal.rows)),
          columns: Math.ceil((screen.right - left) / columnWidth),
          columnWidth,
        }
      : { rows: 0, columns: 0, columnWidth };
    for (const draw of this.#shown.values()) draw();
  }

  #add(caller: string) {
    const marker = this.terminal.registerMarker(0);
    const width = Math.min(caller.length + 2, this.terminal.cols);
    // Without x it would be at the left, despite the anchor.
    const mark = marker && this.terminal.registerDecoration({ marker, anchor: "right", x: 1, width });
    if (!mark) return;
    const draw = () => this.#draw({ mark, width, caller });
    mark.onRender(draw);
    mark.onDispose(() => this.#shown.delete(mark));
    this.#shown.set(mark, draw);
  }

  #draw({ mark, width, caller }: Mark) {
    const { element, marker } = mark;
    // Each change of the screen renders all marks, also those out of view.
    if (!element || element.style.display === "none") return;
    const buffer = this.terminal.buffer.active;
    const isUnderBar = marker.line - buffer.viewportY < this.#covered.rows;
    const room = this.terminal.cols - width - 1;
    const moved = isUnderBar ? Math.max(0, Math.min(this.#covered.columns, room)) : 0;
    // Only a dot, left of the command, where the label would cover it.
    const text = buffer.getLine(marker.line)?.translateToString(true) ?? "";
    const isFree = text.length <= room - moved;
    // In the margin left of the command; each rendering of the screen puts it back to its column.
    if (!isFree) Object.assign(element.style, { left: DOT_LEFT, right: "auto" });
    const now = `${isFree} ${moved}`;
    if (now === element.dataset.drawn && element.classList.contains("caller-mark")) return;
    element.dataset.drawn = now;
    element.classList.add("caller-mark");
    element.classList.toggle("dot", !isFree);
    element.textContent = isFree ? caller : "";
    element.title = `Run by ${caller}`;
    element.style.translate = moved === 0 || !isFree ? "" : `${-moved * this.#covered.columnWidth}px`;
  }
}
