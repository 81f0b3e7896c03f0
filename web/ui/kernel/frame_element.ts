/** The element of the kernel's frame. */

import { h } from "../lib/elements.ts";

const CLASS = "kernel-frame";

/** Return the frame at an address, which app/early.ts may have opened. */
export function openFrame(url: string): HTMLIFrameElement {
  const early = document.querySelector(`iframe.${CLASS}`);
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
  document.body.append(frame);
  return frame;
}
