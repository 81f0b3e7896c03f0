/**
 * The window whose document the surface stands in: its own, or that of an application that embeds it (web/embed.js).
 *
 * @import { Consent } from "./consent/consent.js"
 */

/** @returns {Window} */
export function hostWindow() {
  // Of another origin there is no frame to be seen, and nothing is done for it.
  return window.frameElement?.hasAttribute("data-gemini-surface") ? window.parent : window;
}

/**
 * Has an application show the surface when a person is to be asked something.
 *
 * @param {Consent} consent
 */
export function callAttention(consent) {
  consent.subscribe(() => {
    if (consent.waiting.length > 0) window.frameElement?.dispatchEvent(new CustomEvent("gemini-attention"));
  });
}
