/** The Python console: the code that was run, its callers and results, and the input field. */

import { html, render } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { ConsoleEntry } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { byId, showProblem } from "../../lib/elements.ts";
import type { Store } from "../../state/store.ts";
import { press } from "../../lib/trusted.ts";
import type { Completions, Failure, State } from "../../state/types.ts";
import { entryView } from "./entry.ts";
import type { Figure } from "../figure/panel.ts";
import { connectFigures } from "./figures.ts";
import { CodeInput } from "./input.ts";
import { ResultRoom, type Size } from "./result_room.ts";

/** the parts of the page that the console uses */
interface Surroundings {
  openFile: (path: string, line: number) => void;
  /** shows a picture or a chart as a document */
  figure: (figure: Figure) => void;
  /** of the panel */
  size: Size;
}

class ConsolePanel {
  #log = byId("console-log", HTMLElement);
  #scroller = byId("console-scroll", HTMLElement);
  #problem = byId("console-problem", HTMLElement);
  #stop = byId("console-stop", HTMLButtonElement);
  #run = byId("console-run", HTMLButtonElement);
  #call = byId("console-call", HTMLElement);
  #input: CodeInput;
  #running: AbortController | null = null;
  #state: State | null = null;
  /** The full text of values that were requested, by entry id. */
  #fullTexts = new Map<number, string>();
  /** The line that a traceback link led to. */
  #highlight: { source: string; line: number } | null = null;
  /** True while Python decides whether the code is complete. */
  #asking = false;
  /** The last Enter that was pressed while code runs: the field's content then runs next. */
  #again: { ctrl: boolean } | null = null;
  #room: ResultRoom;
  actions: Actions;
  openFile: (path: string, line: number) => void;

  constructor(actions: Actions, { openFile, figure, size }: Surroundings) {
    this.actions = actions;
    this.openFile = openFile;
    this.#room = new ResultRoom(this.#scroller, this.#log, size);
    const onFailure = ({ error }: Failure) => showProblem(this.#problem, error);
    connectFigures({ actions, show: figure, onFailure });
    this.#input = new CodeInput(byId("console-input", HTMLTextAreaElement), {
      onKey: (event) => this.#onKey(event),
      onEnter: () => this.#enter(false, false),
      ask: (code, cursor) => this.#complete(code, cursor),
      onCall: (call) => this.#showCall(call),
      onProblem: (error) => this.#showUnloaded(error),
    });
    this.#run.addEventListener("click", () => this.#execute(false));
    this.#stop.addEventListener("click", () => this.stop());
    byId("console-clear", HTMLButtonElement).addEventListener("click", () => this.#clear());
  }

  /** True while the user's own code runs. */
  get running() {
    return this.#running !== null;
  }

  /** Stop the user's code. */
  stop() {
    this.#running?.abort();
    this.#input.focus();
  }

  get #ready() {
    return this.#state?.kernel === "ready";
  }

  render(state: State) {
    if (state.kernel === "ready" && this.#state?.kernel !== "ready") this.#input.prepare();
    this.#state = state;
    this.#input.history = state.console.inputs;
    this.#draw();
  }

  /** Add code to the field without running it. */
  put(code: string) {
    const { text } = this.#input;
    this.#input.set(text.trim() === "" ? code : `${text}\n${code}`);
    this.#input.focus();
  }

  #draw() {
    const entries = this.#state?.console.entries ?? [];
    byId("console-empty", HTMLElement).hidden = entries.length > 0;
    this.#run.disabled = !this.#ready || this.#running !== null;
    this.#stop.hidden = this.#running === null;
    const asked = this.#question();
    const focused = asked?.contains(document.activeElement);
    render(
      repeatBy(entries, "id", (entry) => this.#entry(entry)),
      this.#log,
    );
    // A question takes the focus from the panel's field, and returns it.
    const question = this.#question();
    if (focused && !question) this.#input.focus();
    else if (!asked && document.activeElement?.closest("#python")) question?.querySelector("input")?.focus();
  }

  /** Return the form of the line that code asks for. */
  #question(): HTMLElement | null {
    return this.#log.querySelector(".console-question");
  }

  /** @param id - of the entry that asks */
  async #answer(id: number, line: string | null) {
    const answer = await this.actions.answerCode({ entry_id: id, line });
    showProblem(this.#problem, isFailure(answer) ? answer.error : null);
  }

  #entry(entry: ConsoleEntry) {
    const fullText = this.#fullTexts.get(entry.id);
    const line = this.#highlight?.source === entry.source ? this.#highlight.line : null;
    return guard(
      [entry, fullText, line],
      () =>
        html`${entryView(
          entry,
          {
            fullText,
            line,
            showAll: () => void this.#showAll(entry.id),
            install: () => void this.#install(entry.id),
            answer: (text) => void this.#answer(entry.id, text),
            stop: () => this.stop(),
          },
          { toEntry: (source, at) => this.#toEntry(source, at), toFile: this.openFile },
        )}`,
    );
  }

  /** @returns whether the key was handled */
  #onKey({ key, shiftKey, ctrlKey }: KeyboardEvent): boolean {
    if (key === "Enter") this.#enter(shiftKey, ctrlKey);
    else if (key === "ArrowUp") return this.#input.recall(-1);
    else if (key === "ArrowDown") return this.#input.recall(1);
    else if (key === " " && ctrlKey) this.#input.complete();
    else if (key === "Tab" && !shiftKey && !ctrlKey) return this.#input.tab();
    else if (key === "c" && ctrlKey && this.#running && !this.#input.hasSelection) this.#running.abort();
    else return false;
    return true;
  }

  #enter(shift: boolean, ctrl: boolean) {
    if (shift || (!ctrl && !this.#asking && this.#input.continues)) this.#input.newLine();
    else if (this.#running) this.#again = { ctrl };
    else void this.#execute(!ctrl);
  }

  async #complete(code: string, cursor: number): Promise<Completions | null> {
    const answer = await this.actions.complete(code, cursor);
    return isFailure(answer) ? null : answer;
  }

  #showUnloaded(error: unknown) {
    const message = `The editor could not be loaded: ${error instanceof Error ? error.message : error}`;
    showProblem(this.#problem, {
      message,
      hint: "Ctrl+Enter runs the code. Check the connection, and focus the field again.",
    });
  }

  #showCall(call: string | null) {
    this.#call.textContent = call ?? "";
    this.#call.hidden = call === null;
  }

  /** @param unlessIncomplete - whether incomplete code stays in the field, with a new line */
  async #execute(unlessIncomplete: boolean) {
    const code = this.#input.text;
    if (!code.trim() && !unlessIncomplete) {
      // Without code, Ctrl+Enter accepts the last entry's offer.
      const offer = this.#log.querySelector(".console-entry:last-of-type .console-install");
      if (offer instanceof HTMLElement) press(offer);
    }
    if (!code.trim() || !this.#ready || this.#running) return;
    const running = (this.#running = new AbortController());
    showProblem(this.#problem, null);
    if (unlessIncomplete && (await this.#isIncomplete(code))) this.#input.continueAfter(code);
    else if (this.#input.take(code)) await this.#runCode(code, running.signal);
    this.#finish(running.signal);
  }

  /**
   * Run what was entered meanwhile.
   * @param signal - of what ran
   */
  #finish(signal: AbortSignal) {
    this.#running = null;
    this.#draw();
    const again = signal.aborted ? null : this.#again;
    this.#again = null;
    if (again) this.#enter(false, again.ctrl);
  }

  async #runCode(code: string, signal: AbortSignal) {
    this.#room.follow();
    this.#draw();
    this.#report(await this.actions.runPython({ code }, signal));
  }

  /** @param id - of the entry that lacks a package */
  async #install(id: number) {
    if (!this.#ready || this.#running) return;
    const running = (this.#running = new AbortController());
    showProblem(this.#problem, null);
    this.#draw();
    this.#input.focus();
    this.#report(await this.actions.installMissing({ entry_id: id }, running.signal));
    this.#finish(running.signal);
  }

  #report(answer: unknown) {
    // Errors that the code raised are in the list; this shows requests that failed.
    const failed = isFailure(answer) && !["PythonError", "Cancelled"].includes(answer.error.type);
    if (failed) showProblem(this.#problem, answer.error);
  }

  async #isIncomplete(code: string) {
    this.#asking = true;
    const answer = await this.actions.isComplete(code);
    this.#asking = false;
    return !isFailure(answer) && !answer.complete;
  }

  async #showAll(id: number) {
    const answer = await this.actions.wholeValue({ entry_id: id });
    if (isFailure(answer)) showProblem(this.#problem, answer.error);
    else this.#fullTexts.set(id, answer);
    this.#draw();
  }

  #toEntry(source: string, line: number) {
    const known = this.#state?.console.entries.some((entry) => entry.source === source);
    showProblem(
      this.#problem,
      known
        ? null
        : {
            message: `${source} is no longer shown.`,
            hint: "The console was cleared, or its oldest entries were removed.",
          },
    );
    this.#highlight = { source, line };
    this.#draw();
    this.#log.querySelector("mark")?.scrollIntoView({ block: "center" });
  }

  async #clear() {
    showProblem(this.#problem, null);
    this.#fullTexts.clear();
    const answer = await this.actions.clearConsole();
    if (isFailure(answer)) showProblem(this.#problem, answer.error);
    this.#input.focus();
  }
}

export function showConsole(store: Store, actions: Actions, surroundings: Surroundings) {
  const panel = new ConsolePanel(actions, surroundings);
  store.follow(["kernel", "console"], (state) => panel.render(state));
  return panel;
}
