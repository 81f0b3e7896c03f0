/** The Problems panel: the problems of the open files, to jump to and to fix. A separate bundle. */

import { html, nothing, render } from "lit";
import { repeatBy } from "../../lib/repeat_by.ts";
import { byId } from "../../lib/elements.ts";
import { counted } from "../../lib/format.ts";
import type { FileProblems, Problems } from "../editor/file_problems.ts";
import type { Found } from "../editor/main.ts";

const CODE = /`([^`]+)`/;
/** A message, and the rule's code at its end. */
const RULE = /^(.*?)(?: (\([A-Z]+\d+\)))?$/s;
const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

export class ProblemsView {
  #section = byId("problems", HTMLElement);
  #body = byId("problems-body", HTMLElement);
  problems: Problems;

  constructor(problems: Problems) {
    this.problems = problems;
    this.#body.replaceChildren();
    this.#body.addEventListener("keydown", (event) => this.#onKey(event));
    this.draw();
  }

  draw() {
    const files = this.problems.list();
    const had = this.#section.contains(document.activeElement);
    render(
      files.length === 0
        ? html`<p class="empty">No problems in the open files. Python files are checked while you type.</p>`
        : repeatBy(files, "path", (file, index) => this.#file(file, index === 0)),
      this.#body,
    );
    // The panel was focused before it had a problem, or the focused one is fixed.
    if (had && !this.#body.contains(document.activeElement)) this.#rows[0]?.focus();
  }

  get #rows() {
    return [...this.#body.querySelectorAll<HTMLElement>(".problem-place")];
  }

  #file({ path, problems }: FileProblems, isFirst: boolean) {
    const at = path.lastIndexOf("/") + 1;
    return html`<section aria-label=${path}><h3>${path.slice(at)} <span class="muted">${path.slice(0, at - 1)} ·
      ${counted(problems.length, "problem")}</span></h3>
      <ul>${problems.map((problem, index) => this.#row(path, problem, isFirst && index === 0))}</ul></section>`;
  }

  #row(path: string, problem: Found, isFirst: boolean) {
    const { line, column, isError, message, fix } = problem;
    const [, rest, rule = ""] = RULE.exec(message) ?? ["", message];
    return html`<li><button type="button" class="quiet problem-place" ?data-focus-first=${isFirst}
        @click=${() => this.problems.show(path, problem)}
        ><strong class=${isError ? "error" : "warning"}>${isError ? "Error" : "Warning"}</strong><span
        >${withCode(rest)}${rule === "" ? nothing : html` <span class="muted">${rule}</span>`}</span><span class="muted">Ln ${line}, Col ${column}</span></button>
      ${fix === null ? nothing : html`<button type="button" class="quiet problem-fix" aria-label=${`Fix: ${message}`} @click=${() => this.problems.fix(path, problem)}>Fix</button>`}</li>`;
  }

  /** Move the focus by arrow keys, from problem to problem. */
  #onKey(event: KeyboardEvent) {
    const step = STEPS[event.key];
    const rows = this.#rows;
    const at = rows.findIndex((row) => row.parentElement?.contains(document.activeElement));
    if (step === undefined || at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    rows[Math.min(Math.max(at + step, 0), rows.length - 1)].focus();
  }
}

/** Show what a message has in backticks as code. */
function withCode(message: string) {
  return message.split(CODE).map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece));
}
