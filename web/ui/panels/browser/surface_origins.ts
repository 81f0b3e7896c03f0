/**
 * The origins of the surface's own documents: of the page, of its kernel, and of the companion that the extension uses. What
 * runs there can reach the page that shows it or the companion, so agents' code never does, whatever a document's path.
 */

import { companionOrigin } from "../../../shared/companion_address.ts";
import { serving } from "../../lib/serving.ts";
import { problem } from "../../../shared/document_link.ts";

/** One server may answer at all of them. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])\.?$/;

/** @returns whether an origin is one of the surface's */
export async function surfaceOrigins(): Promise<(origin: string) => boolean> {
  const { kernel } = await serving();
  const origins = new Set(
    [location.origin, companionOrigin(), kernel].flatMap((url) => (url === null ? [] : [nameOf(url)])),
  );
  return (origin) => origins.has(nameOf(origin));
}

/**
 * Throw if an address is the surface's. In a tab of another browser no page of its origins is used at all: agents would answer
 * its questions there, by input that the browser trusts.
 *
 * @param pages - which pages of this window's origin count
 */
export async function requireOther(url: URL | null, pages: "any" | "surface" = "surface") {
  if (url === null || !(await surfaceOrigins())(url.origin === "null" ? url.href : url.origin)) return;
  if (pages === "surface" && url.origin === location.origin && !isFolder(url, new URL(location.href))) return;
  throw problem({
    type: "OffLimits",
    message: "The surface can't be opened in one of its own tabs.",
    hint: "Open another page.",
  });
}

/** Return an origin with one name for this computer. */
function nameOf(text: string) {
  const url = URL.parse(text);
  if (url === null) return text;
  if (LOOPBACK.test(url.hostname)) url.hostname = "localhost";
  // The extension's scheme alone has no origin.
  return url.origin === "null" ? `${url.protocol}//${url.host}` : url.origin;
}

/** Return whether an address means a folder, by any spelling that a server may take for it. */
function isFolder(url: URL, folder: URL) {
  return namesOf(url) === namesOf(folder);
}

function namesOf({ pathname }: URL) {
  let path = pathname;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    // It isn't UTF-8, so it is no spelling of a name that is.
  }
  const names = path.split(/[/\\]/).filter((name) => name !== "" && name !== ".");
  if (names.at(-1)?.toLowerCase() === "index.html") names.pop();
  return names.join("/");
}
