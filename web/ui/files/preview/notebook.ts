/**
 * A Jupyter notebook, version 4 (https://nbformat.readthedocs.io/en/latest/format_description.html): its cells with their
 * saved outputs. Code cells run in the Python console, and then show their new outputs; the file stays as it is.
 */

import { html, nothing } from "lit";
import { guard } from "lit/directives/guard.js";
import type { ConsoleEntry, Display, ReadFileResult } from "../../../generated/types.ts";
import { displayView } from "../../python/display.ts";
import { outputView } from "../../python/output.ts";
import { markdown, type Context } from "./markdown.ts";

export interface Cells {
  run: (index: number, code: string) => void;
  /** what the console shows of a cell that was run */
  entryOf: (index: number) => ConsoleEntry | null;
}

/** as nbformat has it; a file may have anything */
type Output = Partial<
  Record<"output_type" | "name" | "text" | "traceback" | "evalue", unknown> & { data: Record<string, unknown> }
>;
type Cell = { cell_type: string; source: string | string[]; outputs?: Output[] };

/** The kinds of a value's data, the richest first. */
const KINDS: [string, (text: string, type: string) => Display][] = [
  ["image/png", (data, type) => ({ kind: "image", media_type: type, data })],
  ["image/jpeg", (data, type) => ({ kind: "image", media_type: type, data })],
  ["text/html", (text) => ({ kind: "html", html: text })],
  ["text/markdown", (text) => ({ kind: "markdown", text })],
  ["text/latex", (text) => ({ kind: "latex", text })],
  ["text/plain", (text) => ({ kind: "text", text, total: 0 })],
];

/** @returns null if it isn't such a notebook */
export function notebook(file: ReadFileResult, context: Context, cells: Cells | undefined): unknown {
  const found = cellsOf(file.content);
  if (found === null) return null;
  return html`<div class="preview-notebook">${found.map((cell, index) =>
    cell.cell_type === "code" ? codeCell(cell, index, cells) : textCell(cell, context, file),
  )}</div>`;
}

function cellsOf(text: string): Cell[] | null {
  try {
    const { nbformat, cells } = JSON.parse(text);
    return nbformat === 4 && Array.isArray(cells) ? cells.filter((cell) => typeof cell?.cell_type === "string") : null;
  } catch (error) {
    // JSON of another form, such as null.
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

function textCell({ cell_type: type, source }: Cell, context: Context, file: ReadFileResult) {
  const text = joined(source);
  // The cell stays as it is while others run.
  return type === "markdown" ? html`${guard([file], () => markdown(text, context))}` : html`<pre>${text}</pre>`;
}

function codeCell({ source, outputs }: Cell, index: number, cells: Cells | undefined) {
  const code = joined(source);
  const entry = cells?.entryOf(index) ?? null;
  return html`<section class="preview-cell" aria-label="Cell ${index + 1}">
    ${
      cells
        ? html`<button type="button" class="quiet" ?disabled=${entry?.running ?? false} @click=${() => cells.run(index, code)}
      aria-label="Run cell ${index + 1}">Run</button>`
        : nothing
    }
    <pre tabindex="0" role="region" aria-label="Code of cell ${index + 1}">${code}</pre>
    ${entry ? newOutputs(entry) : (Array.isArray(outputs) ? outputs : []).map(savedOutput)}
  </section>`;
}

function newOutputs({ output, running, display, error }: ConsoleEntry) {
  return html`${output.map(outputView)}
    ${running ? html`<p class="muted" role="status">Running…</p>` : nothing}
    ${display === null ? nothing : displayView(display, null)}
    ${error === null ? nothing : html`<pre class="console-error">${tracebackOf(error)}</pre>`}`;
}

function tracebackOf({ message, data }: NonNullable<ConsoleEntry["error"]>) {
  const { traceback }: { traceback?: unknown } = data ?? {};
  return typeof traceback === "string" ? traceback.trimEnd() : message;
}

function savedOutput({ output_type: type, name, text, traceback, evalue, data }: Output) {
  if (type === "stream") return outputView({ stream: name === "stderr" ? "stderr" : "stdout", text: joined(text) });
  if (type === "error") {
    const lines = Array.isArray(traceback) ? traceback.join("\n") : String(evalue);
    return outputView({ stream: "stderr", text: lines });
  }
  const kind = KINDS.find(([type]) => data?.[type] !== undefined);
  if (!kind || !data) return nothing;
  const [mediaType, toDisplay] = kind;
  const display = toDisplay(joined(data[mediaType]), mediaType);
  return displayView(display.kind === "text" ? { ...display, total: [...display.text].length } : display, null);
}

/** Return a multi-line string, which the format may split into lines. */
function joined(text: unknown) {
  return Array.isArray(text) ? text.join("") : String(text ?? "");
}
