/**
 * Text in a question, shown literally: no markup, and no characters that hide or move others.
 *
 * @import { TemplateResult } from "lit"
 */

import { html } from "lit";
import { shownPieces } from "../format.js";

/**
 * @param {unknown} text
 * @returns {TemplateResult}
 */
export function shown(text) {
  return html`${shownPieces(String(text ?? "")).map(({ text: piece, hidden }) =>
    hidden ? html`<mark title="A character that is invisible or moves others">${piece}</mark>` : piece)}`;
}

/**
 * Show a text of any length as a block.
 *
 * @param {unknown} text
 */
export function block(text) {
  return html`<pre class="fact">${shown(text)}</pre>`;
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
  return html`<dl class="consent-facts">${rows.filter((row) => row !== null).map(([term, value]) => html`<dt>${term}</dt>
    <dd>${typeof value === "string" || typeof value === "number" ? shown(value) : value}</dd>`)}</dl>`;
}
