/**
 * The open differences of the panel. Each is read again when the repository changes, and redrawn if its text did.
 *
 * @import { Actions } from "../actions.js"
 * @import { CompareChangeResult } from "../../generated/types.js"
 */

import { isFailure } from "../call.js";
import { loadPart } from "../parts.js";

/** @typedef {{path: string, staged: boolean, place: HTMLElement, shown: string | null}} Open */

/** @param {string} path @param {boolean} staged */
const keyOf = (path, staged) => `${staged ? "staged" : "changed"}:${path}`;

export class Differences {
  #actions;
  /** @type {Map<string, Open>} */
  #open = new Map();

  /** @param {Actions} actions */
  constructor(actions) {
    this.#actions = actions;
  }

  /** The element of an open difference. @param {string} path @param {boolean} staged */
  place(path, staged) {
    return this.#open.get(keyOf(path, staged))?.place ?? null;
  }

  clear() {
    this.#open.clear();
  }

  /** @param {string} root @param {string} path @param {boolean} staged */
  async toggle(root, path, staged) {
    const key = keyOf(path, staged);
    if (this.#open.delete(key)) return;
    const place = document.createElement("div");
    place.className = "changes-difference";
    const open = { path, staged, place, shown: null };
    this.#open.set(key, open);
    await this.#show(root, open);
  }

  /** Read all again; those of files that no longer differ close. @param {string} root @param {(path: string, staged: boolean) => boolean} differs */
  async refresh(root, differs) {
    for (const [key, { path, staged }] of this.#open) if (!differs(path, staged)) this.#open.delete(key);
    await Promise.all([...this.#open.values()].map((open) => this.#show(root, open)));
  }

  /** @param {string} root @param {Open} open */
  async #show(root, open) {
    const texts = await this.#actions.compareChange({ root, path: open.path, staged: open.staged });
    const shown = JSON.stringify(texts);
    if (shown === open.shown) return;
    open.shown = shown;
    if (isFailure(texts)) open.place.textContent = texts.error.message;
    else if (texts.before === null || texts.now === null) open.place.textContent = "Not a text file, or too long to show.";
    else await draw(open, texts);
  }
}

/** @param {Open} open @param {CompareChangeResult} texts */
async function draw({ place, path }, { before, now }) {
  const { showDifferences } = await loadPart("ui-editor.js");
  place.replaceChildren();
  showDifferences(place, before, now, path);
}
