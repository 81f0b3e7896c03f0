/**
 * The content script of a shared tab, in its own world: the page can't reach it. It serves the surface's page,
 * which connects to it, and shows the bar.
 */

import { createPage } from "../../page/page.ts";
import { forbid } from "../../page/actions/off_limits.ts";
import { findClosedRootsBy } from "../../page/internals.ts";
import { trackPendingBy } from "../../page/pending.ts";
import * as screenshot from "../../page/screenshot/main.ts";
import * as text from "../../page/text/main.ts";
import { Bar } from "./bar.ts";
import { HookedAnswers, HookedConsole, HookedListeners, HookedNetwork, hookedPending } from "./hooked.ts";
import { messagePort } from "./message_port.ts";
import { BAR, CONTROL, INPUT } from "./names.ts";
import { TrustedDevices } from "./trusted_devices.ts";

const STARTED = "geminiContent";

function start() {
  const bar = new Bar();
  const trusted = new TrustedDevices();
  screenshot.leaveOut(bar.host);
  forbid(bar.host);
  findClosedRootsBy((element) => (element === bar.host ? null : chrome.dom.openOrClosedShadowRoot(element)));
  trackPendingBy(hookedPending);
  const parts = { "gemini-page-text.js": text, "gemini-page-screenshot.js": screenshot };
  const watchers = {
    listeners: new HookedListeners(),
    answers: new HookedAnswers(),
    network: new HookedNetwork(),
    devices: () => trusted.current(),
  };
  const page = createPage(new HookedConsole(), null, parts, watchers);
  chrome.runtime.onConnect.addListener((port) => {
    if (port.name === CONTROL) page.serve(messagePort(port));
    else if (port.name === BAR) bar.attach(port);
    else if (port.name === INPUT) trusted.attach(port);
  });
}

// The isolated world's global object belongs to the extension. Elements with this id are properties of its prototype only.
if (!Object.hasOwn(globalThis, STARTED)) {
  Object.defineProperty(globalThis, STARTED, { value: true });
  start();
}
