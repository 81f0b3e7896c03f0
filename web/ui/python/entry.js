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
 * @property {() => void} install the package that the code lacks, and run it again
 */

/**
 * @param {ConsoleEntry} entry
 * @param {ViewState} viewState
 * @param {Places} places
 * @returns {TemplateResult}
 */
export function entryView(entry, viewState, places) {
  const { caller, code, started, output, running, display, error } = entry;
  return html`<div class="console-entry" data-caller=${caller} data-running=${String(running)}>
    ${caller === "person" ? nothing
      : html`<p class="console-by"><span class="chip agent">${caller}</span> ran at ${clock(started)}</p>`}
    <pre class="console-code">${viewState.line === null ? code : marked(code, viewState.line)}</pre>
    ${output.map(outputView)}
    ${running ? html`<p class="muted">Running…</p>` : nothing}
    ${display === null ? nothing : html`<div class="console-result">${displayView(display, viewState)}</div>`}
    ${error === null ? nothing : errorView(error, places, caller === "person" ? viewState.install : null)}
  </div>`;
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
