/**
 * Open the kernel's frame while the page's own script still loads. A frame of another origin has a process of its own, and
 * its start takes as long as that of the page.
 */

import { openFrame } from "../kernel/frame_element.ts";
import { kernelAddress } from "../kernel/address.ts";
import { serving } from "../lib/serving.ts";
import { IN_EXTENSION } from "../../shared/in_extension.ts";

/** Return whether the page starts in this window without more conditions; else its own script opens the frame. */
function startsHere() {
  return globalThis.crossOriginIsolated && !IN_EXTENSION && window.parent === window;
}

async function open() {
  const { kernel } = await serving();
  // Without an origin of its own, a kernel needs the page's service worker first.
  if (kernel === null) return;
  if (document.body === null) await new Promise((parsed) => addEventListener("DOMContentLoaded", parsed));
  openFrame(kernelAddress(kernel).href);
}

if (startsHere()) void open();
