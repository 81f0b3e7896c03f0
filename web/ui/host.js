/**
 * The window whose document shows the surface: its own, or that of an application that embeds it (web/embed.js).
 *
 * @import { Consent } from "./consent/consent.js"
 */

import { h } from "./elements.js";

/** @returns {Window} */
export function hostWindow() {
  // An embedding page of another origin exposes no frame.
  return window.frameElement?.hasAttribute("data-gemini-surface") ? window.parent : window;
}

/**
 * Return whether a page of another origin is around this window. It could draw over questions, and send the person's
 * presses here.
 */
export function isFramedElsewhere() {
  try {
    for (let at = window; at !== at.parent; at = at.parent) void at.parent.document;
    return false;
  } catch (error) {
    if (error instanceof DOMException && error.name === "SecurityError") return true;
    throw error;
  }
}

/** Show a link to the surface in place of the surface. */
export function offerOwnTab() {
  const link = h("a", { href: location.href, target: "_blank", rel: "noopener" }, "Open the surface");
  document.body.replaceChildren(h("p", { class: "failure" }, "A page of another origin shows the surface here. It starts only in a tab of its own. ", link));
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
