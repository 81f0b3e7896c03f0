/**
 * A directory as a map: each file stands where Python says, in its colour. Dragging the ground moves the map.
 *
 * @import { FileEntry } from "../types.js"
 * @import { Renaming } from "./list_view.js"
 * @import { Selection } from "./selection.js"
 */

import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { styleMap } from "lit/directives/style-map.js";
import { bytes } from "../format.js";
import { renameField } from "./list_view.js";
import { isDirectory } from "./listing.js";

// What an entry takes, in pixels: a little less than the distance at which Python puts them.
const WIDTH = 108;
const HEIGHT = 92;
const BEYOND = 200;

/** @typedef {{left: number, top: number, width: number, height: number}} Window what is in sight, in the map's pixels */

/**
 * @param {FileEntry[]} entries
 * @param {Selection} selection
 * @param {Window} sight
 * @param {Renaming | null} renaming
 */
export function mapView(entries, selection, sight, renaming) {
  const right = Math.max(0, ...entries.map(({ x }) => x + WIDTH));
  const bottom = Math.max(0, ...entries.map(({ y }) => y + HEIGHT));
  const first = selection.focused ?? entries[0]?.path;
  const shown = entries.filter((entry) => entry.path === first || inSight(entry, sight));
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
 * The entry that an arrow key leads to: the nearest one in that direction, the straight way before others.
 *
 * @param {FileEntry[]} entries
 * @param {FileEntry} from
 * @param {string} key
 * @returns {FileEntry | undefined}
 */
export function neighbour(entries, from, key) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  const ahead = (/** @type {FileEntry} */ { x, y }) => (x - from.x) * dx + (y - from.y) * dy;
  const aside = (/** @type {FileEntry} */ { x, y }) => Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
  return entries
    .filter((entry) => ahead(entry) > 0)
    .sort((one, other) => aside(one) - aside(other) || ahead(one) - ahead(other))[0];
}

/**
 * Lets the person drag the map by its ground.
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
 * The scroll position nearest to the one in sight that shows an entry.
 *
 * @param {FileEntry} entry
 * @param {Window} sight
 */
export function pannedTo({ x, y }, { left, top, width, height }) {
  return {
    left: Math.min(x - 8, Math.max(left, x + WIDTH - width)),
    top: Math.min(y - 8, Math.max(top, y + HEIGHT - height)),
  };
}

/**
 * @param {FileEntry} entry
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

/** @param {FileEntry} entry */
function place({ x, y }) {
  return styleMap({ left: `${x}px`, top: `${y}px` });
}

/**
 * @param {FileEntry} entry
 * @param {Window} sight
 */
function inSight({ x, y }, { left, top, width, height }) {
  return x > left - WIDTH - BEYOND && x < left + width + BEYOND && y > top - HEIGHT - BEYOND && y < top + height + BEYOND;
}
