/**
 * A directory as a map: each file is at Python's position, in its color. Dragging the background moves the map.
 *
 * @import { FileRow } from "../../generated/types.js"
 * @import { Renaming } from "./list_view.js"
 * @import { Selection } from "./selection.js"
 */

import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { styleMap } from "lit/directives/style-map.js";
import { bytes } from "../format.js";
import { renameField } from "./list_view.js";
import { isDirectory } from "./listing.js";

// The size of an entry in pixels, a little less than Python's spacing.
const WIDTH = 108;
const HEIGHT = 92;
const OVERSCAN = 200;

/** @typedef {{left: number, top: number, width: number, height: number}} Viewport in the map's pixels */

/**
 * @param {FileRow[]} entries
 * @param {Selection} selection
 * @param {Viewport} viewport
 * @param {Renaming | null} renaming
 */
export function mapView(entries, selection, viewport, renaming) {
  const right = Math.max(0, ...entries.map(({ x }) => x + WIDTH));
  const bottom = Math.max(0, ...entries.map(({ y }) => y + HEIGHT));
  const first = selection.focused ?? entries[0]?.path;
  const shown = entries.filter((entry) => entry.path === first || isVisible(entry, viewport));
  const renamed = entries.find(({ path }) => path === renaming?.path);
  return html`
    <div id="file-list" class="file-map" role="listbox" aria-labelledby="files-title" aria-multiselectable="true"
      style=${styleMap({ width: `${right}px`, height: `${bottom}px` })}>
      ${repeat(shown, ({ path }) => path, (entry) => option(entry, selection, entry.path === first, entries.length))}
    </div>
    ${renaming && renamed
      ? html`<div class="file-map-rename" style=${place(renamed)}>${renameField(renamed, renaming)}</div>`
      : nothing}`;
}

/**
 * Return the nearest entry in an arrow key's direction, preferring a straight line.
 *
 * @param {FileRow[]} entries
 * @param {FileRow} from
 * @param {string} key
 * @returns {FileRow | undefined}
 */
export function neighbour(entries, from, key) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  const ahead = (/** @type {FileRow} */ { x, y }) => (x - from.x) * dx + (y - from.y) * dy;
  const aside = (/** @type {FileRow} */ { x, y }) => Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
  return entries
    .filter((entry) => ahead(entry) > 0)
    .sort((left, right) => aside(left) - aside(right) || ahead(left) - ahead(right))[0];
}

/**
 * Drag the map by its background.
 *
 * @param {HTMLElement} scroller
 * @param {PointerEvent} press
 */
export function pan(scroller, press) {
  if (press.button !== 0 || press.pointerType === "touch") return;
  const { scrollLeft, scrollTop } = scroller;
  const move = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    scroller.scrollTo(scrollLeft + press.clientX - clientX, scrollTop + press.clientY - clientY);
  };
  scroller.setPointerCapture(press.pointerId);
  scroller.addEventListener("pointermove", move);
  scroller.addEventListener("lostpointercapture", () => scroller.removeEventListener("pointermove", move), { once: true });
}

/**
 * Return the nearest scroll position that shows an entry.
 *
 * @param {FileRow} entry
 * @param {Viewport} viewport
 */
export function pannedTo({ x, y }, { left, top, width, height }) {
  return {
    left: Math.min(x - 8, Math.max(left, x + WIDTH - width)),
    top: Math.min(y - 8, Math.max(top, y + HEIGHT - height)),
  };
}

/**
 * @param {FileRow} entry
 * @param {Selection} selection
 * @param {boolean} focused
 * @param {number} count
 */
function option(entry, selection, focused, count) {
  const directory = isDirectory(entry);
  const facts = directory ? "directory" : `${entry.type}, ${bytes(entry.size)}`;
  return html`
    <div role="option" id=${`file:${entry.path}`} data-path=${entry.path} tabindex=${focused ? 0 : -1}
      ?data-focus-first=${focused} class=${directory ? "place directory" : "place"} aria-setsize=${count}
      aria-selected=${selection.has(entry.path) ? "true" : "false"} title=${`${entry.name}: ${facts}`} style=${place(entry)}>
      <span class="place-mark" aria-hidden="true" style=${styleMap({ backgroundColor: entry.color })}></span>
      <span class="file-name">${directory ? `${entry.name}/` : entry.name}</span>
      <span class="visually-hidden">${facts}</span>
    </div>`;
}

/** @param {FileRow} entry */
function place({ x, y }) {
  return styleMap({ left: `${x}px`, top: `${y}px` });
}

/**
 * @param {FileRow} entry
 * @param {Viewport} viewport
 */
function isVisible({ x, y }, { left, top, width, height }) {
  return x > left - WIDTH - OVERSCAN && x < left + width + OVERSCAN && y > top - HEIGHT - OVERSCAN && y < top + height + OVERSCAN;
}
