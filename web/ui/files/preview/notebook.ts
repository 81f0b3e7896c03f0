/**
 * A Jupyter notebook, version 4 (https://nbformat.readthedocs.io/en/latest/format_description.html): its cells with their
 * saved outputs. Code cells run in the Python console, and then show their new outputs; the file stays as it is.
 *
 * @import { ConsoleEntry, Display, Printed, ReadFileResult } from "../../../generated/types.js"
 * @import { Context } from "./markdown.js"
 *
 * @typedef {object} Cells
 * @property {(index: number, code: string) => void} run
 * @property {(index: number) => ConsoleEntry | null} entryOf what the console shows of a cell that was run
 *
 * @typedef {{ cell_type: string, source: string | string[], outputs?: Record<string, any>[] }} Cell
 */

import { html, nothing } from "lit";
import { guard } from "lit/directives/guard.js";
import { displayView } from "../../python/display.js";
import { outputView } from "../../python/output.js";
import { markdown } from "./markdown.js";

/** The kinds of a value's data, the richest first. @type {[string, (text: string, type: string) => Display][]} */
const KINDS = [
  ["image/png", (data, type) => ({ kind: "image", media_type: type, data })],
  ["image/jpeg", (data, type) => ({ kind: "image", media_type: type, data })],
  ["text/html", (text) => ({ kind: "html", html: text })],
  ["text/markdown", (text) => ({ kind: "markdown", text })],
  ["text/latex", (text) => ({ kind: "latex", text })],
  ["text/plain", (text) => ({ kind: "text", text, total: 0 })],
];

/**
 * @param {ReadFileResult} file
 * @param {Context} context
 * @param {Cells | undefined} cells
 * @returns {unknown} null if it isn't such a notebook
 */
export function notebook(file, context, cells) {
  const found = cellsOf(file.content);
  if (found === null) return null;
  return html`<div class="preview-notebook">${found.map((cell, index) => cell.cell_type === "code"
    ? codeCell(cell, index, cells) : textCell(cell, context, file))}</div>`;
}

/** @param {string} text @returns {Cell[] | null} */
function cellsOf(text) {
  try {
    const { nbformat, cells } = JSON.parse(text);
    return nbformat === 4 && Array.isArray(cells) ? cells.filter((cell) => typeof cell?.cell_type === "string") : null;
  } catch (error) {
    // JSON of another form, such as null.
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

/** @param {Cell} cell @param {Context} context @param {ReadFileResult} file */
function textCell({ cell_type: type, source }, context, file) {
  const text = joined(source);
  // The cell stays as it is while others run.
  return type === "markdown" ? html`${guard([file], () => markdown(text, context))}` : html`<pre>${text}</pre>`;
}

/** @param {Cell} cell @param {number} index @param {Cells | undefined} cells */
function codeCell({ source, outputs }, index, cells) {
  const code = joined(source);
  const entry = cells?.entryOf(index) ?? null;
  return html`<section class="preview-cell" aria-label="Cell ${index + 1}">
    ${cells ? html`<button type="button" class="quiet" ?disabled=${entry?.running ?? false} @click=${() => cells.run(index, code)}
      aria-label="Run cell ${index + 1}">Run</button>` : nothing}
    <pre tabindex="0" role="region" aria-label="Code of cell ${index + 1}">${code}</pre>
    ${entry ? newOutputs(entry) : (Array.isArray(outputs) ? outputs : []).map(savedOutput)}
  </section>`;
}

/** @param {ConsoleEntry} entry */
function newOutputs({ output, running, display, error }) {
  return html`${output.map(outputView)}
    ${running ? html`<p class="muted" role="status">Running…</p>` : nothing}
    ${display === null ? nothing : displayView(display, null)}
    ${error === null ? nothing : html`<pre class="console-error">${tracebackOf(error)}</pre>`}`;
}

/** @param {NonNullable<ConsoleEntry["error"]>} error */
function tracebackOf({ message, data }) {
  const { traceback } = /** @type {{traceback?: unknown}} */ (data ?? {});
  return typeof traceback === "string" ? traceback.trimEnd() : message;
}

/** @param {Record<string, any>} output */
function savedOutput({ output_type: type, name, text, traceback, evalue, data }) {
  if (type === "stream") return outputView(/** @type {Printed} */ ({ stream: name === "stderr" ? "stderr" : "stdout", text: joined(text) }));
  if (type === "error") {
    const lines = Array.isArray(traceback) ? traceback.join("\n") : String(evalue);
    return outputView(/** @type {Printed} */ ({ stream: "stderr", text: lines }));
  }
  const kind = KINDS.find(([type]) => data?.[type] !== undefined);
  if (!kind) return nothing;
  const [mediaType, toDisplay] = kind;
  const display = toDisplay(joined(data[mediaType]), mediaType);
  return displayView(display.kind === "text" ? { ...display, total: [...display.text].length } : display, null);
}

/** Return a multi-line string, which the format may split into lines. @param {unknown} text */
function joined(text) {
  return Array.isArray(text) ? text.join("") : String(text ?? "");
}
