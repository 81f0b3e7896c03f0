/** Text in a question, shown literally: no markup, and no characters that hide or move others. */

import { html, nothing, type TemplateResult } from "lit";
import { changedPart, counted, emptyRuns, shownPieces, textSize } from "../lib/format.ts";
import { exactPieces, HIDDEN } from "../lib/lookalikes.ts";

// Shorter text on one line is counted at a glance.
const SHORT = 200;

export function shown(text: unknown): TemplateResult {
  return html`${shownPieces(String(text ?? "")).map(({ text: piece, hidden }) =>
    hidden ? html`<mark title=${HIDDEN}>${piece}</mark>` : piece,
  )}`;
}

/** Show a command, an address or a name: also mark characters that look like others or draw over them. */
export function exact(text: unknown): TemplateResult {
  return html`${exactPieces(String(text ?? "")).map(({ text: piece, problem }) =>
    problem === null ? piece : html`<mark title=${problem}>${piece}</mark>`,
  )}`;
}

/**
 * Show a text of any length as a block. Long runs of empty lines and spaces are folded, and can be opened.
 *
 * @param before - the text at this place of the question before, from which differences are marked
 */
export function block(text: unknown, before?: unknown) {
  const given = String(text ?? "");
  const changed = changedPart(given, typeof before === "string" ? before : undefined);
  if (changed === null) return html`<pre class="fact">${folded(given, exact)}</pre>${notes(given)}`;
  const [start, end] = changed;
  const isShorter = start === end;
  return html`<pre class="fact">${folded(given.slice(0, start), exact)}<ins title=${isShorter ? "The request before had more here" : "Not as in the request before"}>${
    isShorter ? "▮" : folded(given.slice(start, end), exact)
  }</ins>${folded(given.slice(end), exact)}</pre>${notes(given)}`;
}

/** Show a text that users write, such as a mail: quotation marks and dashes aren't taken for others there. */
export function prose(text: unknown) {
  return html`<pre class="fact">${folded(text)}</pre>`;
}

/** Name the problems with a text's marked characters, for those who see no titles. */
function notes(text: string) {
  const problems = new Set(
    exactPieces(text)
      .map(({ problem }) => problem)
      .filter((problem) => problem !== null && problem !== HIDDEN),
  );
  const [first, ...others] = problems;
  return first
    ? html`<p class="lookalikes">Marked: ${first}${others.length > 0 ? `, and ${counted(others.length, "other")} of this kind` : ""}.</p>`
    : nothing;
}

/**
 * Show a text with its long runs of empty lines and spaces folded.
 *
 * @param show - shows a piece
 */
export function folded(text: unknown, show: (text: string) => TemplateResult = shown) {
  return html`${emptyRuns(String(text ?? "")).map(({ text: piece, empty }) =>
    empty === null
      ? show(piece)
      : html`<details class="empty"><summary><mark title="A long run of nothing. Press to show it">${empty}</mark></summary>${shown(piece)}</details>`,
  )}`;
}

/** Return the row of a fact list with the size of a text; null for a short one. */
export function sizeRow(text: unknown): [string, string] | null {
  const given = String(text ?? "");
  return given.length <= SHORT && !given.includes("\n") ? null : ["Size", textSize(given)];
}

/** Show a short text inside a sentence, isolated from the words around it. */
export function name(text: unknown) {
  return html`<bdi class="mono fact">${exact(text)}</bdi>`;
}

/**
 * Show facts as a description list. Values are templates or strings.
 *
 * @param rows - null rows are skipped
 */
export function factList(rows: ([string, unknown] | null)[]) {
  const facts = rows.filter((row) => row !== null);
  return facts.length === 0
    ? nothing
    : html`<dl class="consent-facts">${facts.map(
        ([term, value]) => html`<dt>${term}</dt>
    <dd>${typeof value === "string" || typeof value === "number" ? exact(value) : value}</dd>`,
      )}</dl>`;
}
