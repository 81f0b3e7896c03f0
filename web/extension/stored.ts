/**
 * Downloads that the browser begins because of an agent's action, if the user has allowed the extension to see
 * downloads (`downloads`, an optional permission). It isn't stored on the user's device: the document's script reads
 * it again.
 */

import { problem } from "../shared/document_link.ts";

/** (https://developer.chrome.com/docs/extensions/reference/api/downloads#type-DownloadItem) */
type Item = { id: number; url: string; finalUrl: string; state: string };

/**
 * the URL that was requested, and where it led; without an id, the extension doesn't see whether the browser stores it
 */
export type Stored = { id: number | null; url: string; finalUrl: string };

export const SENT = "The browser stores the answer, a file, on the user’s device: a form can’t be sent twice.";
export const UNREADABLE = "The browser stores the file on the user’s device: its site doesn’t send it again.";
const UNSEEN =
  "Its site sent no page. If it sent a file, the browser stores it on the user’s device. For files to be stored in " +
  "/project/downloads, the user can turn on “Store agents’ downloads here” in the dialog “Share tabs”.";
const NOTHING = "Its site sent neither a page nor a file.";
// The browser lists a download within this time.
const LISTED_MS = 5_000;
// Without the permission: another navigation follows within this time if it has replaced one.
const FOLLOWS_MS = 500;
const PERMISSION = { permissions: ["downloads"] };

/** @returns whether the user has allowed it */
export function seesDownloads(): Promise<boolean> {
  return chrome.permissions.contains(PERMISSION);
}

/** Ask the browser's question, or end the permission. Call it for a press of the user. */
export async function allowDownloads(allowed: boolean) {
  await (allowed ? chrome.permissions.request(PERMISSION) : chrome.permissions.remove(PERMISSION));
}

/**
 * Return the browser's download of a URL that led to no document.
 *
 * @param urls - the one that was requested, and where it led
 * @returns without an id if the browser doesn't show it within some time
 */
export async function storedOf(urls: string[], since: Date): Promise<Stored> {
  const wanted = urls.map(withoutFragment);
  const isWanted = (item: Item) => [item.url, item.finalUrl].some((url) => wanted.includes(withoutFragment(url)));
  const { promise, resolve }: PromiseWithResolvers<Stored> = Promise.withResolvers();
  const isSeen = await seesDownloads();
  setTimeout(() => resolve({ id: null, url: urls[0], finalUrl: urls[0] }), isSeen ? LISTED_MS : FOLLOWS_MS);
  if (!isSeen) return promise;
  const onCreated = (item: Item) => isWanted(item) && resolve(item);
  chrome.downloads.onCreated.addListener(onCreated);
  // It may have begun before.
  const before = (await chrome.downloads.search({ startedAfter: since.toISOString() })).find(isWanted);
  if (before) resolve(before);
  return promise.finally(() => chrome.downloads.onCreated.removeListener(onCreated));
}

function withoutFragment(url: string) {
  return url.split("#", 1)[0];
}

/** Remove the browser's file of a download. */
export async function unstore(id: number) {
  // The browser may have stored all of it already.
  await chrome.downloads.cancel(id).catch(() => {});
  const [item] = await chrome.downloads.search({ id });
  if (item?.state === "complete" && item.exists) await chrome.downloads.removeFile(id);
  await chrome.downloads.erase({ id });
}

/** Return why a file that the extension doesn't see stays with the browser. */
export async function whyStored(): Promise<string> {
  return (await seesDownloads()) ? NOTHING : UNSEEN;
}

/** Return the error of opening something that isn't a page. */
export function noPage(url: string, why: string) {
  return problem({
    type: "Unsupported",
    message: `${url} can't be shown. ${why}`,
    hint: "Open a page of the site, or use curl in a terminal.",
  });
}

// Chromium's message for a page of its own in place of one that no server has sent.
const ERROR_PAGE = /\bis showing error page$/;

/** Return why a document isn't read; where no server has answered, in the words that make opening it an error. */
export function whyUnread(message: string): string {
  if (!ERROR_PAGE.test(message)) return message;
  return "it can't be opened (its server doesn't answer, or refuses the connection)";
}
