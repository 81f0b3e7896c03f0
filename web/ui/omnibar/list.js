/**
 * The suggestions of the omnibar, as options of a list.
 *
 * @import { Piece } from "../types.js"
 * @import { Suggestion } from "./mode.js"
 */

import { html, nothing } from "lit";

/**
 * @param {Suggestion[]} items
 * @param {number} selected
 * @param {(item: Suggestion) => unknown} run
 */
export function drawList(items, selected, run) {
  return items.map((item, index) => html`
    <li id="omnibar-${index}" role="option" aria-selected=${index === selected} data-kind=${item.kind} @click=${() => run(item)}>
      <span class="kind">${item.kind}</span>
      <span class="title">${marked(item.title)}</span>
      ${item.detail?.some(({ text }) => text !== "") ? html`<span class="detail">${marked(item.detail)}</span>` : nothing}
      ${item.hint ? html`<span class="hint">${item.hint}</span>` : nothing}
    </li>`);
}

/** @param {Piece[]} pieces */
export function marked(pieces) {
  return pieces.map(({ text, match }) => (match ? html`<mark>${text}</mark>` : text));
}
