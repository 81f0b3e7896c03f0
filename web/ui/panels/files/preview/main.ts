/** Previews of files by type. The bundle loads on first use. */

import { html, nothing, render } from "lit";
import { until } from "lit/directives/until.js";
import type { ReadFileResult } from "../../../../generated/types.ts";
import { isFailure } from "../../../state/kernel_calls.ts";
import { bytes } from "../../../lib/format.ts";
import type { Failure } from "../../../state/types.ts";
import { isPdf } from "../pdf.ts";
import { IMAGES, imageType, suffixOf } from "./image_types.ts";
import { markdown } from "./markdown.ts";
import { notebook } from "./notebook.ts";
import { table } from "./table.ts";
import { tree } from "./tree.ts";

interface Source {
  path: string;
  /** the beginning of the file */
  file: ReadFileResult;
  /** returns the URL of a file as an image, or of another type */
  loadImage: (path: string, type: string) => Promise<string | Failure>;
  /** opens another file */
  open: (path: string) => void;
}

export function preview(place: HTMLElement, source: Source) {
  const { path, file } = source;
  const suffix = suffixOf(path);
  const cut =
    file.truncated && !(suffix in IMAGES)
      ? html`<p class="note">Only the first ${bytes(file.content.length)} of ${bytes(file.size)} are shown.
        To see the rest, use tail or sed -n in a terminal.</p>`
      : nothing;
  render(html`${file.encoding === "utf-8" ? cut : nothing}${view(suffix, source)}`, place);
}

function view(suffix: string, source: Source) {
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
      return (file.truncated ? null : notebook(file, context)) ?? text(file, "This isn't a notebook of version 4.");
    case "json":
    case "webmanifest":
      return file.truncated ? text(file) : (tree(file.content) ?? text(file, "This isn't valid JSON."));
    case "csv":
    case "tsv":
      return table(file.content, file.truncated);
    default:
      return text(file);
  }
}

function imageView({ path, loadImage }: Source, type: string) {
  const shown = loadImage(path, type).then((url) =>
    isFailure(url)
      ? html`<p class="problem">${url.error.message}</p>`
      : html`<img src=${url} alt=${path.slice(path.lastIndexOf("/") + 1)}>`,
  );
  return html`${until(shown, html`<p class="muted">Loading…</p>`)}`;
}

/** The browser's own viewer, in a separate process. */
function pdfView({ path, loadImage }: Source) {
  const shown = loadImage(path, "application/pdf").then((url) =>
    isFailure(url)
      ? html`<p class="problem">${url.error.message}</p>`
      : html`<iframe src=${url} title=${path.slice(path.lastIndexOf("/") + 1)}></iframe>`,
  );
  return html`${until(shown, html`<p class="muted">Loading…</p>`)}`;
}

function text({ content }: ReadFileResult, note?: string) {
  return html`${note ? html`<p class="note">${note}</p>` : nothing}
    <pre tabindex="0" role="region" aria-label="Content">${content}</pre>`;
}
