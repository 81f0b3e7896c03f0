/**
 * The shared tabs, for the page that is reloaded. The browser empties the session's storage when the extension is updated or
 * reloaded, but not the other one, which may also be of an earlier run of the browser: a tab of that one counts only if it is
 * still in the group of shared tabs, at its site.
 */

import { isInGroup } from "./group.js";

const KEY = "shared-tabs";

/** @typedef {{ tab: string, id: number, own: boolean, origin: string | null }} Saved `id` is the browser's; `own`: opened by the surface */

/** @param {Saved[]} tabs */
export async function saveTabs(tabs) {
  await Promise.all([chrome.storage.session, chrome.storage.local].map((storage) => storage.set({ [KEY]: tabs })));
}

/** @returns {Promise<(Saved & { url: string })[]>} those that are still open */
export async function savedTabs() {
  const { [KEY]: inSession } = await chrome.storage.session.get(KEY);
  const { [KEY]: before = [] } = await chrome.storage.local.get(KEY);
  /** @type {Map<number, any>} */
  const open = new Map((await chrome.tabs.query({})).map((/** @type {any} */ tab) => [tab.id, tab]));
  const found = [];
  for (const saved of /** @type {Saved[]} */ (inSession ?? before)) {
    const tab = open.get(saved.id);
    if (tab === undefined) continue;
    const isSame = inSession !== undefined || (URL.parse(tab.url)?.origin === saved.origin && (await isInGroup(tab)));
    if (isSame) found.push({ ...saved, url: tab.url });
  }
  return found;
}
