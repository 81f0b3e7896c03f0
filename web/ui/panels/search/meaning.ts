/** Search by meaning, in the omnibar and in the Search panel. Enter starts a search, which may cost; typing doesn't. */

import { html, nothing } from "lit";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { Found, SearchByMeaningResult } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { counted } from "../../lib/format.ts";
import { marked } from "../../omnibar/list.ts";
import { plain, type Suggestion, type Suggestions } from "../../omnibar/mode.ts";
import { embeddingAllowance } from "../../state/model_tickets.ts";
import type { Destinations } from "../../omnibar/omnibar.ts";
import { suggestionOf } from "../../omnibar/search_mode.ts";
import type { Store } from "../../state/store.ts";
import type { Failure } from "../../state/types.ts";

const NONE = "Search by meaning is off: no model for embeddings is chosen.";
const OFF_HERE = "Search by meaning is off. Turn it on in the settings.";
const WHAT = "Type a question or words, then press Enter.";

interface Omnibar {
  store: Store;
  actions: Actions;
  to: Destinations;
  enter: (text: string) => void;
  /** the text that the user searches for, and whether it was just asked */
  asked: { text: string; begins: boolean };
}

export function suggestByMeaning(
  typed: string,
  signal: AbortSignal,
  { store, actions, to, enter, asked }: Omnibar,
): Suggestions {
  const { models } = store.state;
  if (models.embedding === null) {
    return {
      items: [
        {
          kind: "settings",
          title: plain(models.device ? "Search by meaning on this computer" : "Choose a model for embeddings"),
          run: () => to.showSetting("own-models-title"),
        },
      ],
      note: models.device ? OFF_HERE : NONE,
    };
  }
  const text = typed.trim();
  if (text === "") return { items: [], note: WHAT };
  if (text !== asked.text) {
    const run = () => {
      Object.assign(asked, { text, begins: true });
      enter(text);
    };
    return {
      items: [
        {
          kind: "search",
          title: plain(`Search by meaning for “${text}”`),
          detail: plain(embeddingAllowance(models) ?? ""),
          run,
        },
      ],
    };
  }
  const search = asked.begins ? actions.beginSearchByMeaning : actions.searchByMeaning;
  asked.begins = false;
  return { items: [], note: "Searching…", more: search({ text }, signal).then((found) => suggestionsOf(found, to)) };
}

function suggestionsOf(found: SearchByMeaningResult | Failure, to: Destinations): Suggestions {
  if (isFailure(found)) return { items: [], note: `${found.error.message} ${found.error.hint ?? ""}` };
  return { items: found.results.map((result) => itemOf(result, to)), again: goesOn(found), note: noteOf(found) };
}

function itemOf(found: Found, to: Destinations): Suggestion {
  const { kind, key, name, line, snippet } = found;
  if (kind === "command" || kind === "python") return suggestionOf(found, to);
  return {
    id: `file:${key}`,
    kind,
    title: name,
    detail: snippet,
    hint: `line ${line}`,
    run: () => to.openPath(key, line),
  };
}

function goesOn({ read, passages }: SearchByMeaningResult) {
  return read < passages;
}

export function noteOf({ results, read, passages, cut }: SearchByMeaningResult) {
  if (read < passages)
    return `Reading for the first time: ${read.toLocaleString("en")} of ${counted(passages, "passage")}…`;
  if (cut) return `Compared the first ${counted(passages, "passage")}; there is more text.`;
  return results.length === 0 ? "No text to compare." : undefined;
}

/** The list of the Search panel. */
export function meaningRows({ results }: SearchByMeaningResult, open: (path: string, line: number) => unknown) {
  return repeatBy(
    results.filter(({ kind }) => kind === "file"),
    "key",
    ({ key, name, line, snippet }) => html`
    <section class="search-file" aria-label=${key}>
      <h3><span class="mono" title=${key}>${marked(name)}</span></h3>
      <ol><li><button type="button" class="quiet mono" @click=${() => open(key, line)}><span class="muted">${
        line
      }</span> <span>${marked(snippet)}</span></button></li></ol>
    </section>`,
  );
}

export function meaningButton(isOn: boolean, toggle: () => void) {
  return html`<button type="button" class="quiet mono" id="search-by_meaning" title="Search by meaning" aria-label="Search by meaning"
    data-sign="≈" aria-pressed=${String(isOn)} @click=${toggle}></button>`;
}

/** Search, and continue while there are passages that were never compared. */
export async function searchByMeaning(
  actions: Actions,
  text: string,
  signal: AbortSignal,
  show: (found: SearchByMeaningResult | Failure) => void,
) {
  let found = await actions.beginSearchByMeaning({ text }, signal);
  let read = -1;
  while (!signal.aborted) {
    show(found);
    if (isFailure(found) || !goesOn(found) || found.read <= read) return;
    read = found.read;
    found = await actions.searchByMeaning({ text }, signal);
  }
}

export function allowanceNote(allowance: string | null) {
  return allowance === null ? nothing : html` Searching may cost ${allowance}`;
}
