/** A part of a panel that shows changes of files when it is opened. */

import type { Actions } from "../../state/actions.ts";
import { loadPart } from "../../lib/lazy_bundles.ts";
import type { ChangesView } from "./main.ts";

const views = new WeakMap<HTMLDetailsElement, ChangesView>();

/**
 * Show or refresh the changes. Call it when a `<details>` was opened or closed.
 *
 * @param checkpoint - the only one to show
 */
export async function toggleChanges(section: HTMLDetailsElement, actions: Actions, checkpoint = "") {
  if (!section.open) return;
  const place = section.querySelector(".changes-place");
  if (!(place instanceof HTMLElement)) return;
  try {
    const { showChanges } = await loadPart<typeof import("./main.ts")>("ui-changes.js");
    const view = views.get(section) ?? showChanges(place, actions, checkpoint);
    views.set(section, view);
    await view.refresh();
  } catch (error) {
    place.textContent = `This part of the page could not be loaded: ${error instanceof Error ? error.message : error}`;
  }
}
