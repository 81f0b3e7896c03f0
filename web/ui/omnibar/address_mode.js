/**
 * Address mode: pages, open tabs, files and folders.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { Mode, Suggestion } from "./mode.js"
 * @import { Destinations } from "./omnibar.js"
 */

import { isFailure } from "../call.js";
import { loadSaved, save } from "../../shared/saved.js";
import { fuzzyMatch } from "./fuzzy.js";
import { plain } from "./mode.js";
import { pathSuggestions } from "./search_mode.js";

const RECENT = "addresses";
const MOST_RECENT = 20;
const SCHEME = /^(https?|about|data|blob):/i;
const HOST = /^(localhost|[a-z\d-]+(\.[a-z\d-]+)+)(:\d+)?(\/|\?|#|$)/i;
const PATH = /^(\/|~|\.{1,2}\/)/;
const PAGE = /\.html?$/i;

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {Destinations} to
 * @returns {Mode}
 */
export function addressMode(store, actions, to) {
  return {
    id: "address",
    label: "Address",
    placeholder: "Address, or path of a file or folder",
    implied: (text) => PATH.test(text) || /^https?:/i.test(text),
    wait: 50,
    async suggest(typed, signal) {
      const text = typed.trim();
      const tabs = openTabs(store, text, actions, to);
      const recent = recentPages(text, to);
      if (text === "") return { items: [...tabs, ...recent], note: "Type an address or a file's path." };
      if (SCHEME.test(text)) return { items: [...typedPage(text, to), ...tabs, ...recent] };
      if (PATH.test(text)) return paths(text, actions, to, signal);
      const found = await actions.search({ text, kinds: ["file", "folder"] }, signal);
      const files = isFailure(found) ? [] : pathSuggestions(found.results, to);
      const items = [...tabs, ...recent, ...files, ...addressItems(text, to)];
      return { items, note: items.length === 0 ? "No matches." : undefined };
    },
  };
}

/** Return the page that a text names without its scheme, if it looks like a host. @param {string} text @param {Destinations} to */
export function addressItems(text, to) {
  return HOST.test(text) ? typedPage(`https://${text}`, to) : [];
}

/** Return a page that the person has typed, here and in a tab of the browser. @param {string} url @param {Destinations} to @returns {Suggestion[]} */
function typedPage(url, to) {
  const here = { ...page(url, to), run: () => open(url, to, true) };
  const title = plain(`Open ${url} in a browser tab`);
  return /^https?:/i.test(url) ? [here, { kind: "outside", title, second: true, keys: "Alt+Enter", run: () => to.openOutside(url) }] : [here];
}

/** @param {string} url @param {Destinations} to @returns {Suggestion} */
function page(url, to) {
  return { kind: "page", title: plain(url), run: () => open(url, to) };
}

/** @param {string} url @param {Destinations} to @param {boolean} [typed] whether the person has typed it now */
function open(url, to, typed = false) {
  const others = loadSaved(RECENT, /** @type {string[]} */ ([])).filter((other) => other !== url);
  save(RECENT, [url, ...others].slice(0, MOST_RECENT));
  return to.openUrl(url, typed);
}

/**
 * @param {string} text
 * @param {Actions} actions
 * @param {Destinations} to
 * @param {AbortSignal} signal
 */
async function paths(text, actions, to, signal) {
  const answer = await actions.completePath({ path: text }, signal);
  const found = isFailure(answer) ? [] : answer;
  const items = found.flatMap((path) => pathItems(path, text.length, to));
  // A complete folder path can be opened as typed.
  const whole = text.endsWith("/") ? [{ kind: "folder", title: plain(text), run: () => to.openPath(text) }] : [];
  return {
    items: [...whole, ...items],
    note: items.length === 0 ? "No matching paths." : undefined,
  };
}

/** @param {string} path @param {number} typed @param {Destinations} to @returns {Suggestion[]} */
function pathItems(path, typed, to) {
  const title = [{ text: path.slice(0, typed), match: true }, { text: path.slice(typed), match: false }];
  const kind = path.endsWith("/") ? "folder" : "file";
  const file = { id: `file:${path}`, kind, title, fill: path, run: () => to.openPath(path) };
  return PAGE.test(path) ? [{ kind: "page", title, fill: path, run: () => open(path, to) }, file] : [file];
}

/** @param {Store} store @param {string} text @param {Actions} actions @param {Destinations} to */
export function openTabs(store, text, actions, to) {
  return store.state.tabs.filter(({ id, url }) => id !== "page" && url !== "about:blank").flatMap((tab) => {
    const label = tab.title || tab.url;
    const match = text === "" ? { pieces: plain(label) } : fuzzyMatch(text, label) ?? (tab.url.includes(text) ? { pieces: plain(label) } : null);
    const run = async () => {
      to.openPanel("browser");
      return actions.tabs({ action: "focus", tab: tab.id });
    };
    return match ? [{ kind: "tab", title: match.pieces, detail: plain(tab.url), run }] : [];
  });
}

/** @param {string} text @param {Destinations} to */
export function recentPages(text, to) {
  const part = text.toLowerCase();
  return loadSaved(RECENT, /** @type {string[]} */ ([])).filter((url) => url.toLowerCase().includes(part) && url !== text)
    .slice(0, 5).map((url) => ({ ...page(url, to), kind: "recent" }));
}
