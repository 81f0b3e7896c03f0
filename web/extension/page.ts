/**
 * The part of the surface's page that only the extension has: it uses the browser's tabs, and carries out the service worker's
 * orders. Loaded only there.
 */

import type { OuterTabs } from "../shared/outer_tabs.ts";
import { sendToCompanion } from "./companion_models.ts";
import type { FetchOrder, ModelOrder } from "./messages.ts";
import { SharingDialog } from "./sharing.ts";
import { ExtensionTabs } from "./tabs.ts";

/** Start to carry out orders, and return the browser's tabs. */
export async function start(): Promise<ExtensionTabs> {
  serveOrders();
  // Content scripts, whose processes run the pages too, need none of it.
  await chrome.storage.local.setAccessLevel({ accessLevel: "TRUSTED_CONTEXTS" });
  const tabs = new ExtensionTabs();
  await tabs.check();
  return tabs;
}

/**
 * Return the function that opens the dialog in which the user shares tabs.
 *
 * @param open - opens a URL in a new tab of the surface
 */
export function sharing(tabs: ExtensionTabs, open: (url: string) => Promise<unknown>) {
  const dialog = new SharingDialog(tabs, open);
  return () => void dialog.show();
}

/**
 * Use the tabs again that this page had before it was reloaded.
 *
 * @param frames - shows them
 */
export async function restoreTabs(tabs: ExtensionTabs, frames: { restore: (tab: string, outer: OuterTabs) => void }) {
  for (const tab of await tabs.restore()) {
    frames.restore(tab, tabs);
    tabs.adopt(tab);
  }
}

/** Carry out the service worker's orders: the network door's come only after the user's consent. */
function serveOrders() {
  const frame = sandboxedPage();
  navigator.serviceWorker.addEventListener("message", ({ data, ports }) => {
    const { fetchOrder, modelOrder }: { fetchOrder?: FetchOrder; modelOrder?: ModelOrder } = data;
    // Its origin is opaque, so it can't be named.
    if (fetchOrder) void frame.then((view) => view.postMessage({ fetchOrder }, "*", [...ports]));
    if (modelOrder) void sendToCompanion(modelOrder, ports[0]);
  });
  navigator.serviceWorker.startMessages();
}

/** @returns once it listens */
function sandboxedPage(): Promise<Window> {
  const frame = document.createElement("iframe");
  Object.assign(frame, { src: "/network.html", title: "Network", hidden: true, ariaHidden: "true" });
  return new Promise((resolve) => {
    addEventListener("message", function onMessage({ source, data }) {
      const view = frame.contentWindow;
      if (view === null || source !== view || data?.networkFrame !== "up") return;
      removeEventListener("message", onMessage);
      resolve(view);
    });
    document.body.append(frame);
  });
}
