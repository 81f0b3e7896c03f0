/** The command or code that runs, in the status line, and the button that stops it. */

import { byId } from "../lib/elements.ts";
import { firstLine } from "../lib/format.ts";
import type { State } from "../state/types.ts";
import type { Callbacks } from "./items.ts";

interface Program {
  /** of the command, or the code's first line */
  name: string;
  stop: (() => unknown) | null;
}

// Most commands end sooner. Showing them would only flicker, and screen readers would announce each.
const SHOWN_AFTER_MS = 300;
const LONGEST_NAME = 40;

export class Running {
  #button = byId("status-stop", HTMLButtonElement);
  #programs: Program[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #shown = false;
  callbacks: Callbacks;
  onChange: () => void;

  /** @param onChange - called when the label changes */
  constructor(callbacks: Callbacks, onChange: () => void) {
    this.callbacks = callbacks;
    this.onChange = onChange;
    this.#button.addEventListener("click", () => this.#programs[0]?.stop?.());
  }

  /** The text of the status line; null while nothing runs, or nothing that takes long. */
  get label() {
    const [first, ...others] = this.#programs;
    if (!this.#shown || !first) return null;
    const running = `Running ${first.name}${others.length === 0 ? "" : ` and ${others.length} more`}`;
    return running.endsWith("…") ? running : `${running}…`;
  }

  follow(state: State) {
    this.#programs = programs(state, this.callbacks);
    if (this.#programs.length === 0) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#shown = false;
    } else this.#timer ??= setTimeout(() => this.#show(), SHOWN_AFTER_MS);
    this.#draw();
  }

  #show() {
    this.#shown = true;
    this.#draw();
  }

  #draw() {
    const [first] = this.#programs;
    this.#button.hidden = !this.#shown || !first?.stop;
    if (first) this.#button.title = `Stop ${first.name}`;
    this.onChange();
  }
}

function programs({ kernel, terminals, console }: State, callbacks: Callbacks): Program[] {
  if (kernel !== "ready") return [];
  const commands = terminals.flatMap(({ id, running }) =>
    running === null ? [] : [{ name: firstLine(running, LONGEST_NAME), stop: () => callbacks.interrupt(id) }],
  );
  const entries = console.entries
    .filter(({ running }) => running)
    .map(({ code }) => ({
      name: firstLine(code, LONGEST_NAME),
      stop: callbacks.console.running ? () => callbacks.console.stop() : null,
    }));
  return [...commands, ...entries];
}
