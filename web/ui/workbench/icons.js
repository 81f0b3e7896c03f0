/** Icons for buttons, drawn on a 16-unit square. The buttons have labels. */

import { html } from "lit";

/** @type {Record<string, string>} */
const PATHS = {
  close: "M4 4l8 8M12 4l-8 8",
  dock: "M2 3h12v10H2zM2 7h12",
  find: "M7 3a4 4 0 1 0 0 8a4 4 0 0 0 0-8zM10 10l3.5 3.5",
  float: "M2 6h8v7H2zM6 6V3h8v7h-4",
  maximise: "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3",
  next: "M4 6l4 4 4-4",
  plus: "M8 3v10M3 8h10",
  previous: "M4 10l4-4 4 4",
  restore: "M6 3v3H3M13 6h-3V3M10 13v-3h3M3 10h3v3",
  stop: "M4 4h8v8H4z",
};

/** @param {string} name a key of `PATHS` */
export function icon(name) {
  return html`<svg class="picture" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d=${PATHS[name]}></path></svg>`;
}
