/**
 * The shared tabs, for the page that is reloaded. The browser empties the session's storage when the extension is updated or
 * reloaded, but not the other one, which may also be of an earlier run of the browser: a tab of that one counts only if it is
 * still in the group of shared tabs, at its site.
 */

import { isInGroup } from "./group.ts";

const KEY = "shared-tabs";

/** `id` is the browser's; `own`: opened by the surface */
type Saved = { tab: string; id: number; own: boolean; origin: string | null };

export async function saveTabs(tabs: Saved[]) {
  await Promise.all([chrome.storage.session, chrome.storage.local].map((storage) => storage.set({ [KEY]: tabs })));
}

/** @returns those that are still open */
export async function savedTabs(): Promise<(Saved & { url: string })[]> {
  const { [KEY]: inSession } = await chrome.storage.session.get<Saved[]>(KEY);
  const { [KEY]: before = [] } = await chrome.storage.local.get<Saved[]>(KEY);
  const open = new Map((await chrome.tabs.query({})).map((tab): [number, chrome.Tab] => [tab.id, tab]));
  const found = [];
  for (const saved of inSession ?? before) {
    const tab = open.get(saved.id);
    if (tab === undefined) continue;
    const isSame = inSession !== undefined || (URL.parse(tab.url)?.origin === saved.origin && (await isInGroup(tab)));
    if (isSame) found.push({ ...saved, url: tab.url });
  }
  return found;
}
