/** Loads what main.ts has, when the user opens it. */

import { byId } from "../../lib/elements.ts";
import { LazyView, loadPart } from "../../lib/lazy_bundles.ts";
import type { CompanionLink } from "../../companion/link.ts";
import type { Store } from "../../state/store.ts";

const PART = "ui-companion.js";

export function companionSettings(store: Store, link: CompanionLink) {
  return new LazyView({
    part: PART,
    place: byId("settings", HTMLElement),
    problem: byId("settings-problem", HTMLElement),
    create: (part: typeof import("./main.ts")) => part.showOfCompanion(store, link),
  });
}

/** @returns opens the dialog */
export function connectDialog(store: Store, link: CompanionLink): () => Promise<void> {
  let dialog: Promise<() => void> | null = null;
  return async () => {
    dialog ??= loadPart<typeof import("./main.ts")>(PART).then((part) => part.connectDialog(store, link));
    // The next press tries again.
    dialog.catch(() => (dialog = null));
    (await dialog)();
  };
}
