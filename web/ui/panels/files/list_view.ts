/**
 * A directory as a list: a grid with a row per file (https://www.w3.org/WAI/ARIA/apg/patterns/grid/). Only the visible rows
 * and the focused one are in the document.
 */

import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { styleMap } from "lit/directives/style-map.js";
import type { FileRow } from "../../../generated/types.ts";
import { bytes, fullTime, when } from "../../lib/format.ts";
import { icon } from "../../lib/icons.ts";
import { COLUMNS, isDirectory, type Column, type Order } from "./listing.ts";
import type { Selection } from "./selection.ts";

const ROW_REM = 2;
// Extra rows above and below the visible ones.
const OVERSCAN = 8;

const TITLES: Record<Column, string> = { name: "Name", size: "Size", type: "Type", modified: "Modified" };

interface Viewport {
  /** scrolled pixels */
  top: number;
  /** visible pixels */
  height: number;
  /** pixels per row */
  row: number;
}

export interface Renaming {
  path: string;
  done: (name: string) => void;
  cancel: () => void;
}

/** Return the height of a row in pixels at the current text size. */
export function rowHeight() {
  return ROW_REM * parseFloat(getComputedStyle(document.documentElement).fontSize);
}

/** @param entries - in order */
export function listView(
  entries: FileRow[],
  selection: Selection,
  order: Order,
  viewport: Viewport,
  renaming: Renaming | null,
  sort: (column: Column) => void,
) {
  const shown = visibleEntries(entries, selection.focused, viewport);
  return html`
    <div id="file-grid" class="file-grid" role="grid" aria-labelledby="files-title" aria-multiselectable="true"
      aria-rowcount=${entries.length + 1}>
      <div class="file-head" role="rowgroup">
        <div class="file-columns" role="row" aria-rowindex="1">
          ${COLUMNS.map((column) => header(column, order, sort))}
        </div>
      </div>
      <div id="file-list" class="file-list" role="rowgroup"
        style=${styleMap({ height: `${entries.length * viewport.row}px` })}>
        ${repeat(
          shown,
          ([, { path }]) => path,
          ([index, entry]) =>
            row(entry, index, selection, viewport.row, renaming?.path === entry.path ? renaming : null),
        )}
      </div>
    </div>`;
}

/** Return the nearest scroll position that shows a row. */
export function scrolledTo(index: number, { top, height, row }: Viewport) {
  // The header covers the top.
  return Math.min(index * row, Math.max(top, (index + 2) * row - height));
}

function visibleEntries(
  entries: FileRow[],
  focused: string | null,
  { top, height, row }: Viewport,
): [number, FileRow][] {
  const first = Math.floor(top / row) - OVERSCAN;
  const last = Math.ceil((top + height) / row) + OVERSCAN;
  const shown: [number, FileRow][] = [];
  for (const [index, entry] of entries.entries()) {
    if ((index >= first && index <= last) || entry.path === focused) shown.push([index, entry]);
  }
  return shown;
}

function header(column: Column, order: Order, sort: (column: Column) => void) {
  const sorted = column === order.column;
  const direction = order.descending ? "descending" : "ascending";
  return html`
    <div role="columnheader" class=${`file-${column}`} aria-sort=${sorted ? direction : "none"}>
      <button type="button" @click=${() => sort(column)}>${TITLES[column]}</button>
    </div>`;
}

function row(entry: FileRow, index: number, selection: Selection, height: number, renaming: Renaming | null) {
  const directory = isDirectory(entry);
  const focused = selection.focused === null ? index === 0 : entry.path === selection.focused;
  return html`
    <div role="row" id=${`file:${entry.path}`} data-path=${entry.path} class=${directory ? "file directory" : "file"}
      tabindex=${focused ? 0 : -1} ?data-focus-first=${focused} aria-rowindex=${index + 2}
      aria-selected=${selection.has(entry.path) ? "true" : "false"} style=${styleMap({ top: `${index * height}px` })}>
      <div role="gridcell" class="file-name-cell" title=${entry.name}>
        <span class="file-icon" style=${styleMap({ color: entry.color })}>${icon(directory ? "folder" : "file")}</span>
        ${renaming ? renameField(entry, renaming) : name(entry)}
      </div>
      <div role="gridcell" class="file-size">${directory ? nothing : bytes(entry.size)}</div>
      <div role="gridcell" class="file-type">${entry.type}</div>
      <div role="gridcell" class="file-modified">
        <time datetime=${entry.modified} title=${`${fullTime(entry.modified)}, ${entry.permissions}`}
          >${when(entry.modified)}</time>
      </div>
    </div>`;
}

function name(entry: FileRow) {
  const arrow = entry.broken ? " (broken link) → " : " → ";
  return html`<span class="file-name">${isDirectory(entry) ? `${entry.name}/` : entry.name}${
    entry.link_target === undefined ? nothing : html`<span class="muted">${arrow}${entry.link_target}</span>`
  }</span>`;
}

export function renameField({ name: old }: FileRow, { done, cancel }: Renaming) {
  const onKey: (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => void = (event) => {
    event.stopPropagation();
    if (event.key === "Enter") done(event.currentTarget.value);
    else if (event.key === "Escape") cancel();
    else return;
    event.preventDefault();
  };
  const onBlur: (event: Event & { currentTarget: HTMLInputElement }) => void = ({ currentTarget }) =>
    done(currentTarget.value);
  return html`
    <input id="file-rename" type="text" .value=${old} autocomplete="off" spellcheck="false"
      aria-label=${`New name of ${old}, or a path to move it to`} @keydown=${onKey} @blur=${onBlur}>`;
}
