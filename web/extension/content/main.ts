/**
 * The content script of a shared tab, in a world of its own: the page can't reach it. It serves the surface's page,
 * which connects to it, and shows the bar.
 */

import { createPage } from "../../page/page.js";
import { forbid } from "../../page/actions/off_limits.js";
import { findClosedRootsBy } from "../../page/internals.js";
import { trackPendingBy } from "../../page/pending.js";
import * as screenshot from "../../page/screenshot/main.js";
import * as text from "../../page/text/main.js";
import { Bar } from "./bar.js";
import { HookedAnswers, HookedConsole, HookedListeners, HookedNetwork, hookedPending } from "./hooked.js";
import { messagePort } from "./message_port.js";
import { BAR, CONTROL, INPUT } from "./names.js";
import { TrustedDevices } from "./trusted_hand.js";

const STARTED = "geminiContent";

function start() {
  const bar = new Bar();
  const trusted = new TrustedDevices();
  screenshot.leaveOut(bar.host);
  forbid(bar.host);
  findClosedRootsBy((element) => (element === bar.host ? null : chrome.dom.openOrClosedShadowRoot(element)));
  trackPendingBy(hookedPending);
  const parts = { "gemini-page-text.js": text, "gemini-page-screenshot.js": screenshot };
  const watchers = { listeners: new HookedListeners(), answers: new HookedAnswers(), network: new HookedNetwork(), devices: () => trusted.current() };
  const page = createPage(new HookedConsole(), null, parts, watchers);
  chrome.runtime.onConnect.addListener((/** @type {any} */ port) => {
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
