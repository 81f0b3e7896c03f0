/** A directory as a map: each file is at Python's position, in its color. Dragging the background moves the map. */

import { html, nothing } from "lit";
import { styleMap } from "lit/directives/style-map.js";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { FileRow } from "../../../generated/types.ts";
import { bytes } from "../../lib/format.ts";
import { renameField, type Renaming } from "./list_view.ts";
import { isDirectory } from "./listing.ts";
import type { Selection } from "./selection.ts";

// The size of an entry in pixels, a little less than Python's spacing.
const WIDTH = 108;
const HEIGHT = 92;
const OVERSCAN = 200;

/** in the map's pixels */
type Viewport = { left: number; top: number; width: number; height: number };

export function mapView(entries: FileRow[], selection: Selection, viewport: Viewport, renaming: Renaming | null) {
  const right = Math.max(0, ...entries.map(({ x }) => x + WIDTH));
  const bottom = Math.max(0, ...entries.map(({ y }) => y + HEIGHT));
  const first = selection.focused ?? entries[0]?.path;
  const shown = entries.filter((entry) => entry.path === first || isVisible(entry, viewport));
  const renamed = entries.find(({ path }) => path === renaming?.path);
  return html`
    <div id="file-list" class="file-map" role="listbox" aria-labelledby="files-title" aria-multiselectable="true"
      style=${styleMap({ width: `${right}px`, height: `${bottom}px` })}>
      ${repeatBy(shown, "path", (entry) => option(entry, selection, entry.path === first, entries.length))}
    </div>
    ${
      renaming && renamed
        ? html`<div class="file-map-rename" style=${place(renamed)}>${renameField(renamed, renaming)}</div>`
        : nothing
    }`;
}

/** Return the nearest entry in an arrow key's direction, preferring a straight line. */
export function neighbour(entries: FileRow[], from: FileRow, key: string): FileRow | undefined {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  const ahead = ({ x, y }: FileRow) => (x - from.x) * dx + (y - from.y) * dy;
  const aside = ({ x, y }: FileRow) => Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
  return entries
    .filter((entry) => ahead(entry) > 0)
    .sort((left, right) => aside(left) - aside(right) || ahead(left) - ahead(right))[0];
}

/** Drag the map by its background. */
export function pan(scroller: HTMLElement, press: PointerEvent) {
  if (press.button !== 0 || press.pointerType === "touch") return;
  const { scrollLeft, scrollTop } = scroller;
  const move = ({ clientX, clientY }: PointerEvent) => {
    scroller.scrollTo(scrollLeft + press.clientX - clientX, scrollTop + press.clientY - clientY);
  };
  scroller.setPointerCapture(press.pointerId);
  scroller.addEventListener("pointermove", move);
  scroller.addEventListener("lostpointercapture", () => scroller.removeEventListener("pointermove", move), {
    once: true,
  });
}

/** Return the nearest scroll position that shows an entry. */
export function pannedTo({ x, y }: FileRow, { left, top, width, height }: Viewport) {
  return {
    left: Math.min(x - 8, Math.max(left, x + WIDTH - width)),
    top: Math.min(y - 8, Math.max(top, y + HEIGHT - height)),
  };
}

function option(entry: FileRow, selection: Selection, focused: boolean, count: number) {
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

function place({ x, y }: FileRow) {
  return styleMap({ left: `${x}px`, top: `${y}px` });
}

function isVisible({ x, y }: FileRow, { left, top, width, height }: Viewport) {
  return (
    x > left - WIDTH - OVERSCAN &&
    x < left + width + OVERSCAN &&
    y > top - HEIGHT - OVERSCAN &&
    y < top + height + OVERSCAN
  );
}
