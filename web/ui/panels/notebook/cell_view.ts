/** A cell: its text, its outputs, and its buttons. */

import { html, nothing } from "lit";
import { guard } from "lit/directives/guard.js";
import type { ConsoleEntry } from "../../../generated/types.ts";
import { markdown, type Context } from "../files/preview/markdown.ts";
import { displayView } from "../python/display.ts";
import { questionView } from "../python/entry.ts";
import { outputView } from "../python/output.ts";
import { icon } from "../../lib/icons.ts";
import type { CellField } from "./cell_field.ts";
import type { Cell, CellKind } from "./cells.ts";
import type { Command } from "./keys.ts";
import type { RunState } from "./runs.ts";
import { savedOutput } from "./saved_output.ts";

const NAMES: Record<CellKind, string> = { code: "Code", markdown: "Text", raw: "Raw" };

export interface CellState {
  cell: Cell;
  index: number;
  /** of all cells */
  count: number;
  isSelected: boolean;
  /** null while its text is shown as it reads */
  field: CellField | null;
  run: RunState;
  context: Context;
  onCommand: (command: Command) => void;
  onKind: (kind: CellKind) => void;
  /** answers the code's question */
  onAnswer: (entry: number, line: string | null) => void;
  onInstall: (name: string) => void;
}

export function cellView(state: CellState) {
  const { cell, index, isSelected, run, onCommand } = state;
  const edit = () => cell.kind === "markdown" && onCommand("edit");
  return html`<section class="notebook-cell" data-cell=${cell.key} data-kind=${cell.kind} tabindex=${isSelected ? 0 : -1}
    data-selected=${String(isSelected)} data-running=${String(run.isRunning)}
    aria-label="${NAMES[cell.kind]} cell ${index + 1}" @dblclick=${edit}>
    <div class="notebook-gutter">${cell.kind === "code" ? runButton(state) : nothing}</div>
    <div class="notebook-content">
      ${state.field ? state.field.element : textView(state)}
      ${cell.kind === "code" ? outputsView(state) : nothing}
    </div>
    ${isSelected ? buttons(state) : nothing}
  </section>`;
}

/** One button, which has the focus before and after a press. */
function runButton({ cell, index, run, onCommand }: CellState) {
  const count = run.isRunning || run.isQueued ? "*" : (cell.count ?? " ");
  const title = run.isRunning ? "Stop" : "Run (Ctrl+Enter)";
  return html`<button type="button" class="quiet icon" title=${title}
      aria-label="${run.isRunning ? "Stop" : "Run"} cell ${index + 1}"
      @click=${() => onCommand(run.isRunning ? "stop" : "run")}>${icon(run.isRunning ? "stop" : "play")}</button
    ><span class="notebook-count">[${count}]</span>`;
}

function textView({ cell, context }: CellState) {
  if (cell.source.trim() === "") return html`<p class="muted">Empty text. Press Enter to write.</p>`;
  return html`${guard([cell.source, context.path], () => markdown(cell.source, context))}`;
}

function outputsView({ cell, run, onAnswer, onInstall, onCommand }: CellState) {
  if (run.isRunning)
    return html`<div class="notebook-outputs">${liveView(run.entry, onAnswer, () => onCommand("stop"))}</div>`;
  const { missing, problem } = run;
  return html`<div class="notebook-outputs">
    ${problem ? html`<p class="problem" role="alert">${problem.message} <span class="hint">${problem.hint}</span></p>` : nothing}
    ${guard([cell.outputs], () => html`${cell.outputs.map(savedOutput)}`)}
    ${
      missing
        ? html`<button type="button" class="console-install" @click=${() => onInstall(missing)}>Install ${missing} and run again</button>`
        : nothing
    }</div>`;
}

function liveView(entry: ConsoleEntry | null, onAnswer: CellState["onAnswer"], stop: () => void) {
  const { output = [], asks = null, display = null } = entry ?? {};
  return html`${output.map(outputView)}
    ${
      entry && asks
        ? questionView(asks, { answer: (line: string | null) => onAnswer(entry.id, line), stop })
        : html`<p class="muted" role="status">Running…</p>`
    }
    ${display === null ? nothing : displayView(display, null)}`;
}

function buttons({ cell, index, count, onCommand, onKind }: CellState) {
  return html`<div class="notebook-buttons" role="group" aria-label="Cell ${index + 1}">
    <select aria-label="Kind of cell ${index + 1}" @change=${(event: Event) => onKind((event.target as HTMLSelectElement).value as CellKind)}>
      ${Object.entries(NAMES).map(([kind, name]) => html`<option value=${kind} ?selected=${kind === cell.kind}>${name}</option>`)}
    </select>
    <button type="button" class="quiet icon" title="Move up (Alt+Shift+↑)" aria-label="Move cell ${index + 1} up" ?disabled=${index === 0}
      @click=${() => onCommand("move-up")}>${icon("previous")}</button>
    <button type="button" class="quiet icon" title="Move down (Alt+Shift+↓)" aria-label="Move cell ${index + 1} down" ?disabled=${index === count - 1}
      @click=${() => onCommand("move-down")}>${icon("next")}</button>
    <button type="button" class="quiet icon" title="Delete (Delete)" aria-label="Delete cell ${index + 1}"
      @click=${() => onCommand("delete")}>${icon("close")}</button>
  </div>`;
}
