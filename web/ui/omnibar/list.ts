/** The suggestions of the omnibar, as options of a list. */

import { html, nothing } from "lit";
import type { Piece } from "../../generated/types.ts";
import type { Suggestion } from "./mode.ts";

/** Names of kinds that aren't words for them. */
const KINDS: Record<string, string> = { outside: "new tab", page: "open", "go on": "continue" };

export function drawList(items: Suggestion[], selected: number, run: (item: Suggestion) => unknown) {
  return items.map((item, index) => {
    const detail = item.detail?.some(({ text }) => text !== "") ? item.detail : null;
    return html`
    ${item.group ? html`<li class="group" role="presentation">${item.group}</li>` : nothing}
    <li id="omnibar-${index}" class=${detail ? "detailed" : ""} role="option" aria-selected=${index === selected}
      data-kind=${item.kind} @click=${() => run(item)}>
      <span class="kind">${KINDS[item.kind] ?? item.kind}</span>
      <span class="title">${marked(item.title)}</span>
      ${detail ? html`<span class="detail">${marked(detail)}</span>` : nothing}
      ${item.hint || item.keys ? html`<span class="hint">${item.hint}${keysOf(item.keys)}</span>` : nothing}
    </li>`;
  });
}

function keysOf(keys?: string) {
  return keys ? html` <kbd>${keys}</kbd>` : nothing;
}

export function marked(pieces: Piece[]) {
  return pieces.map(({ text, match }) => (match ? html`<mark>${text}</mark>` : text));
}
