// The page script: `globalThis.geminiPage`, which reads a document and acts on it from inside. It has no
// dependencies, so any page can load it, preferably before its own scripts.

import { keepClipboard } from "./clipboard.ts";
import { Console } from "./console.ts";
import { offerControl, stayHere } from "./control.ts";
import * as dom from "./dom.ts";
import { createPage } from "./page.ts";
import { offerSockets } from "./sockets.ts";
import { keepDrops } from "./stray_drops.ts";
import { offerContext } from "./webmcp/context.ts";

const current = dom.currentScript(document);
const tag = current instanceof HTMLScriptElement ? current : null;

// If a page loads the script twice, the first one stays, because it has recorded more and issued refs. An element with this id
// is a property of the prototype.
if (!Object.hasOwn(globalThis, "geminiPage")) {
  const log = new Console();
  const controllers = tag?.dataset.controllers?.match(/\S+/g) ?? [];
  if (controllers.length) {
    log.listen();
    offerContext(document);
  }
  if (tag?.dataset.stays !== undefined) stayHere((text) => log.note("error", text, null));
  if (tag?.dataset.copies === "no") {
    keepClipboard((text) => log.note("error", text, null));
    keepDrops();
  }
  if (tag?.dataset.server !== undefined) offerSockets(Number(tag.dataset.server), controllers);
  const page = createPage(log, tag?.src ?? null);
  Object.defineProperty(globalThis, "geminiPage", { value: page, configurable: true });
  if (controllers.length) offerControl(controllers, page.serve);
}
