/** The open differences of the panel. Each is read again when the repository changes, and redrawn if its text did. */

import type { CompareChangeResult } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { loadPart } from "../../lib/lazy_bundles.ts";

type Open = { path: string; staged: boolean; place: HTMLElement; shown: string | null };

const keyOf = (path: string, staged: boolean) => `${staged ? "staged" : "changed"}:${path}`;

export class Differences {
  #actions: Actions;
  #open = new Map<string, Open>();

  constructor(actions: Actions) {
    this.#actions = actions;
  }

  /** The element of an open difference. */
  place(path: string, staged: boolean) {
    return this.#open.get(keyOf(path, staged))?.place ?? null;
  }

  clear() {
    this.#open.clear();
  }

  async toggle(root: string, path: string, staged: boolean) {
    const key = keyOf(path, staged);
    if (this.#open.delete(key)) return;
    const place = document.createElement("div");
    place.className = "changes-difference";
    const open = { path, staged, place, shown: null };
    this.#open.set(key, open);
    await this.#show(root, open);
  }

  /** Read all again; close the files that no longer differ. */
  async refresh(root: string, differs: (path: string, staged: boolean) => boolean) {
    for (const [key, { path, staged }] of this.#open) if (!differs(path, staged)) this.#open.delete(key);
    await Promise.all([...this.#open.values()].map((open) => this.#show(root, open)));
  }

  async #show(root: string, open: Open) {
    const texts = await this.#actions.compareChange({ root, path: open.path, staged: open.staged });
    const shown = JSON.stringify(texts);
    if (shown === open.shown) return;
    open.shown = shown;
    if (isFailure(texts)) open.place.textContent = texts.error.message;
    else if (texts.before === null || texts.now === null)
      open.place.textContent = "Not a text file, or too long to show.";
    else await draw(open, texts);
  }
}

async function draw({ place, path }: Open, { before, now }: CompareChangeResult) {
  const { showDifferences } = await loadPart<{
    showDifferences(place: Element, before: string | null, now: string | null, path: string): void;
  }>("ui-editor.js");
  place.replaceChildren();
  showDifferences(place, before, now, path);
}
