/**
 * Unsaved text. The browser stores it instead of Python, so that it is available immediately, while Python is busy or
 * not running, and until the moment the page is closed.
 */

import type { ReadTextResult } from "../../../generated/types.ts";
import { loadSaved, save } from "../../../shared/local_state.ts";

/** a text, and the file's version that it is based on */
type Draft = Omit<ReadTextResult, "version"> & { version: string | null };

export function loadDraft(path: string): Draft | null {
  // Missing fields are handled below.
  const draft = loadSaved(key(path), {} as Draft);
  return typeof draft.content === "string" ? draft : null;
}

/** @returns false if the browser has no room for it */
export function saveDraft(draft: Draft): boolean {
  return save(key(draft.path), draft);
}

export function deleteDraft(path: string) {
  save(key(path), undefined);
}

function key(path: string) {
  return `draft:${path}`;
}
