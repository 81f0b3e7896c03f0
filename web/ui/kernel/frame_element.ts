/** The element of the kernel's frame. */

import { h } from "../lib/elements.ts";

const CLASS = "kernel-frame";
const LOADED = "data-loaded";

/** Return the frame at an address, which app/early.ts may have opened. */
export function openFrame(url: string): HTMLIFrameElement {
  const early = document.querySelector(`body > iframe.${CLASS}`);
  if (early instanceof HTMLIFrameElement && early.src === url) return early;
  early?.remove();
  const frame = h("iframe", {
    class: CLASS,
    title: "Python",
    "aria-hidden": "true",
    tabindex: "-1",
    allow: "cross-origin-isolated",
  });
  frame.src = url;
  frame.addEventListener("load", () => frame.setAttribute(LOADED, ""));
  document.body.append(frame);
  return frame;
}

/**
 * Call a function when the frame has loaded its document, or now if it has. Chromium ends a page that posts a message to
 * a frame before that.
 */
export function whenLoaded(frame: HTMLIFrameElement, act: () => void) {
  if (frame.hasAttribute(LOADED)) act();
  else frame.addEventListener("load", act, { once: true });
}
