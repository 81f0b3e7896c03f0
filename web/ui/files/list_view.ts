/**
 * A directory as a list: a grid with a row per file (https://www.w3.org/WAI/ARIA/apg/patterns/grid/). Only the visible rows
 * and the focused one are in the document.
 *
 * @import { FileRow } from "../../generated/types.js"
 * @import { Column, Order } from "./listing.js"
 * @import { Selection } from "./selection.js"
 */

import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { styleMap } from "lit/directives/style-map.js";
import { bytes, fullTime, when } from "../format.js";
import { icon } from "../workbench/icons.js";
import { COLUMNS, isDirectory } from "./listing.js";

const ROW_REM = 2;
// Extra rows above and below the visible ones.
const OVERSCAN = 8;

/** @type {Record<Column, string>} */
const TITLES = { name: "Name", size: "Size", type: "Type", modified: "Modified" };

/**
 * @typedef {object} Viewport
 * @property {number} top scrolled pixels
 * @property {number} height visible pixels
 * @property {number} row pixels per row
 */

/**
 * @typedef {object} Renaming
 * @property {string} path
 * @property {(name: string) => void} done
 * @property {() => void} cancel
 */

/** Return the height of a row in pixels at the current text size. */
export function rowHeight() {
  return ROW_REM * parseFloat(getComputedStyle(document.documentElement).fontSize);
}

/**
 * @param {FileRow[]} entries in order
 * @param {Selection} selection
 * @param {Order} order
 * @param {Viewport} viewport
 * @param {Renaming | null} renaming
 * @param {(column: Column) => void} sort
 */
export function listView(entries, selection, order, viewport, renaming, sort) {
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
        ${repeat(shown, ([, { path }]) => path, ([index, entry]) => row(entry, index, selection, viewport.row,
          renaming?.path === entry.path ? renaming : null))}
      </div>
    </div>`;
}

/**
 * Return the nearest scroll position that shows a row.
 *
 * @param {number} index
 * @param {Viewport} viewport
 */
export function scrolledTo(index, { top, height, row }) {
  // The header covers the top.
  return Math.min(index * row, Math.max(top, (index + 2) * row - height));
}

/**
 * @param {FileRow[]} entries
 * @param {string | null} focused
 * @param {Viewport} viewport
 * @returns {[number, FileRow][]}
 */
function visibleEntries(entries, focused, { top, height, row }) {
  const first = Math.floor(top / row) - OVERSCAN;
  const last = Math.ceil((top + height) / row) + OVERSCAN;
  /** @type {[number, FileRow][]} */
  const shown = [];
  for (const [index, entry] of entries.entries()) {
    if (index >= first && index <= last || entry.path === focused) shown.push([index, entry]);
  }
  return shown;
}

/**
 * @param {Column} column
 * @param {Order} order
 * @param {(column: Column) => void} sort
 */
function header(column, order, sort) {
  const sorted = column === order.column;
  const direction = order.descending ? "descending" : "ascending";
  return html`
    <div role="columnheader" class=${`file-${column}`} aria-sort=${sorted ? direction : "none"}>
      <button type="button" @click=${() => sort(column)}>${TITLES[column]}</button>
    </div>`;
}

/**
 * @param {FileRow} entry
 * @param {number} index
 * @param {Selection} selection
 * @param {number} height
 * @param {Renaming | null} renaming
 */
function row(entry, index, selection, height, renaming) {
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

/** @param {FileRow} entry */
function name(entry) {
  const arrow = entry.broken ? " (broken link) → " : " → ";
  return html`<span class="file-name">${isDirectory(entry) ? `${entry.name}/` : entry.name}${
    entry.link_target === undefined ? nothing
      : html`<span class="muted">${arrow}${entry.link_target}</span>`}</span>`;
}

/**
 * @param {FileRow} entry
 * @param {Renaming} renaming
 */
export function renameField({ name: old }, { done, cancel }) {
  /** @type {(event: KeyboardEvent & {currentTarget: HTMLInputElement}) => void} */
  const onKey = (event) => {
    event.stopPropagation();
    if (event.key === "Enter") done(event.currentTarget.value);
    else if (event.key === "Escape") cancel();
    else return;
    event.preventDefault();
  };
  /** @type {(event: Event & {currentTarget: HTMLInputElement}) => void} */
  const onBlur = ({ currentTarget }) => done(currentTarget.value);
  return html`
    <input id="file-rename" type="text" .value=${old} autocomplete="off" spellcheck="false"
      aria-label=${`New name of ${old}, or a path to move it to`} @keydown=${onKey} @blur=${onBlur}>`;
}
