/**
 * The suggestions of the omnibar, as options of a list.
 *
 * @import { Piece } from "../../generated/types.js"
 * @import { Suggestion } from "./mode.js"
 */

import { html, nothing } from "lit";

/**
 * @param {Suggestion[]} items
 * @param {number} selected
 * @param {(item: Suggestion) => unknown} run
 */
export function drawList(items, selected, run) {
  return items.map((item, index) => {
    const detail = item.detail?.some(({ text }) => text !== "") ? item.detail : null;
    return html`
    ${item.group ? html`<li class="group" role="presentation">${item.group}</li>` : nothing}
    <li id="omnibar-${index}" class=${detail ? "detailed" : ""} role="option" aria-selected=${index === selected}
      data-kind=${item.kind} @click=${() => run(item)}>
      <span class="kind">${item.kind}</span>
      <span class="title">${marked(item.title)}</span>
      ${detail ? html`<span class="detail">${marked(detail)}</span>` : nothing}
      ${item.hint || item.keys ? html`<span class="hint">${item.hint}${keysOf(item.keys)}</span>` : nothing}
    </li>`;
  });
}

/** @param {string} [keys] */
function keysOf(keys) {
  return keys ? html` <kbd>${keys}</kbd>` : nothing;
}

/** @param {Piece[]} pieces */
export function marked(pieces) {
  return pieces.map(({ text, match }) => (match ? html`<mark>${text}</mark>` : text));
}
