/**
 * One console entry: code, its output, and its value or error.
 *
 * @import { ConsoleEntry, Display } from "../types.js"
 * @import { Places } from "./traceback.js"
 * @import { TemplateResult } from "lit"
 */

import { html, nothing } from "lit";
import { until } from "lit/directives/until.js";
import { clock } from "../format.js";
import { loadPart } from "../parts.js";
import { outputView } from "./output.js";
import { tracebackView } from "./traceback.js";

/**
 * @typedef {object} ViewState the panel's state of an entry
 * @property {string | undefined} fullText all of its value's text, once requested
 * @property {number | null} line to highlight for a traceback
 * @property {() => void} showAll
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
    ${error === null ? nothing : errorView(error, places)}
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

/** @param {NonNullable<ConsoleEntry["error"]>} error @param {Places} places */
function errorView({ type, message, hint, data }, places) {
  if (type === "Cancelled") return html`<p class="console-hint">Stopped.</p>`;
  const { traceback } = /** @type {{traceback?: unknown}} */ (data ?? {});
  return html`${typeof traceback === "string" ? tracebackView(traceback.trimEnd(), places)
      : html`<pre class="console-error">${message}</pre>`}
    ${hint ? html`<p class="console-hint">${hint}</p>` : nothing}`;
}

/** @param {Display} display @param {ViewState} viewState */
function displayView(display, viewState) {
  switch (display.kind) {
    case "text":
      return textView(display, viewState);
    case "table":
      return tableView(display);
    case "image":
      return html`<img src="data:${display.media_type};base64,${display.data}" alt="Image of the value">`;
    case "html":
      return richView((parts) => parts.ofHtml(display.html));
    case "markdown":
      return richView((parts) => parts.ofMarkdown(display.text));
  }
}

/** @param {Extract<Display, {kind: "text"}>} display @param {ViewState} viewState */
function textView({ text, total }, { fullText, showAll }) {
  const cut = fullText === undefined && [...text].length < total;
  return html`<pre>${fullText ?? text}${cut ? "…" : nothing}</pre>
    ${cut ? html`<button type="button" @click=${showAll}>Show all ${total.toLocaleString()} characters</button>` : nothing}`;
}

/** @param {Extract<Display, {kind: "table"}>} table */
function tableView({ columns, rows, total }) {
  const name = `Table of ${total.toLocaleString()} rows`;
  return html`<div class="console-table" role="region" tabindex="0" aria-label=${name}><table>
      <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>
    ${rows.length < total ? html`<p class="muted">First ${rows.length} of ${total.toLocaleString()} rows.</p>` : nothing}`;
}

/** @param {(parts: typeof import("./rich.js")) => DocumentFragment} create */
function richView(create) {
  const shown = loadPart("ui-rich.js").then(
    (/** @type {typeof import("./rich.js")} */ parts) => html`<div class="console-table" role="region" tabindex="0" aria-label="Value">${create(parts)}</div>`,
    (error) => html`<p class="console-hint">The value can't be shown: ${String(error)}. Reload the page to try again.</p>`,
  );
  return until(shown, html`<p class="muted">Loading…</p>`);
}
