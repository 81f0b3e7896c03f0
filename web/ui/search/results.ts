/**
 * The list of matches by file, with what each becomes.
 *
 * @import { FileMatches, Match } from "../../generated/types.js"
 *
 * @typedef {object} ResultCallbacks
 * @property {(path: string, line: number) => unknown} open
 * @property {(path: string) => boolean} selected whether a file is replaced
 * @property {(path: string) => void} toggle
 */

import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";

/** @param {FileMatches[]} files @param {boolean} replaces @param {ResultCallbacks} callbacks */
export function fileRows(files, replaces, callbacks) {
  return repeat(files, ({ path }) => path, ({ path, name, count, matches }) => html`
    <section class="search-file" aria-label=${name}>
      <h3>${replaces ? html`<input type="checkbox" aria-label="Replace in ${name}" .checked=${callbacks.selected(path)}
        @change=${() => callbacks.toggle(path)}>` : nothing}<span class="mono" title=${path}>${name}</span>
        <span class="muted">${count}</span></h3>
      <ol>${matches.map((match) => row(path, match, replaces, callbacks))}</ol>
      ${count > matches.length ? html`<p class="muted">${count - matches.length} more</p>` : nothing}
    </section>`);
}

/** @param {string} path @param {Match} match @param {boolean} replaces @param {ResultCallbacks} callbacks */
function row(path, { line, before, match, after, replacement }, replaces, callbacks) {
  return html`<li><button type="button" class="quiet mono" @click=${() => callbacks.open(path, line)}><span class="muted">${
    line}</span> <span>${before}${replaces && replacement !== null
      ? html`<del>${match}</del><ins>${replacement}</ins>` : html`<mark>${match}</mark>`}${after}</span></button></li>`;
}
