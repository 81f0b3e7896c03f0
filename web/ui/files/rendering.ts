/** A file's content, rendered by its type. The renderers load on first use. */

import { expect } from "../elements.ts";
import type { ReadFileResult } from "../../generated/types.ts";
import type { Actions } from "../actions.ts";
import { isFailure } from "../call.ts";
import { loadPart } from "../parts.ts";
import type { Failure } from "../types.ts";
import { isPdf } from "./pdf.ts";
import type { Cells } from "./preview/notebook.ts";

const SHOWN_BYTES = 512 * 1024;

type Part = typeof import("./preview/main.ts");

export class Rendering {
  #path: string | null = null;
  /** The renders so far; an earlier one that ends late is dropped. */
  #renders = 0;
  /** object URLs to revoke */
  #urls: string[] = [];
  /** Draw again what doesn't depend on the file. */
  redraw = () => {};
  actions: Actions;
  body: HTMLElement;
  open: (path: string) => void;
  cells: Cells | undefined;

  /**
   * @param open - opens another file, which this one links to
   * @param cells - runs the cells of notebooks
   */
  constructor(actions: Actions, body: HTMLElement, open: (path: string) => void, cells?: Cells) {
    this.actions = actions;
    this.body = body;
    this.open = open;
    this.cells = cells;
  }

  /**
   * Render a file, or the one that is shown again after it has changed.
   *
   * @param path - absolute
   * @returns the file's beginning; null if another render has begun
   */
  async show(path: string): Promise<ReadFileResult | Failure | null> {
    if (path !== this.#path) this.reset();
    this.#path = path;
    const render = (this.#renders += 1);
    const [file, part] = await Promise.all([this.#read(path), load()]);
    if (this.#renders !== render) return null;
    if (isFailure(file)) return file;
    if (isFailure(part)) return part;
    const old = this.#urls.splice(0);
    // The old picture stays until the new one has loaded.
    const place = this.body.firstElementChild ?? this.body.appendChild(document.createElement("div"));
    this.redraw = () =>
      part.preview(expect(place, HTMLElement), {
        path,
        file,
        open: this.open,
        cells: this.cells,
        loadImage: (from, type) => this.#loadImage(from, type),
      });
    this.redraw();
    for (const url of old) URL.revokeObjectURL(url);
    return file;
  }

  async #read(path: string): Promise<ReadFileResult | Failure> {
    if (!isPdf(path)) return this.actions.readFile({ path, max_bytes: SHOWN_BYTES });
    // The browser's viewer also shows a file that has no text or a password.
    const answer = await this.actions.downloadFiles({ paths: [path] });
    return isFailure(answer) ? answer : { content: "", encoding: "base64", size: answer.bytes, truncated: true };
  }

  /** Show nothing. */
  reset() {
    this.#path = null;
    this.#renders += 1;
    this.redraw = () => {};
    this.body.replaceChildren();
    for (const url of this.#urls.splice(0)) URL.revokeObjectURL(url);
  }

  /** Return the object URL of an image or PDF file. */
  async #loadImage(path: string, type: string) {
    const answer = await this.actions.downloadFiles({ paths: [path] });
    if (isFailure(answer)) return answer;
    const url = URL.createObjectURL(answer.blob.slice(0, answer.blob.size, type));
    this.#urls.push(url);
    return url;
  }
}

async function load(): Promise<Part | Failure> {
  try {
    return await loadPart("ui-preview.js");
  } catch (error) {
    const message = `The preview could not be loaded: ${error instanceof Error ? error.message : error}`;
    return { isError: true, error: { type: "Error", message, hint: "Check your connection, then try again." } };
  }
}
