/** Registers the hook (content/hook.ts) for documents of the sites of shared tabs, before their own scripts run. */

import { isAllowed } from "./sites.ts";

const ID = "hook";
/** The patterns that are registered, as JSON. */
let registered = "";
let last: Promise<void> = Promise.resolve();

/**
 * @param urls - of the shared tabs
 * @returns once documents of their sites that load from now on have the hook
 */
export function watchSites(urls: string[]): Promise<void> {
  last = last.then(() => register(urls));
  return last;
}

async function register(urls: string[]) {
  const matches = [];
  for (const text of urls) {
    const url = URL.parse(text);
    // Patterns have no ports (https://developer.chrome.com/docs/extensions/develop/concepts/match-patterns).
    if (url && /^https?:$/.test(url.protocol) && (await isAllowed(text)))
      matches.push(`${url.protocol}//${url.hostname}/*`);
  }
  const patterns = [...new Set(matches)].sort();
  if (JSON.stringify(patterns) === registered) return;
  registered = JSON.stringify(patterns);
  const before = await chrome.scripting.getRegisteredContentScripts({ ids: [ID] });
  if (before.length > 0) await chrome.scripting.unregisterContentScripts({ ids: [ID] });
  if (patterns.length === 0) return;
  await chrome.scripting.registerContentScripts([
    {
      id: ID,
      matches: patterns,
      js: ["hook.js"],
      runAt: "document_start",
      world: "MAIN",
      persistAcrossSessions: false,
    },
  ]);
}
