/**
 * The preview dialog for images, Markdown, JSON, tables and text. The renderers load on first use.
 *
 * @import { Actions } from "../actions.js"
 * @import { ReadFileResult } from "../../generated/actions.js"
 * @import { Failure } from "../types.js"
 */

import { isFailure } from "../call.js";
import { byId, showProblem } from "../elements.js";
import { bytes } from "../format.js";
import { loadPart } from "../parts.js";
import { saveToDevice } from "./transfers.js";

const SHOWN_BYTES = 512 * 1024;

/** @typedef {typeof import("./preview/main.js")} Part */

export class Viewer {
  #dialog = byId("file-viewer", HTMLDialogElement);
  #title = byId("file-viewer-title", HTMLElement);
  #facts = byId("file-viewer-facts", HTMLElement);
  #problem = byId("file-viewer-problem", HTMLElement);
  #body = byId("file-viewer-body", HTMLElement);
  /** @type {string | null} */
  #path = null;
  /** @type {string[]} object URLs to revoke when it closes */
  #urls = [];

  /**
   * @param {Actions} actions
   * @param {{open: (path: string) => Promise<object>, edit: (path: string) => Promise<object>}} show
   */
  constructor(actions, show) {
    this.actions = actions;
    this.show = show;
    byId("file-viewer-close", HTMLButtonElement).addEventListener("click", () => this.#dialog.close());
    byId("file-viewer-edit", HTMLButtonElement).addEventListener("click", () => this.#leaveFor(show.edit));
    byId("file-viewer-download", HTMLButtonElement).addEventListener("click", () => void this.#download());
    this.#dialog.addEventListener("close", () => this.#reset());
  }

  /** @param {string} path absolute */
  async view(path) {
    this.#reset();
    this.#path = path;
    this.#title.textContent = path;
    this.#facts.textContent = "Loading…";
    showProblem(this.#problem, null);
    if (!this.#dialog.open) this.#dialog.showModal();
    const [file, part] = await Promise.all([this.actions.readFile({ path, max_bytes: SHOWN_BYTES }), this.#load()]);
    if (this.#path !== path) return;
    this.#facts.textContent = isFailure(file) ? "" : bytes(file.size);
    if (isFailure(file)) showProblem(this.#problem, file.error);
    else if (isFailure(part)) showProblem(this.#problem, part.error);
    else this.#draw(part, path, file);
  }

  /**
   * @param {Part} part
   * @param {string} path
   * @param {ReadFileResult} file
   */
  #draw(part, path, file) {
    const place = document.createElement("div");
    this.#body.replaceChildren(place);
    part.preview(place, {
      path,
      file,
      loadImage: (from, type) => this.#loadImage(from, type),
      open: (to) => this.#leaveFor(() => this.show.open(to)),
    });
  }

  /** @returns {Promise<Part | Failure>} */
  async #load() {
    try {
      return await loadPart("ui-preview.js");
    } catch (error) {
      const message = `The preview could not be loaded: ${error instanceof Error ? error.message : error}`;
      return { isError: true, error: { type: "Error", message, hint: "Check your connection, then try again." } };
    }
  }

  /**
   * Return the object URL of an image file.
   *
   * @param {string} path
   * @param {string} type
   */
  async #loadImage(path, type) {
    const answer = await this.actions.downloadFiles({ paths: [path] });
    if (isFailure(answer)) return answer;
    const url = URL.createObjectURL(answer.blob.slice(0, answer.blob.size, type));
    this.#urls.push(url);
    return url;
  }

  async #download() {
    const answer = this.#path === null ? null : await saveToDevice(this.actions, [this.#path]);
    showProblem(this.#problem, isFailure(answer) ? answer.error : null);
  }

  /** @param {(path: string) => Promise<object>} go */
  async #leaveFor(go) {
    const from = this.#path;
    if (from === null) return;
    const answer = await go(from);
    if (isFailure(answer)) showProblem(this.#problem, answer.error);
    // Another file may be shown by now.
    else if (this.#path === from) this.#dialog.close();
  }

  #reset() {
    this.#path = null;
    this.#body.replaceChildren();
    for (const url of this.#urls.splice(0)) URL.revokeObjectURL(url);
  }
}
