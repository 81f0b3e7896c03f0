/**
 * The Python console: code in, with top-level await; output, result or traceback out.
 *
 * @import { ErrorDetails, State } from "./types.js"
 * @import { Actions, PythonOutcome } from "./actions.js"
 * @import { Store } from "./store.js"
 */

import { isFailure } from "./call.js";
import { byId, h } from "./elements.js";
import { whenChanged } from "./store.js";

const KEPT_ENTRIES = 200;

class ConsolePanel {
  #input = byId("console-input", HTMLTextAreaElement);
  #log = byId("console-log", HTMLElement);
  #scroller = byId("console-scroll", HTMLElement);
  #empty = byId("console-empty", HTMLElement);
  #stop = byId("console-stop", HTMLButtonElement);
  #run = byId("console-run", HTMLButtonElement);
  /** @type {string[]} */
  #history = [];
  #position = 0;
  /** @type {AbortController | null} */
  #running = null;
  #ready = false;

  /** @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
    this.#input.addEventListener("keydown", (event) => this.#onKey(event));
    this.#input.addEventListener("input", () => this.#grow());
    this.#run.addEventListener("click", () => this.#execute());
    this.#stop.addEventListener("click", () => {
      this.#running?.abort();
      this.#input.focus();
    });
    byId("console-clear", HTMLButtonElement).addEventListener("click", () => this.#clear());
  }

  /** @param {State} state */
  render({ kernel }) {
    this.#ready = kernel === "ready";
    this.#drawButtons();
  }

  #drawButtons() {
    this.#run.disabled = !this.#ready || this.#running !== null;
    this.#stop.hidden = this.#running === null;
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      void this.#execute();
    } else if (event.key === "ArrowUp" && this.#caretOn("first")) {
      this.#recall(this.#position - 1);
    } else if (event.key === "ArrowDown" && this.#caretOn("last")) {
      this.#recall(this.#position + 1);
    } else if (event.key === "c" && event.ctrlKey && this.#running && this.#nothingSelected()) {
      this.#running.abort();
    } else {
      return;
    }
    event.preventDefault();
  }

  #nothingSelected() {
    return this.#input.selectionStart === this.#input.selectionEnd;
  }

  /** @param {"first" | "last"} line */
  #caretOn(line) {
    const { value, selectionStart, selectionEnd } = this.#input;
    if (selectionStart !== selectionEnd) return false;
    return !(line === "first" ? value.slice(0, selectionStart) : value.slice(selectionEnd)).includes("\n");
  }

  /** @param {number} position in the history; one past its end is the empty line */
  #recall(position) {
    if (position < 0 || position > this.#history.length) return;
    this.#position = position;
    this.#input.value = this.#history[position] ?? "";
    this.#grow();
  }

  #grow() {
    this.#input.rows = Math.min(10, this.#input.value.split("\n").length);
  }

  async #execute() {
    const code = this.#input.value;
    if (!code.trim() || !this.#ready || this.#running) return;
    if (this.#history.at(-1) !== code) this.#history.push(code);
    this.#position = this.#history.length;
    this.#input.value = "";
    this.#grow();
    const pending = h("p", { class: "muted" }, "Running…");
    const entry = h("div", { class: "console-entry" }, h("pre", { class: "console-code" }, code), pending);
    this.#append(entry);
    this.#running = new AbortController();
    this.#drawButtons();
    const answer = await this.actions.runPython(code, this.#running.signal);
    this.#running = null;
    this.#drawButtons();
    pending.remove();
    entry.append(...(isFailure(answer) ? failed(answer.error) : finished(answer)));
    this.#scroll();
  }

  /** @param {HTMLElement} entry */
  #append(entry) {
    this.#empty.hidden = true;
    this.#log.append(entry);
    while (this.#log.childElementCount > KEPT_ENTRIES) this.#log.firstElementChild?.remove();
    this.#scroll();
  }

  #scroll() {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  #clear() {
    this.#log.replaceChildren();
    this.#empty.hidden = false;
    this.#input.focus();
  }
}

/**
 * @param {unknown} text
 * @param {string} kind
 */
function output(text, kind) {
  if (typeof text !== "string" || text === "") return [];
  return [h("pre", { class: `console-${kind}` }, text.trimEnd())];
}

/** @param {PythonOutcome} outcome */
function finished({ result, stdout, stderr }) {
  const shown = typeof result === "string" || result === null ? result : JSON.stringify(result, null, 2);
  return [...output(stdout, "stdout"), ...output(stderr, "stderr"), ...output(shown, "result")];
}

/** @param {ErrorDetails} error */
function failed({ type, message, hint, data }) {
  if (type === "Cancelled") return output("Stopped.", "hint");
  /** @type {{traceback?: unknown, stdout?: unknown, stderr?: unknown} | null} */
  const details = typeof data === "object" ? data : null;
  const traceback = output(details?.traceback, "error");
  return [
    ...output(details?.stdout, "stdout"),
    ...output(details?.stderr, "stderr"),
    ...(traceback.length > 0 ? traceback : output(message, "error")),
    ...output(hint, "hint"),
  ];
}

/**
 * @param {Store} store
 * @param {Actions} actions
 */
export function showConsole(store, actions) {
  const panel = new ConsolePanel(actions);
  store.subscribe(whenChanged(({ kernel }) => [kernel], (state) => panel.render(state)));
}
