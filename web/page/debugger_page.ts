// The page script in a tab that the companion drives by its browser's debugger
// (py/gemini_companion/browser/tabs/tab.py). The document can't reach it: it is in no property, and its name is a
// secret.

import { Console } from "./console.ts";
import { createPage } from "./page.ts";
import * as text from "./text/main.ts";

/** Serve the debugger, in the top document. */
export function start(send: (text: string) => void): { receive(text: string): void } | null {
  if (self !== top) return null;
  // It has what its users call of a port.
  const port = { postMessage: send, onmessage: null } as unknown as MessagePort;
  createPage(new Console(), null, { "gemini-page-text.js": text }).serve(port);
  return { receive: (text) => port.onmessage?.(new MessageEvent("message", { data: text })) };
}
