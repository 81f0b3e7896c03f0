/** A Jupyter notebook as it is saved. The editor runs and changes it (notebook/). */

import { html } from "lit";
import type { ReadFileResult } from "../../../../generated/types.ts";
import { Cells, type Cell } from "../../notebook/cells.ts";
import { savedOutput } from "../../notebook/saved_output.ts";
import { markdown, type Context } from "./markdown.ts";

/** @returns null if it isn't a notebook of version 4 */
export function notebook(file: ReadFileResult, context: Context): unknown {
  const cells = Cells.read(file.content);
  return (
    cells && html`<div class="preview-notebook">${cells.all.map((cell, index) => cellView(cell, index, context))}</div>`
  );
}

function cellView({ kind, source, outputs }: Cell, index: number, context: Context) {
  if (kind === "markdown") return markdown(source, context);
  if (kind === "raw") return html`<pre>${source}</pre>`;
  return html`<section class="preview-cell" aria-label="Cell ${index + 1}">
    <pre tabindex="0" role="region" aria-label="Code of cell ${index + 1}">${source}</pre>
    ${outputs.map(savedOutput)}
  </section>`;
}
