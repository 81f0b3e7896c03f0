/**
 * The palette: commands, panels, settings, tools, files, text in files and addresses in one list. Items that the page
 * knows are listed at once, so it works while Python is busy; Python's follow.
 */

import type { Actions } from "../state/actions.ts";
import { isFailure } from "../state/kernel_calls.ts";
import type { Store } from "../state/store.ts";
import { addressItems, openTabs, recentPages } from "./address_mode.ts";
import { gradeOf, LETTERS } from "./grades.ts";
import { plain, type Mode, type Suggestion } from "./mode.ts";
import type { Destinations } from "./omnibar.ts";
import { commandItems, pageItems, type PageItem } from "./page_items.ts";
import { pause } from "./pause.ts";
import { inOrder, ranked, type Graded } from "./ranking.ts";
import { recentIds } from "./recent.ts";
import { noteOf, suggestionOf } from "./search_mode.ts";

const WAIT_MS = 80;
const MAX_ITEMS = 50;
const MAX_RECENT = 5;
/** Names of files that look like names of hosts. Those in the first line end in top-level domains. */
const ENDINGS = [
  ["py", "sh", "md", "rs", "ps", "pl", "cc", "so", "zip", "mov", "app"],
  ["html?", "css", "[jt]sx?", "[cm]js", "json", "ipynb", "txt", "csv", "log", "toml", "ya?ml", "xml", "ini", "sql"],
  ["svg", "png", "jpe?g", "gif", "webp", "pdf", "gz", "whl"],
].flat();
const FILE = new RegExp(`^[\\w.-]+\\.(${ENDINGS.join("|")})$`, "i");
const HINT = "Type > for commands, ? for text, = for meaning, / for addresses, ! for agents.";

export function everythingMode(store: Store, actions: Actions, to: Destinations): Mode {
  return {
    id: "everything",
    label: "All",
    placeholder: "Search everything: commands, files, tools, addresses",
    wait: 0,
    suggest(text, signal) {
      if (text.trim() === "") return { items: [...usedLast(store, to), ...starters()], note: HINT };
      const here = [
        ...ranked(text, [...pageItems(store, to), ...knownFiles(store, to)]),
        ...addresses(store, text, actions, to),
      ];
      const inFiles = searchInFiles(text, to);
      const more = pythonItems(text, actions, to, signal).then(({ found, ...rest }) => {
        const paths = new Set(found.map(({ id }) => id));
        const others = here.filter(({ id }) => id === undefined || !paths.has(id));
        return { items: [...inOrder([...others, ...found]).slice(0, MAX_ITEMS), inFiles], ...rest };
      });
      return { items: [...inOrder(here).slice(0, MAX_ITEMS), inFiles], more };
    },
  };
}

/** Return Python's results for a text, which it has graded. */
async function pythonItems(text: string, actions: Actions, to: Destinations, signal: AbortSignal) {
  await pause(WAIT_MS, signal);
  const answer = await actions.search({ text }, signal);
  if (isFailure(answer)) return { found: [], note: answer.error.message };
  const found: Graded[] = answer.results.map((result) => ({ ...suggestionOf(result, to), grade: result.grade }));
  return { found, again: answer.unfinished, note: noteOf(answer) };
}

/** Return the files that the page shows. */
function knownFiles({ state: { files, editors } }: Store, to: Destinations): PageItem[] {
  const shown =
    files?.entries.map(({ path, type }) => ({ path, kind: type === "directory" ? "folder" : "file" })) ?? [];
  const open = editors?.files.map(({ path }) => ({ path, kind: "file" })) ?? [];
  const known = new Map([...shown, ...open].map((each) => [each.path, each]));
  return [...known.values()].map(({ path, kind }) => fileItem(path, kind, to));
}

function fileItem(path: string, kind: string, to: Destinations): PageItem {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return { id: `file:${path}`, kind, name, detail: plain(path), run: () => to.openPath(path) };
}

function addresses(store: Store, text: string, actions: Actions, to: Destinations): Graded[] {
  const tabs = openTabs(store, text, actions, to);
  const grade = (item: Suggestion) => {
    const name = item.title.map((piece) => piece.text).join("");
    return { ...item, grade: gradeOf(text, name, item.detail?.map((piece) => piece.text).join(""))?.grade ?? LETTERS };
  };
  return [...tabs, ...recentPages(text, to), ...(FILE.test(text) ? [] : addressItems(text, to))].map(grade);
}

function searchInFiles(text: string, to: Destinations): Suggestion {
  const title = plain(`Search in all files for “${text.trim()}”`);
  return { kind: "search", fallback: true, title, run: () => to.searchFiles(text.trim()) };
}

function starters(): Suggestion[] {
  return grouped(
    "Start",
    commandItems()
      .filter(({ starter }) => starter)
      .sort((left, right) => (left.starter ?? 0) - (right.starter ?? 0)),
  );
}

function usedLast(store: Store, to: Destinations): Suggestion[] {
  const items = new Map([...pageItems(store, to), ...knownFiles(store, to)].map((item) => [item.id, item]));
  const used = recentIds()
    .map((id) => items.get(id) ?? savedFile(id, to))
    .filter((item) => item !== null && !item.starter);
  // The filter leaves no null.
  return grouped("Used last", used.slice(0, MAX_RECENT) as PageItem[]);
}

/** Return a file that the page doesn't show now. */
function savedFile(id: string, to: Destinations): PageItem | null {
  return id.startsWith("file:") ? fileItem(id.slice("file:".length), "file", to) : null;
}

function grouped(group: string, items: PageItem[]): Suggestion[] {
  return items.map(({ name, keywords, starter, ...item }, index) => ({
    ...item,
    title: plain(name),
    group: index === 0 ? group : undefined,
  }));
}
