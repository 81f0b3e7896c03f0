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
 * Return whether this document is shown where the surface must not start: in a surface, at any depth, or in another page of
 * its origin that isn't an application which embeds it. There its tools would be listed twice, and scripts could use its
 * powers.
 */
export function isNested() {
  if (window.frameElement !== null && hostWindow() === window) return true;
  /** @type {Window} */
  let view = window;
  while (view !== view.parent) {
    view = view.parent;
    if (isSurface(view)) return true;
  }
  return false;
}

/** @param {Window} view */
function isSurface(view) {
  try {
    return view.document.documentElement.hasAttribute("data-kernel");
  } catch {
    // A page of another origin.
    return false;
  }
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
