/**
 * What a file looks like, by its type. The page loads this part on first use.
 *
 * @import { ReadFileResult } from "../../../generated/actions.js"
 * @import { Failure } from "../../types.js"
 */

import { html, nothing, render } from "lit";
import { until } from "lit/directives/until.js";
import { isFailure } from "../../call.js";
import { bytes } from "../../format.js";
import { markdown } from "./markdown.js";
import { table } from "./table.js";
import { tree } from "./tree.js";

/** @type {Record<string, string>} */
const PICTURES = {
  png: "image/png", apng: "image/apng", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp",
  avif: "image/avif", bmp: "image/bmp", ico: "image/x-icon", svg: "image/svg+xml",
};

/**
 * @typedef {object} Source
 * @property {string} path
 * @property {ReadFileResult} file its beginning
 * @property {(path: string, type: string) => Promise<string | Failure>} picture the address of a picture among the files
 * @property {(path: string) => void} open another file
 */

/**
 * @param {HTMLElement} place
 * @param {Source} source
 */
export function preview(place, source) {
  const { path, file } = source;
  const suffix = suffixOf(path);
  const cut = file.truncated && !(suffix in PICTURES)
    ? html`<p class="note">This is the beginning only: ${bytes(file.content.length)} of ${bytes(file.size)}.
        Use tail or sed -n in a terminal for the rest.</p>`
    : nothing;
  render(html`${file.encoding === "utf-8" ? cut : nothing}${view(suffix, source)}`, place);
}

/** @param {string} path */
export function pictureType(path) {
  return PICTURES[suffixOf(path)];
}

/**
 * @param {string} suffix
 * @param {Source} source
 */
function view(suffix, source) {
  const { path, file } = source;
  if (suffix in PICTURES) return picture(source, PICTURES[suffix]);
  if (file.encoding !== "utf-8") {
    return html`<p class="muted">This file isn't text (${bytes(file.size)}), so it can't be shown here.</p>`;
  }
  if (file.content === "") return html`<p class="muted">This file is empty.</p>`;
  switch (suffix) {
    case "md":
    case "markdown":
      return markdown(file.content, { path, picture: source.picture, open: source.open, typeOf: pictureType });
    case "json":
    case "ipynb":
    case "webmanifest":
      return file.truncated ? text(file) : tree(file.content) ?? text(file, "This isn't valid JSON.");
    case "csv":
    case "tsv":
      return table(file.content, file.truncated);
    default:
      return text(file);
  }
}

/**
 * @param {Source} source
 * @param {string} type
 */
function picture({ path, picture: load }, type) {
  const shown = load(path, type).then((url) => isFailure(url)
    ? html`<p class="problem">${url.error.message}</p>`
    : html`<img src=${url} alt=${path.slice(path.lastIndexOf("/") + 1)}>`);
  return html`${until(shown, html`<p class="muted">Reading…</p>`)}`;
}

/**
 * @param {ReadFileResult} file
 * @param {string} [note]
 */
function text({ content }, note) {
  return html`${note ? html`<p class="note">${note}</p>` : nothing}
    <pre tabindex="0" role="region" aria-label="Content">${content}</pre>`;
}

/** @param {string} path */
function suffixOf(path) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : "";
}
