/** The check that the kernel's worker reaches no address but its own, in the browser extension (web/extension/confined_workers.ts). */

import { IN_EXTENSION } from "../shared/in_extension.ts";

// The manifest's policy allows it to pages, and the browser itself refuses this port, so nothing is ever sent.
const FORBIDDEN = "http://127.0.0.1:1/entrance/";
const WAIT_MS = 2_000;

/**
 * Resolve if the policy confines this worker.
 * @throws {Error} it doesn't, and Python must not start
 */
export async function requireConfinement(): Promise<void> {
  if (!IN_EXTENSION) return;
  const confined = new Promise((resolve) => {
    self.addEventListener("securitypolicyviolation", (event) => {
      if (Reflect.get(event, "blockedURI") === FORBIDDEN) resolve(true);
    });
    setTimeout(resolve, WAIT_MS, false);
  });
  // It fails in any case; the event says whether the policy was the reason.
  await fetch(FORBIDDEN).catch(() => {});
  if (!(await confined))
    throw new Error(
      "Python isn't confined: the extension's service worker didn't answer for it. Close this page and open it again.",
    );
}
