// The page script in a tab that the companion drives by its browser's debugger (py/gemini_companion/tabs/tab.py). The
// document can't reach it: it is in no property, and its name is a secret.

import { Console } from "./console.js";
import { createPage } from "./page.js";
import * as text from "./text/main.js";

/**
 * Serve the debugger, in the top document.
 * @param {(text: string) => void} send
 * @returns {{ receive(text: string): void } | null}
 */
export function start(send) {
  if (self !== top) return null;
  const port = /** @type {MessagePort} */ (/** @type {unknown} */ ({ postMessage: send, onmessage: null }));
  createPage(new Console(), null, { "gemini-page-text.js": text }).serve(port);
  return { receive: (text) => port.onmessage?.(new MessageEvent("message", { data: text })) };
}
