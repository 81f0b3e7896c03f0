/** A file's content, rendered by its type. The renderers load on first use. */

import { expect } from "../../lib/elements.ts";
import type { ReadFileResult } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { loadPart } from "../../lib/lazy_bundles.ts";
import type { Failure } from "../../state/types.ts";
import { ImageUrls } from "./image_urls.ts";
import { isPdf } from "./pdf.ts";

const SHOWN_BYTES = 512 * 1024;

type Part = typeof import("./preview/main.ts");

export class Rendering {
  #path: string | null = null;
  /** The renders so far; an earlier one that ends late is dropped. */
  #renders = 0;
  #images: ImageUrls;
  actions: Actions;
  body: HTMLElement;
  open: (path: string) => void;

  /**
   * @param open - opens another file, which this one links to
   */
  constructor(actions: Actions, body: HTMLElement, open: (path: string) => void) {
    this.actions = actions;
    this.#images = new ImageUrls(actions);
    this.body = body;
    this.open = open;
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
    const old = this.#images.take();
    // The old picture stays until the new one has loaded.
    const place = this.body.firstElementChild ?? this.body.appendChild(document.createElement("div"));
    part.preview(expect(place, HTMLElement), {
      path,
      file,
      open: this.open,
      loadImage: (from, type) => this.#images.load(from, type),
    });
    ImageUrls.revoke(old);
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
    this.body.replaceChildren();
    ImageUrls.revoke(this.#images.take());
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
