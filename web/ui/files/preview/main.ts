/**
 * Previews of files by type. The bundle loads on first use.
 *
 * @import { ReadFileResult } from "../../../generated/types.js"
 * @import { Failure } from "../../types.js"
 * @import { Cells } from "./notebook.js"
 */

import { html, nothing, render } from "lit";
import { until } from "lit/directives/until.js";
import { isFailure } from "../../call.js";
import { bytes } from "../../format.js";
import { isPdf } from "../pdf.js";
import { markdown } from "./markdown.js";
import { notebook } from "./notebook.js";
import { table } from "./table.js";
import { tree } from "./tree.js";

/** @type {Record<string, string>} */
const IMAGES = {
  png: "image/png", apng: "image/apng", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp",
  avif: "image/avif", bmp: "image/bmp", ico: "image/x-icon", svg: "image/svg+xml",
};

/**
 * @typedef {object} Source
 * @property {string} path
 * @property {ReadFileResult} file the beginning of the file
 * @property {(path: string, type: string) => Promise<string | Failure>} loadImage returns the URL of a file as an image, or of another type
 * @property {(path: string) => void} open opens another file
 * @property {Cells} [cells] runs the cells of notebooks
 */

/**
 * @param {HTMLElement} place
 * @param {Source} source
 */
export function preview(place, source) {
  const { path, file } = source;
  const suffix = suffixOf(path);
  const cut = file.truncated && !(suffix in IMAGES)
    ? html`<p class="note">Only the first ${bytes(file.content.length)} of ${bytes(file.size)} are shown.
        To see the rest, use tail or sed -n in a terminal.</p>`
    : nothing;
  render(html`${file.encoding === "utf-8" ? cut : nothing}${view(suffix, source)}`, place);
}

/** @param {string} path */
export function imageType(path) {
  return IMAGES[suffixOf(path)];
}

/**
 * @param {string} suffix
 * @param {Source} source
 */
function view(suffix, source) {
  const { path, file } = source;
  if (suffix in IMAGES) return imageView(source, IMAGES[suffix]);
  if (isPdf(path)) return pdfView(source);
  if (file.encoding !== "utf-8") {
    return html`<p class="muted">This file isn't text (${bytes(file.size)}), so it can't be previewed.</p>`;
  }
  const context = { path, loadImage: source.loadImage, open: source.open, typeOf: imageType };
  if (file.content === "") return html`<p class="muted">This file is empty.</p>`;
  switch (suffix) {
    case "md":
    case "markdown":
      return markdown(file.content, context);
    case "ipynb":
      return (file.truncated ? null : notebook(file, context, source.cells)) ?? text(file, "This isn't a notebook of version 4.");
    case "json":
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
function imageView({ path, loadImage }, type) {
  const shown = loadImage(path, type).then((url) => isFailure(url)
    ? html`<p class="problem">${url.error.message}</p>`
    : html`<img src=${url} alt=${path.slice(path.lastIndexOf("/") + 1)}>`);
  return html`${until(shown, html`<p class="muted">Loading…</p>`)}`;
}

/** The browser's own viewer, in a process of its own. @param {Source} source */
function pdfView({ path, loadImage }) {
  const shown = loadImage(path, "application/pdf").then((url) => isFailure(url)
    ? html`<p class="problem">${url.error.message}</p>`
    : html`<iframe src=${url} title=${path.slice(path.lastIndexOf("/") + 1)}></iframe>`);
  return html`${until(shown, html`<p class="muted">Loading…</p>`)}`;
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
