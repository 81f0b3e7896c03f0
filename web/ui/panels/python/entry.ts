/** One console entry: code, its output, and its value or error. */

import { expect } from "../../lib/elements.ts";
import { html, nothing, type TemplateResult } from "lit";
import { callerName } from "../../lib/caller_names.ts";
import type { ConsoleEntry } from "../../../generated/types.ts";
import { submitting } from "../../lib/forms.ts";
import { clock } from "../../lib/format.ts";
import { displayView } from "./display.ts";
import { outputView } from "./output.ts";
import { tracebackView, type Places } from "./traceback.ts";

/** The id of the last entry of an earlier visit. */
const LAST_EARLIER = -1;

/** the panel's state of an entry */
interface ViewState {
  /** all of its value's text, once requested */
  fullText: string | undefined;
  /** to highlight for a traceback */
  line: number | null;
  showAll: () => void;
  /** answers the code's question; null ends the input */
  answer: (line: string | null) => void;
  /** the code */
  stop: () => void;
  /** the package that the code lacks, and run it again */
  install: () => void;
}

export function entryView(entry: ConsoleEntry, viewState: ViewState, places: Places): TemplateResult {
  const { caller, code, started, output, running, asks, display, error, earlier } = entry;
  return html`<div class="console-entry" data-caller=${caller} data-running=${String(running)} data-earlier=${String(earlier)}>
    ${
      caller === "person"
        ? nothing
        : html`<p class="console-by"><span class="chip agent">${callerName(caller)}</span> ran at ${clock(started)}</p>`
    }
    <pre class="console-code">${viewState.line === null ? code : marked(code, viewState.line)}</pre>
    ${output.map(outputView)}
    ${asks ? questionView(asks, viewState) : running ? html`<p class="muted">Running…</p>` : nothing}
    ${display === null ? nothing : html`<div class="console-result">${displayView(display, viewState)}</div>`}
    ${error === null ? nothing : errorView(error, places, caller === "person" ? viewState.install : null)}
    ${entry.id === LAST_EARLIER ? html`<p class="console-hint">The results above are from before the reload. Their variables are gone.</p>` : nothing}
  </div>`;
}

/** The field for a line that code asks for. */
export function questionView(
  { prompt, hidden }: NonNullable<ConsoleEntry["asks"]>,
  { answer, stop }: Pick<ViewState, "answer" | "stop">,
) {
  const submit = submitting((form) => {
    const field = form.querySelector("input");
    if (field === null) return;
    answer(field.value);
    // The next question may have the same field.
    field.value = "";
  });
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, currentTarget } = event;
    const { value, selectionStart, selectionEnd } = expect(currentTarget, HTMLInputElement);
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

/** @param line - from 1 */
function marked(code: string, line: number) {
  const lines = code.split("\n");
  return lines.map((text, index) => {
    const end = index < lines.length - 1 ? "\n" : "";
    return index === line - 1 ? html`<mark>${text}</mark>${end}` : text + end;
  });
}

function errorView(
  { type, message, hint, data }: NonNullable<ConsoleEntry["error"]>,
  places: Places,
  install: (() => void) | null,
) {
  if (type === "Cancelled") return html`<p class="console-hint">Stopped.</p>`;
  const { traceback, package: lacks }: { traceback?: unknown; package?: unknown } = data ?? {};
  return html`${
    typeof traceback === "string"
      ? tracebackView(traceback.trimEnd(), places)
      : html`<pre class="console-error">${message}</pre>`
  }
    ${
      typeof lacks === "string" && install
        ? html`<button type="button" class="console-install" @click=${install}>Install ${lacks} and run again <kbd>Ctrl+Enter</kbd></button>`
        : hint
          ? html`<p class="console-hint">${hint}</p>`
          : nothing
    }`;
}
