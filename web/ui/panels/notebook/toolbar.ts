/** The buttons above a notebook. */

import { html } from "lit";
import { icon } from "../../lib/icons.ts";
import type { Command } from "./keys.ts";

interface State {
  isRunning: boolean;
  /** for the selected cell, or the notebook */
  onCommand: (command: Command) => void;
  showText: () => void;
}

export function toolbar({ isRunning, onCommand, showText }: State) {
  return html`<div class="notebook-tools" role="toolbar" aria-label="Notebook">
    <button type="button" class="quiet" @click=${() => onCommand("run-all")}>${icon("play")} Run all</button>
    <button type="button" class="quiet" ?disabled=${!isRunning} @click=${() => onCommand("stop")}>${icon("stop")} Stop</button>
    <button type="button" class="quiet" @click=${() => onCommand("add-code")}>${icon("plus")} Code</button>
    <button type="button" class="quiet" @click=${() => onCommand("add-text")}>${icon("plus")} Text</button>
    <button type="button" class="quiet" title="Undo the last change of cells (Z)" @click=${() => onCommand("undo")}>Undo</button>
    <button type="button" class="quiet" @click=${() => onCommand("clear")}>Clear outputs</button>
    <button type="button" class="quiet" @click=${showText}>Edit as text</button>
  </div>`;
}
