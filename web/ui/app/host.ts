/** The window whose document shows the surface: its own, or an embedding application's (web/embed.ts). */

import type { Consent } from "../consent/consent.ts";
import { h } from "../lib/elements.ts";

export function hostWindow(): Window {
  // An embedding page of another origin exposes no frame.
  return window.frameElement?.hasAttribute("data-gemini-surface") ? window.parent : window;
}

/**
 * Return whether a page of another origin is around this window. It could draw over questions, and send the user's
 * presses here.
 */
export function isFramedElsewhere() {
  try {
    for (let at: Window = window; at !== at.parent; at = at.parent) void at.parent.document;
    return false;
  } catch (error) {
    if (error instanceof DOMException && error.name === "SecurityError") return true;
    throw error;
  }
}

/** Show a link to the surface in place of the surface. */
export function offerOwnTab() {
  const link = h("a", { href: location.href, target: "_blank", rel: "noopener" }, "Open the surface");
  document.body.replaceChildren(
    h(
      "p",
      { class: "failure" },
      "A page of another origin shows the surface here. It starts only in a tab of its own. ",
      link,
    ),
  );
}

/**
 * Return whether this document is shown where the surface must not start: in a surface, at any depth, or in another page of
 * its origin that isn't an application which embeds it. There its tools would be listed twice, and scripts could use its
 * powers.
 */
export function isNested() {
  if (window.frameElement !== null && hostWindow() === window) return true;
  let view: Window = window;
  while (view !== view.parent) {
    view = view.parent;
    if (isSurface(view)) return true;
  }
  return false;
}

function isSurface(view: Window) {
  try {
    return view.document.documentElement.hasAttribute("data-kernel");
  } catch {
    // A page of another origin.
    return false;
  }
}

/** Ask the embedding application to show the surface when a question for the user arrives. */
export function callAttention(consent: Consent) {
  consent.subscribe(() => {
    if (consent.waiting.length > 0) window.frameElement?.dispatchEvent(new CustomEvent("gemini-attention"));
  });
}
