/**
 * Open the kernel's frame and register the tools while the page's own script still loads. A frame of another origin has a
 * process of its own, and its start takes as long as that of the page.
 */

import { modelContextOf } from "../../../webmcp_adapter.js";
import { openFrame } from "../kernel/frame_element.ts";
import { kernelAddress } from "../kernel/address.ts";
import { serving } from "../lib/serving.ts";
import { IN_EXTENSION } from "../../shared/in_extension.ts";
import { tools } from "../../generated/tools.ts";
import { shareBuiltTools } from "./built_tools.ts";

/** Return whether the page starts in this window without more conditions; else its own script does all of this. */
function startsHere() {
  return globalThis.crossOriginIsolated && !IN_EXTENSION && window.parent === window;
}

async function open() {
  const { kernel } = await serving();
  // Without an origin of its own, a kernel needs the page's service worker first.
  if (kernel === null) return;
  if (document.body === null) await bodyParsed();
  openFrame(kernelAddress(kernel).href);
}

/** Resolve when the document has a body, long before its scripts have run. */
function bodyParsed() {
  return new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.body === null) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document.documentElement, { childList: true });
  });
}

const built = shareBuiltTools(tools);
if (startsHere()) {
  void open();
  // The page's own script loads what replaces a missing WebMCP, and reports failures.
  if (modelContextOf(document)) built.register(document).done.catch(() => {});
}
