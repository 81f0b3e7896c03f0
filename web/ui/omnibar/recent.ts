/** The entries that were used last in the palette, saved in this browser. */

import { loadSaved, save } from "../../shared/local_state.ts";
import type { Suggestion } from "./mode.ts";

const NAME = "palette.recent";
const MOST = 20;

/** @returns ids of suggestions, the last one first */
export function recentIds(): string[] {
  return loadSaved<unknown[]>(NAME, []).filter((id) => typeof id === "string");
}

export function remember({ id }: Suggestion) {
  if (id !== undefined) save(NAME, [id, ...recentIds().filter((other) => other !== id)].slice(0, MOST));
}
