/** Address mode: pages, open tabs, files and folders. */

import { isFailure } from "../state/kernel_calls.ts";
import { loadSaved, save } from "../../shared/local_state.ts";
import type { Actions } from "../state/actions.ts";
import type { Store } from "../state/store.ts";
import { fuzzyMatch } from "./fuzzy.ts";
import { plain, type Mode, type Suggestion } from "./mode.ts";
import type { Destinations } from "./omnibar.ts";
import { pathSuggestions } from "./search_mode.ts";

const RECENT = "addresses";
const MOST_RECENT = 20;
const SCHEME = /^(https?|about|data|blob):/i;
const HOST = /^(localhost|[a-z\d-]+(\.[a-z\d-]+)+)(:\d+)?(\/|\?|#|$)/i;
const PATH = /^(\/|~|\.{1,2}\/)/;
const PAGE = /\.html?$/i;

export function addressMode(store: Store, actions: Actions, to: Destinations): Mode {
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

/** Return the page that a text names without its scheme, if it looks like a host. */
export function addressItems(text: string, to: Destinations) {
  return HOST.test(text) ? typedPage(`https://${text}`, to) : [];
}

/** Return a page that the user has typed, here and in a tab of the browser. */
function typedPage(url: string, to: Destinations): Suggestion[] {
  const here = { ...page(url, to), run: () => open(url, to, true) };
  const title = plain(`Open ${url} in a browser tab`);
  return /^https?:/i.test(url)
    ? [here, { kind: "outside", title, second: true, keys: "Alt+Enter", run: () => to.openOutside(url) }]
    : [here];
}

function page(url: string, to: Destinations): Suggestion {
  return { kind: "page", title: plain(url), run: () => open(url, to) };
}

/** @param typed - whether the user has typed it now */
function open(url: string, to: Destinations, typed = false) {
  const others = loadSaved<string[]>(RECENT, []).filter((other) => other !== url);
  save(RECENT, [url, ...others].slice(0, MOST_RECENT));
  return to.openUrl(url, typed);
}

async function paths(text: string, actions: Actions, to: Destinations, signal: AbortSignal) {
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

function pathItems(path: string, typed: number, to: Destinations): Suggestion[] {
  const title = [
    { text: path.slice(0, typed), match: true },
    { text: path.slice(typed), match: false },
  ];
  const kind = path.endsWith("/") ? "folder" : "file";
  const file = { id: `file:${path}`, kind, title, fill: path, run: () => to.openPath(path) };
  return PAGE.test(path) ? [{ kind: "page", title, fill: path, run: () => open(path, to) }, file] : [file];
}

export function openTabs(store: Store, text: string, actions: Actions, to: Destinations) {
  return store.state.tabs
    .filter(({ id, url }) => id !== "page" && url !== "about:blank")
    .flatMap((tab) => {
      const label = tab.title || tab.url;
      const match =
        text === ""
          ? { pieces: plain(label) }
          : (fuzzyMatch(text, label) ?? (tab.url.includes(text) ? { pieces: plain(label) } : null));
      const run = async () => {
        to.openPanel("browser");
        return actions.tabs({ action: "focus", tab: tab.id });
      };
      return match ? [{ kind: "tab", title: match.pieces, detail: plain(tab.url), run }] : [];
    });
}

export function recentPages(text: string, to: Destinations) {
  const part = text.toLowerCase();
  return loadSaved<string[]>(RECENT, [])
    .filter((url) => url.toLowerCase().includes(part) && url !== text)
    .slice(0, 5)
    .map((url) => ({ ...page(url, to), kind: "recent" }));
}
