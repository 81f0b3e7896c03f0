/**
 * One console entry: code, its output, and its value or error.
 *
 * @import { ConsoleEntry } from "../../generated/types.js"
 * @import { Places } from "./traceback.js"
 * @import { TemplateResult } from "lit"
 */

import { html, nothing } from "lit";
import { clock } from "../format.js";
import { displayView } from "./display.js";
import { outputView } from "./output.js";
import { tracebackView } from "./traceback.js";

/**
 * @typedef {object} ViewState the panel's state of an entry
 * @property {string | undefined} fullText all of its value's text, once requested
 * @property {number | null} line to highlight for a traceback
 * @property {() => void} showAll
 * @property {(line: string | null) => void} answer what the code asks; null ends the input
 * @property {() => void} stop the code
 * @property {() => void} install the package that the code lacks, and run it again
 */

/**
 * @param {ConsoleEntry} entry
 * @param {ViewState} viewState
 * @param {Places} places
 * @returns {TemplateResult}
 */
export function entryView(entry, viewState, places) {
  const { caller, code, started, output, running, asks, display, error } = entry;
  return html`<div class="console-entry" data-caller=${caller} data-running=${String(running)}>
    ${caller === "person" ? nothing
      : html`<p class="console-by"><span class="chip agent">${caller}</span> ran at ${clock(started)}</p>`}
    <pre class="console-code">${viewState.line === null ? code : marked(code, viewState.line)}</pre>
    ${output.map(outputView)}
    ${asks ? questionView(asks, viewState) : running ? html`<p class="muted">Running…</p>` : nothing}
    ${display === null ? nothing : html`<div class="console-result">${displayView(display, viewState)}</div>`}
    ${error === null ? nothing : errorView(error, places, caller === "person" ? viewState.install : null)}
  </div>`;
}

/** @param {NonNullable<ConsoleEntry["asks"]>} asks @param {ViewState} viewState */
function questionView({ prompt, hidden }, { answer, stop }) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const field = /** @type {HTMLFormElement} */ (event.target).querySelector("input");
    if (field === null) return;
    answer(field.value);
    // The next question may have the same field.
    field.value = "";
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const { key, ctrlKey, currentTarget } = event;
    const { value, selectionStart, selectionEnd } = /** @type {HTMLInputElement} */ (currentTarget);
    if (!ctrlKey || !((key === "d" && value === "") || (key === "c" && selectionStart === selectionEnd))) return;
    event.preventDefault();
    if (key === "c") stop();
    else answer(null);
  };
  return html`<form class="console-question" @submit=${submit}>
    <label>${prompt}<input type=${hidden ? "password" : "text"} aria-label=${prompt.trim() || "Input for the code"}
      placeholder="Input" autocomplete="off" spellcheck="false" @keydown=${onKey}></label>
    <button type="submit">Enter</button>
    <button type="button" title="End the input (Ctrl+D)" @click=${() => answer(null)}>End</button>
  </form>`;
}

/** @param {string} code @param {number} line from 1 */
function marked(code, line) {
  const lines = code.split("\n");
  return lines.map((text, index) => {
    const end = index < lines.length - 1 ? "\n" : "";
    return index === line - 1 ? html`<mark>${text}</mark>${end}` : text + end;
  });
}

/** @param {NonNullable<ConsoleEntry["error"]>} error @param {Places} places @param {(() => void) | null} install */
function errorView({ type, message, hint, data }, places, install) {
  if (type === "Cancelled") return html`<p class="console-hint">Stopped.</p>`;
  const { traceback, package: lacks } = /** @type {{traceback?: unknown, package?: unknown}} */ (data ?? {});
  return html`${typeof traceback === "string" ? tracebackView(traceback.trimEnd(), places)
      : html`<pre class="console-error">${message}</pre>`}
    ${typeof lacks === "string" && install
      ? html`<button type="button" class="console-install" @click=${install}>Install ${lacks} and run again <kbd>Ctrl+Enter</kbd></button>`
      : hint ? html`<p class="console-hint">${hint}</p>` : nothing}`;
}
