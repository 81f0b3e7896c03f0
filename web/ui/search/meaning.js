/**
 * Search by meaning, in the omnibar and in the Search panel. Enter starts a search, which may cost; typing doesn't.
 *
 * @import { Actions } from "../actions.js"
 * @import { Failure } from "../types.js"
 * @import { Found, SearchByMeaningResult } from "../../generated/types.js"
 * @import { Store } from "../store.js"
 * @import { Suggestion, Suggestions } from "../omnibar/mode.js"
 * @import { Destinations } from "../omnibar/omnibar.js"
 */

import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { isFailure } from "../call.js";
import { counted } from "../format.js";
import { marked } from "../omnibar/list.js";
import { plain } from "../omnibar/mode.js";
import { embeddingAllowance } from "../models/tickets.js";

const NONE = "Search by meaning is off: no model for embeddings is chosen.";
const WHAT = "Type a question or words, then press Enter.";

/**
 * @param {string} typed
 * @param {AbortSignal} signal
 * @param {object} omnibar
 * @param {Store} omnibar.store
 * @param {Actions} omnibar.actions
 * @param {Destinations} omnibar.to
 * @param {(text: string) => void} omnibar.enter
 * @param {{text: string, begins: boolean}} omnibar.asked the text that the person searches for, and whether it was just asked
 * @returns {Suggestions}
 */
export function suggestByMeaning(typed, signal, { store, actions, to, enter, asked }) {
  const { models } = store.state;
  if (models.embedding === null) {
    return { items: [{ kind: "settings", title: plain("Choose a model for embeddings"), run: () => to.showSetting("own-models-title") }], note: NONE };
  }
  const text = typed.trim();
  if (text === "") return { items: [], note: WHAT };
  if (text !== asked.text) {
    const run = () => {
      Object.assign(asked, { text, begins: true });
      enter(text);
    };
    return { items: [{ kind: "search", title: plain(`Search by meaning for “${text}”`), detail: plain(embeddingAllowance(models) ?? ""), run }] };
  }
  const search = asked.begins ? actions.beginSearchByMeaning : actions.searchByMeaning;
  asked.begins = false;
  return { items: [], note: "Searching…", more: search({ text }, signal).then((found) => suggestionsOf(found, to)) };
}

/** @param {SearchByMeaningResult | Failure} found @param {Destinations} to @returns {Suggestions} */
function suggestionsOf(found, to) {
  if (isFailure(found)) return { items: [], note: `${found.error.message} ${found.error.hint ?? ""}` };
  return { items: found.results.map((result) => suggestionOf(result, to)), again: goesOn(found), note: noteOf(found) };
}

/** @param {Found} result @param {Destinations} to @returns {Suggestion} */
function suggestionOf({ kind, key, about, name, line, snippet }, to) {
  if (kind === "command") return { kind: "terminal", title: snippet, hint: about, run: () => to.typeCommand(key, about) };
  if (kind === "python") return { kind, title: snippet, run: () => to.typePython(key) };
  return { id: `file:${key}`, kind, title: name, detail: snippet, hint: `line ${line}`, run: () => to.openPath(key, line) };
}

/** @param {SearchByMeaningResult} found */
function goesOn({ read, passages }) {
  return read < passages;
}

/** @param {SearchByMeaningResult} found */
export function noteOf({ results, read, passages, cut }) {
  if (read < passages) return `Reading for the first time: ${read.toLocaleString("en")} of ${counted(passages, "passage")}…`;
  if (cut) return `Compared the first ${counted(passages, "passage")}; there is more text.`;
  return results.length === 0 ? "No text to compare." : undefined;
}

/**
 * The list of the Search panel.
 *
 * @param {SearchByMeaningResult} found
 * @param {(path: string, line: number) => unknown} open
 */
export function meaningRows({ results }, open) {
  return repeat(results.filter(({ kind }) => kind === "file"), ({ key }) => key, ({ key, name, line, snippet }) => html`
    <section class="search-file" aria-label=${key}>
      <h3><span class="mono" title=${key}>${marked(name)}</span></h3>
      <ol><li><button type="button" class="quiet mono" @click=${() => open(key, line)}><span class="muted">${
        line}</span> <span>${marked(snippet)}</span></button></li></ol>
    </section>`);
}

/** @param {boolean} isOn @param {() => void} toggle */
export function meaningButton(isOn, toggle) {
  return html`<button type="button" class="quiet mono" id="search-by_meaning" title="Search by meaning" aria-label="Search by meaning"
    data-sign="≈" aria-pressed=${String(isOn)} @click=${toggle}></button>`;
}

/**
 * Search, and go on while there are passages that were never compared.
 *
 * @param {Actions} actions
 * @param {string} text
 * @param {AbortSignal} signal
 * @param {(found: SearchByMeaningResult | Failure) => void} show
 */
export async function searchByMeaning(actions, text, signal, show) {
  let found = await actions.beginSearchByMeaning({ text }, signal);
  let read = -1;
  while (!signal.aborted) {
    show(found);
    if (isFailure(found) || !goesOn(found) || found.read <= read) return;
    read = found.read;
    found = await actions.searchByMeaning({ text }, signal);
  }
}

/** @param {string | null} allowance */
export function allowanceNote(allowance) {
  return allowance === null ? nothing : html` Enter allows ${allowance}`;
}
