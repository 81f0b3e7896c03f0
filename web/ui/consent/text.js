/**
 * Text in a question, so that a person reads what is there: nothing is markup, nothing hides or moves other characters.
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
    hidden ? html`<mark title="A character that isn't visible, or that moves others">${piece}</mark>` : piece)}`;
}

/**
 * Text of any length in a block of its own.
 *
 * @param {unknown} text
 */
export function block(text) {
  return html`<pre class="fact">${shown(text)}</pre>`;
}

/**
 * A short text within a sentence, kept apart from the words around it.
 *
 * @param {unknown} text
 */
export function name(text) {
  return html`<bdi class="mono fact">${shown(text)}</bdi>`;
}

/**
 * Facts with their names, as a description list. Values are templates or texts.
 *
 * @param {([string, unknown] | null)[]} rows null leaves one out
 */
export function factList(rows) {
  return html`<dl class="facts">${rows.filter((row) => row !== null).map(([term, value]) => html`<dt>${term}</dt>
    <dd>${typeof value === "string" || typeof value === "number" ? shown(value) : value}</dd>`)}</dl>`;
}
