/**
 * The window whose document shows the surface: its own, or that of an application that embeds it (web/embed.js).
 *
 * @import { Consent } from "./consent/consent.js"
 */

/** @returns {Window} */
export function hostWindow() {
  // An embedding page of another origin exposes no frame.
  return window.frameElement?.hasAttribute("data-gemini-surface") ? window.parent : window;
}

/**
 * Ask the embedding application to show the surface when a question for the person arrives.
 *
 * @param {Consent} consent
 */
export function callAttention(consent) {
  consent.subscribe(() => {
    if (consent.waiting.length > 0) window.frameElement?.dispatchEvent(new CustomEvent("gemini-attention"));
  });
}
