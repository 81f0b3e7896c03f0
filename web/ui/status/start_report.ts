/** A report about a start of Python that failed: the reason, the build, and the features of the browser. */

import { copyText } from "../lib/copying.ts";

/** Return the report as text; it has nothing of the user's files. */
export function startReport(reason: string | null, stage: string): string {
  const has = {
    isolated: globalThis.crossOriginIsolated,
    SharedArrayBuffer: typeof SharedArrayBuffer === "function",
    JSPI: "Suspending" in WebAssembly,
    storage: Boolean(navigator.storage?.getDirectory),
    "service worker": Boolean(navigator.serviceWorker?.controller),
    online: navigator.onLine,
  };
  return [
    `Python doesn't start: ${reason ?? "no reason was reported"}`,
    `Last step: ${stage}`,
    `Build: ${new URL(document.baseURI).pathname}`,
    `Browser: ${navigator.userAgent}`,
    ...Object.entries(has).map(([name, value]) => `${name}: ${value ? "yes" : "no"}`),
  ].join("\n");
}

/** Copy the report, and say in the button whether that worked. */
export async function copyReport(button: HTMLButtonElement, text: string) {
  const problem = await copyText(text, "copy the reason above");
  button.textContent = problem === null ? "Copied" : problem.message;
}
