/**
 * Search and replace in all files. Python finds the matches and what each becomes; the list is the preview, and only
 * the files in it that are selected and unchanged are replaced. A separate bundle.
 */

import { html, nothing, render } from "lit";
import type { ErrorRow, FindInFilesResult, ModelsRow, Query, SearchByMeaningResult } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import type { State } from "../../state/types.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { byId, showProblem } from "../../lib/elements.ts";
import { counted } from "../../lib/format.ts";
import { embeddingAllowance } from "../../state/model_tickets.ts";
import { allowanceNote, meaningButton, meaningRows, noteOf, searchByMeaning } from "./meaning.ts";
import { fileRows } from "./results.ts";

export { suggestByMeaning } from "./meaning.ts";

const WAIT_MS = 150;

const OPTIONS: { name: "match_case" | "whole_word" | "regex"; label: string; sign: string }[] = [
  { name: "match_case", label: "Match case", sign: "Aa" },
  { name: "whole_word", label: "Match whole word", sign: "ab" },
  { name: "regex", label: "Use regular expression", sign: ".*" },
];

export class SearchPanel {
  #place = byId("search-body", HTMLElement);
  #problem = byId("search-problem", HTMLElement);
  #query: Required<Query> = { text: "", regex: false, match_case: false, whole_word: false, include: "", exclude: "" };
  #replacement = "";
  /** True since the user has been in the field: then the list shows what each match becomes. */
  #replaces = false;
  /** The query and replacement of the list. */
  #listed = "";
  #found: FindInFilesResult | null = null;
  /** paths that are not replaced */
  #left = new Set<string>();
  #undo: string | null = null;
  #note = "";
  #ready = false;
  #models: ModelsRow | null = null;
  #byMeaning = false;
  #alike: SearchByMeaningResult | null = null;
  #busy = false;
  #request: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  actions: Actions;
  callbacks: { openPath: (path: string, line?: number) => unknown };

  constructor(actions: Actions, callbacks: { openPath: (path: string, line?: number) => unknown }) {
    this.actions = actions;
    this.callbacks = callbacks;
    this.#place.replaceChildren();
    this.#draw();
  }

  render({ kernel, models }: State) {
    this.#ready = kernel === "ready";
    this.#models = models;
    this.#byMeaning &&= models.embedding !== null;
    this.#draw();
  }

  /** Focus the field, and search for a text if it isn't empty. */
  enter(text: string) {
    if (text !== "") this.#change({ text });
    const field = byId("search-text", HTMLInputElement);
    field.focus();
    field.select();
  }

  #change(change: Partial<Query>) {
    Object.assign(this.#query, change);
    this.#search();
  }

  #becomes(replacement: string) {
    if (this.#replaces && replacement === this.#replacement) return;
    this.#replaces = true;
    this.#replacement = replacement;
    this.#search();
  }

  /** Search after a pause in typing, and cancel the previous search. */
  #search(wait = WAIT_MS) {
    const request = this.#newRequest();
    this.#alike = null;
    if (!this.#byMeaning) this.#timer = setTimeout(() => void this.#ask(request.signal), wait);
    this.#draw();
  }

  #newRequest() {
    clearTimeout(this.#timer);
    this.#request?.abort();
    return (this.#request = new AbortController());
  }

  #toggleMeaning() {
    this.#byMeaning = !this.#byMeaning;
    this.#found = null;
    this.#search(0);
  }

  #searchByMeaning() {
    const { signal } = this.#newRequest();
    const { text } = this.#query;
    if (text.trim() === "") return;
    this.#busy = true;
    this.#draw();
    void searchByMeaning(this.actions, text, signal, (found) => {
      this.#show(isFailure(found) ? found.error : null);
      this.#alike = isFailure(found) ? null : found;
      this.#busy = false;
      this.#draw();
    });
  }

  async #ask(signal: AbortSignal) {
    const asked = this.#asked;
    const given = { query: { ...this.#query }, replacement: this.#replaces ? this.#replacement : null };
    const found = await this.actions.findInFiles(given, signal);
    if (signal.aborted) return;
    this.#show(isFailure(found) ? found.error : null);
    this.#found = isFailure(found) ? null : found;
    this.#listed = asked;
    this.#draw();
  }

  get #asked() {
    return JSON.stringify([this.#query, this.#replaces, this.#replacement]);
  }

  /** The files of the preview that are selected; none if the list belongs to another query. */
  get #chosen() {
    if (!this.#replaces || this.#listed !== this.#asked) return [];
    return this.#found?.files.filter(({ path }) => !this.#left.has(path)) ?? [];
  }

  async #replace() {
    const chosen = this.#chosen;
    if (chosen.length === 0 || this.#busy) return;
    this.#busy = true;
    const previewed = chosen.map(({ path, version }) => ({ path, version }));
    const done = await this.actions.replaceInFiles({
      query: { ...this.#query },
      replacement: this.#replacement,
      previewed,
    });
    this.#busy = false;
    this.#show(isFailure(done) ? done.error : null);
    if (!isFailure(done)) {
      this.#undo = done.undo;
      this.#note = `Replaced ${counted(done.count, "occurrence")} in ${counted(done.paths.length, "file")}.${changedNote(done.changed)}`;
    }
    this.#search(0);
  }

  async #undoReplace() {
    const undone = await this.actions.undoReplace({ undo: this.#undo ?? "" });
    this.#undo = null;
    this.#show(isFailure(undone) ? undone.error : null);
    this.#note = isFailure(undone)
      ? ""
      : `Restored ${counted(undone.paths.length, "file")}.${changedNote(undone.changed)}`;
    this.#search(0);
  }

  #show(error: ErrorRow | null) {
    showProblem(this.#problem, error);
  }

  #toggle(path: string) {
    if (!this.#left.delete(path)) this.#left.add(path);
    this.#draw();
  }

  #draw() {
    render(
      html`
      <form class="search-fields" @submit=${(event: Event) => event.preventDefault()}>
        ${this.#textField()}${this.#byMeaning ? nothing : this.#replaceFields()}
        <div class="search-options" role="group" aria-label="Options">${OPTIONS.map(
          ({ name, label, sign }) => html`<button type="button"
          class="quiet mono" id="search-${name}" title=${label} aria-label=${label} data-sign=${sign}
          aria-pressed=${String(this.#query[name])} ?disabled=${this.#byMeaning}
          @click=${() => this.#change({ [name]: !this.#query[name] })}></button>`,
        )}${this.#models?.embedding ? meaningButton(this.#byMeaning, () => this.#toggleMeaning()) : nothing}</div>
        ${this.#byMeaning ? nothing : html`${this.#globs("include", "Files to include", "*.py, src")}${this.#globs("exclude", "Files to exclude", "build, *.min.js")}`}
      </form>
      <p id="search-note" class="search-note" role="status">${this.#note} ${
        this.#undo === null
          ? nothing
          : html`<button
        id="search-undo" type="button" data-action="undo_replace" @click=${() => void this.#undoReplace()}>Undo</button>`
      }</p>
      <p class="search-note muted" role="status">${this.#summary()}</p>
      <div id="search-results" class="search-results scroll" tabindex="0" role="group" aria-label="Matches">${
        this.#alike
          ? meaningRows(this.#alike, this.callbacks.openPath)
          : this.#found
            ? fileRows(this.#found.files, this.#replaces, {
                open: (path, line) => this.callbacks.openPath(path, line),
                selected: (path) => !this.#left.has(path),
                toggle: (path) => this.#toggle(path),
              })
            : nothing
      }</div>`,
      this.#place,
    );
  }

  #textField() {
    return html`<input id="search-text" type="text" class="mono" aria-label="Search" placeholder="Search" autocomplete="off" spellcheck="false"
        data-focus-first .value=${this.#query.text} @keydown=${(event: KeyboardEvent) => {
          if (event.key === "Enter" && !event.isComposing && this.#byMeaning) this.#searchByMeaning();
        }}
        @input=${({ currentTarget }: { currentTarget: HTMLInputElement }) => this.#change({ text: currentTarget.value })}>`;
  }

  // One Tab leads from the text to the replacement, so the options follow.
  #replaceFields() {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Enter" && !event.isComposing) void this.#replace();
    };
    return html`<input id="search-replacement" type="text" class="mono" aria-label="Replace" placeholder="Replace" autocomplete="off"
        spellcheck="false" .value=${this.#replacement} @keydown=${onKey}
        @focus=${() => this.#becomes(this.#replacement)}
        @input=${({ currentTarget }: { currentTarget: HTMLInputElement }) => this.#becomes(currentTarget.value)}>
      <button id="search-replace" type="button" data-action="replace_in_files" ?disabled=${!this.#ready || this.#busy || this.#chosen.length === 0}
        @click=${() => void this.#replace()}>Replace all</button>`;
  }

  #globs(name: "include" | "exclude", label: string, example: string) {
    return html`<label class="search-glob"><span>${label}</span><input id="search-${name}" type="text" class="mono"
      autocomplete="off" spellcheck="false" placeholder=${example} .value=${this.#query[name]}
      @input=${({ currentTarget }: { currentTarget: HTMLInputElement }) => this.#change({ [name]: currentTarget.value })}></label>`;
  }

  #summary() {
    if (this.#byMeaning) return this.#meaningSummary();
    if (this.#query.text === "")
      return "Search the text of all files in /project. Enter in Replace replaces what the list shows.";
    if (this.#found === null) return this.#ready ? "" : "Available when Python has started.";
    const { files, count, searched, cut } = this.#found;
    if (count === 0) return `No matches in ${counted(searched, "file")}.`;
    return `${counted(count, "occurrence")} in ${counted(files.length, "file")}${cut ? "; there are more" : ""}.`;
  }

  #meaningSummary() {
    if (this.#busy) return "Searching…";
    if (this.#alike !== null) return noteOf(this.#alike) ?? "Best first.";
    const { embedding } = this.#models ?? {};
    const where =
      embedding?.provider === "device"
        ? "No text leaves this computer."
        : `The text of your files goes to ${embedding?.label}.`;
    return html`Type a question or words, then press Enter. ${where}${allowanceNote(
      this.#models === null ? null : embeddingAllowance(this.#models),
    )}`;
  }
}

function changedNote(changed: string[]) {
  return changed.length === 0 ? "" : ` ${counted(changed.length, "file")} changed since and stayed as they are.`;
}
