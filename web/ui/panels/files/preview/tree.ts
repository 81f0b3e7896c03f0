/** JSON as a tree whose branches are drawn when opened. */

import { html, nothing, render } from "lit";
import { counted } from "../../../lib/format.ts";

const MOST_MEMBERS = 500;
// Initially open levels.
const OPEN_DEPTH = 2;
const FEW = 30;

/** @returns null if it isn't JSON */
export function tree(text: string): unknown {
  try {
    return html`<div class="preview-tree mono">${branch(null, JSON.parse(text), 0)}</div>`;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function branch(name: string | null, value: unknown, depth: number): unknown {
  const label = name === null ? nothing : html`<span class="tree-name">${name}</span>: `;
  if (typeof value !== "object" || value === null) {
    return html`<div class="tree-leaf">${label}<span class=${`tree-${value === null ? "null" : typeof value}`}
      >${JSON.stringify(value)}</span></div>`;
  }
  const members = Object.entries(value);
  const size = Array.isArray(value) ? `[${counted(members.length, "item")}]` : `{${counted(members.length, "member")}}`;
  const drawn = depth === 0 || (depth < OPEN_DEPTH && members.length <= FEW);
  const fill = ({ currentTarget }: Event & { currentTarget: HTMLDetailsElement }) => {
    const place = currentTarget.querySelector("div");
    if (currentTarget.open && place && !place.hasChildNodes()) render(branches(members, depth), place);
  };
  return html`
    <details ?open=${drawn} @toggle=${fill}>
      <summary>${label}<span class="muted">${size}</span></summary>
      <div class="tree-members"></div>
    </details>`;
}

function branches(members: [string, unknown][], depth: number) {
  const left = members.length - MOST_MEMBERS;
  return html`
    ${members.slice(0, MOST_MEMBERS).map(([name, value]) => branch(name, value, depth + 1))}
    ${left > 0 ? html`<p class="note">${left.toLocaleString()} more not shown.</p>` : nothing}`;
}
