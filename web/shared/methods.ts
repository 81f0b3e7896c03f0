import { problem } from "./document_link.ts";

/** The methods of the page script (docs/page.md) that don't change the page. */
export const READING = new Set([
  "snapshot",
  "text",
  "screenshot",
  "console",
  "about",
  "install",
  "waitFor",
  "tools",
  "find",
  "table",
  "network",
  "refused",
]);

/** The methods that act on it. */
const ACTING = new Set([
  "click",
  "type",
  "pressKey",
  "select",
  "scroll",
  "hover",
  "drag",
  "evaluate",
  "go",
  "reload",
  "callTool",
  "dialogs",
]);
/** Reading methods that only the surface calls: one says where parts of the page script are loaded from, one what is asked. */
const SURFACES_OWN = new Set(["about", "install", "refused"]);

/** Throw unless Python may use a method. */
export function requireMethod(method: string) {
  if ((READING.has(method) || ACTING.has(method)) && !SURFACES_OWN.has(method)) return;
  throw problem({
    type: "InvalidArguments",
    message: `Python can't use the method ${JSON.stringify(method)} of a document.`,
  });
}
