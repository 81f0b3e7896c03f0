/** Search mode: Python's results in files, commands, code and calls. */

import type { Found, Piece, SearchResult } from "../../generated/types.ts";
import type { Actions } from "../state/actions.ts";
import { isFailure } from "../state/kernel_calls.ts";
import { counted } from "../lib/format.ts";
import { plain, type Mode, type Suggestion } from "./mode.ts";
import type { Destinations } from "./omnibar.ts";

export function searchMode(actions: Actions, to: Destinations): Mode {
  return {
    id: "search",
    label: "Search",
    placeholder: "Files, commands, code, calls",
    prefix: "?",
    wait: 80,
    async suggest(text, signal) {
      if (text.trim() === "") {
        return { items: [], note: "Search files, commands, code and calls. Type > for commands, / for addresses." };
      }
      const answer = await actions.search({ text }, signal);
      if (isFailure(answer)) return { items: [], note: answer.error.message };
      const { results, unfinished: again } = answer;
      return { items: results.map((result) => suggestionOf(result, to)), again, note: noteOf(answer) };
    },
  };
}

/** Say what was searched, if it isn't all yet, or nothing was found. */
export function noteOf({ results, unfinished, files }: SearchResult) {
  const searched = `${counted(files, "file")} and folder${files === 1 ? "" : "s"}`;
  if (unfinished) return `Indexing: ${searched} so far…`;
  return results.length === 0 ? `No matches in ${searched}, commands, code and calls.` : undefined;
}

export function suggestionOf({ kind, key, about, name, line, snippet }: Found, to: Destinations): Suggestion {
  switch (kind) {
    case "file":
      return {
        id: `file:${key}`,
        kind,
        title: name,
        detail: snippet,
        hint: hasMatch(snippet) ? `line ${line}` : undefined,
        run: () => to.openPath(key, hasMatch(snippet) ? line : undefined),
      };
    case "folder":
      return { id: `file:${key}`, kind, title: name, run: () => to.openPath(key) };
    case "command":
      return { kind: "terminal", title: snippet, hint: about, run: () => to.typeCommand(key, about) };
    case "python":
      return { kind, title: snippet, run: () => to.typePython(key) };
    default:
      return {
        kind,
        title: name,
        detail: snippet,
        hint: about && `by ${about}`,
        run: () => to.showCall(parseInt(key, 10)),
      };
  }
}

function hasMatch(pieces: Piece[]) {
  return pieces.some(({ match }) => match);
}

/** Return search results as path suggestions for address mode. */
export function pathSuggestions(results: Found[], to: Destinations) {
  return results.map(({ kind, key, name }) => ({
    kind,
    title: name.length > 0 ? name : plain(key),
    fill: key,
    run: () => to.openPath(key),
  }));
}
