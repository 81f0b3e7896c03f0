/**
 * Text in a question, shown literally: no markup, and no characters that hide or move others.
 *
 * @import { TemplateResult } from "lit"
 */

import { html, nothing } from "lit";
import { changedPart, emptyRuns, shownPieces, textSize } from "../format.js";

// Shorter texts on one line are counted at a glance.
const SHORT = 200;

/**
 * @param {unknown} text
 * @returns {TemplateResult}
 */
export function shown(text) {
  return html`${shownPieces(String(text ?? "")).map(({ text: piece, hidden }) =>
    hidden ? html`<mark title="A character that is invisible or moves others">${piece}</mark>` : piece)}`;
}

/**
 * Show a text of any length as a block. Long runs of empty lines and spaces are folded, and can be opened.
 *
 * @param {unknown} text
 * @param {unknown} [before] the text at this place of the question before, from which differences are marked
 */
export function block(text, before) {
  const given = String(text ?? "");
  const changed = changedPart(given, typeof before === "string" ? before : undefined);
  if (changed === null) return html`<pre class="fact">${folded(given)}</pre>`;
  const [start, end] = changed;
  return html`<pre class="fact">${folded(given.slice(0, start))}<ins title="Not as in the request before" aria-label=${
    start === end ? "The request before had more here" : nothing}>${start === end ? "▮" : folded(given.slice(start, end))}</ins>${folded(given.slice(end))}</pre>`;
}

/**
 * Show a text with its long runs of empty lines and spaces folded.
 *
 * @param {unknown} text
 */
export function folded(text) {
  return html`${emptyRuns(String(text ?? "")).map(({ text: piece, empty }) => empty === null
    ? shown(piece)
    : html`<details class="empty"><summary><mark title="A long run of nothing. Press to show it">${empty}</mark></summary>${shown(piece)}</details>`)}`;
}

/**
 * Return the row of a fact list with the size of a text; null for a short one.
 *
 * @param {unknown} text
 * @returns {[string, string] | null}
 */
export function sizeRow(text) {
  const given = String(text ?? "");
  return given.length <= SHORT && !given.includes("\n") ? null : ["Size", textSize(given)];
}

/**
 * Show a short text inside a sentence, isolated from the words around it.
 *
 * @param {unknown} text
 */
export function name(text) {
  return html`<bdi class="mono fact">${shown(text)}</bdi>`;
}

/**
 * Show facts as a description list. Values are templates or texts.
 *
 * @param {([string, unknown] | null)[]} rows null rows are skipped
 */
export function factList(rows) {
  const facts = rows.filter((row) => row !== null);
  return facts.length === 0 ? nothing : html`<dl class="consent-facts">${facts.map(([term, value]) => html`<dt>${term}</dt>
    <dd>${typeof value === "string" || typeof value === "number" ? shown(value) : value}</dd>`)}</dl>`;
}
