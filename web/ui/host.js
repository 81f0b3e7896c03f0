/**
 * The window whose document the surface stands in: its own, or that of an application that embeds it (web/embed.js).
 *
 * @import { Store } from "./store.js"
 */

import { whenChanged } from "./store.js";

/** @returns {Window} */
export function hostWindow() {
  // Of another origin there is no frame to be seen, and nothing is done for it.
  return window.frameElement?.hasAttribute("data-gemini-surface") ? window.parent : window;
}

/**
 * Has an application show the surface when a person is to be asked something.
 *
 * @param {Store} store
 */
export function callAttention(store) {
  store.subscribe(whenChanged(
    ({ approvals }) => [approvals.length],
    ({ approvals }) => {
      if (approvals.length > 0) window.frameElement?.dispatchEvent(new CustomEvent("gemini-attention"));
    },
  ));
}
