/**
 * What the browser begins to store because of an agent's action, if the person has allowed the extension to see downloads
 * (`downloads`, an optional permission). It isn't stored on the person's device: the document's script reads it again.
 *
 * @typedef {{ id: number, url: string, finalUrl: string, state: string }} Item
 *   (https://developer.chrome.com/docs/extensions/reference/api/downloads#type-DownloadItem)
 */

const PERMISSION = { permissions: ["downloads"] };

/** @returns {Promise<boolean>} whether the person has allowed it */
export function seesDownloads() {
  return chrome.permissions.contains(PERMISSION);
}

/** Ask the browser's question, or end the permission. Call it for a press of the person. @param {boolean} allowed */
export async function allowDownloads(allowed) {
  await (allowed ? chrome.permissions.request(PERMISSION) : chrome.permissions.remove(PERMISSION));
}

/**
 * Wait until the browser stores what a URL leads to.
 *
 * @param {string} url
 * @param {Date} since
 * @param {AbortSignal} signal ends the wait
 * @returns {Promise<Item | null>} null at the end
 */
export async function storedFrom(url, since, signal) {
  /** @type {PromiseWithResolvers<Item | null>} */
  const { promise, resolve } = Promise.withResolvers();
  signal.addEventListener("abort", () => resolve(null), { once: true });
  if (signal.aborted || !(await seesDownloads())) return promise;
  const onCreated = (/** @type {Item} */ item) => isOf(item, url) && resolve(item);
  chrome.downloads.onCreated.addListener(onCreated);
  // It may have begun before.
  const before = await storedBefore(url, since);
  if (before !== null) resolve(before);
  return promise.finally(() => chrome.downloads.onCreated.removeListener(onCreated));
}

/** Return what the browser has begun to store of a URL. @param {string} url @param {Date} since @returns {Promise<Item | null>} */
async function storedBefore(url, since) {
  const items = await chrome.downloads.search({ startedAfter: since.toISOString() });
  return items.find((/** @type {Item} */ item) => isOf(item, url)) ?? null;
}

/** @param {Item} item @param {string} url */
function isOf(item, url) {
  return withoutFragment(item.url) === withoutFragment(url);
}

/** @param {string} url */
function withoutFragment(url) {
  return url.split("#", 1)[0];
}

/** Remove what the browser has stored of a download. @param {Item} item */
export async function unstore({ id }) {
  // The browser may have stored all of it already.
  await chrome.downloads.cancel(id).catch(() => {});
  const [item] = await chrome.downloads.search({ id });
  if (item?.state === "complete" && item.exists) await chrome.downloads.removeFile(id);
  await chrome.downloads.erase({ id });
}
