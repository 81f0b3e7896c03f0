/**
 * Changes of files by agents: the checkpoints, the files of one, their differences, and reverting them. A separate
 * bundle that the Agent and Activity panels show.
 */

import { html, nothing, render } from "lit";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { ChangedFile, CheckpointRow, TakeBackResult } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { bytes, counted, when } from "../../lib/format.ts";
import { loadPart } from "../../lib/lazy_bundles.ts";
import type { Failure } from "../../state/types.ts";
import { callerInSentence } from "../../lib/caller_names.ts";
import { CHANGES, nameOf } from "./labels.ts";
import { focusIn } from "../../lib/elements.ts";

/** Let a path break after its slashes. */
function breakable(path: string) {
  return path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`);
}

export class ChangesView {
  #place: HTMLElement;
  #actions: Actions;
  #fixed: string;
  #checkpoints: CheckpointRow[] | null = null;
  /** The checkpoint whose files are shown; empty for the list. */
  #shown;
  #files: ChangedFile[] | null = null;
  #selected = new Set<string>();
  /** Open differences, by path. */
  #open = new Map<string, HTMLElement>();
  #done: TakeBackResult | null = null;
  #problem: Failure["error"] | null = null;
  #announcement = "";
  #busy = false;

  /** @param checkpoint - the only one to show */
  constructor(place: HTMLElement, actions: Actions, checkpoint = "") {
    this.#place = place;
    this.#actions = actions;
    this.#fixed = this.#shown = checkpoint;
  }

  /** Read the changes again. */
  async refresh() {
    await (this.#shown === "" ? this.#readList() : this.#readFiles());
    this.#draw();
  }

  async #readList() {
    const read = await this.#actions.listCheckpoints();
    this.#problem = isFailure(read) ? read.error : null;
    if (!isFailure(read)) this.#checkpoints = read;
  }

  async #readFiles() {
    const read = await this.#actions.listChanges({ checkpoint: this.#shown });
    // A run that changed nothing has no checkpoint.
    const none = isFailure(read) && read.error.type === "VersionMissing";
    this.#problem = isFailure(read) && !none ? read.error : null;
    const listed = new Set(this.#files?.map(({ path }) => path));
    // A created file that is gone again isn't a change. If it is listed already, the list keeps its rows in their places.
    this.#files = isFailure(read)
      ? []
      : read.filter(({ same, change, path }) => !(same && change === "created") || listed.has(path));
    const paths = new Set(this.#files.map(({ path }) => path));
    this.#selected = new Set([...this.#selected].filter((path) => paths.has(path)));
    for (const path of this.#open.keys()) if (!paths.has(path)) this.#open.delete(path);
  }

  async #choose(id: string) {
    this.#shown = id;
    this.#files = this.#done = null;
    this.#selected.clear();
    this.#open.clear();
    await this.refresh();
    focusIn(this.#place, id === "" ? ".changes-checkpoint" : ".changes-back");
  }

  #draw() {
    const problem = this.#problem;
    // Notices are below the list, whose rows stay where the pointer is.
    render(
      html`
      ${this.#shown === "" ? this.#list() : this.#details()}
      <div class="changes-notices">
        <p class="problem" role="alert" ?hidden=${problem === null}>${problem?.message}
          ${problem?.hint ? html`<span class="hint">${problem.hint}</span>` : nothing}</p>
        <p class="visually-hidden" role="status">${this.#announcement}</p>
        ${this.#shown === "" ? nothing : this.#outcome()}</div>`,
      this.#place,
    );
  }

  #list() {
    const rows = this.#checkpoints;
    if (rows === null) return nothing;
    if (rows.length === 0) {
      return html`<p class="empty">No file changes yet. Changes by agents are listed here, and can be reverted.</p>`;
    }
    return html`<p class="changes-buttons"><button type="button" class="quiet" @click=${() => void this.refresh()}>Refresh</button></p>
      <ul class="changes-list" aria-label="File changes by caller">${repeatBy(
        rows,
        "id",
        (row) => html`<li>
        <button type="button" class="quiet changes-checkpoint" data-checkpoint=${row.id} @click=${() => void this.#choose(row.id)}>
          <span>${row.about === null ? callerInSentence(row.caller) : html`Reverted by ${callerInSentence(row.caller)}`}</span>
          <span class="muted">${counted(row.files, "file")} · ${when(new Date(row.changed * 1000).toISOString())}</span>
        </button></li>`,
      )}</ul>`;
  }

  #details() {
    const files = this.#files;
    if (files === null) return nothing;
    const back =
      this.#fixed !== ""
        ? nothing
        : html`<button type="button" class="quiet changes-back"
      @click=${() => void this.#choose("")}>All changes</button>`;
    const differ = files.filter(({ same }) => !same);
    const selected = differ.filter(({ path }) => this.#selected.has(path));
    return html`
      <p class="changes-buttons">${back}
        <button type="button" class="quiet" @click=${() => void this.refresh()}>Refresh</button>
        ${
          files.length === 0
            ? nothing
            : html`
          <button type="button" class="changes-all" ?disabled=${this.#busy || differ.length === 0}
            @click=${() => void this.#takeBack(this.#shown)}>Revert all</button>
          <button type="button" class="changes-some" ?disabled=${this.#busy || selected.length === 0}
            @click=${() =>
              void this.#takeBack(
                this.#shown,
                selected.map(({ path }) => path),
              )}>Revert selected</button>`
        }</p>
      ${
        files.length === 0
          ? html`<p class="empty">No file changes. Changes are listed here, and can be reverted.</p>`
          : html`<ul class="changes-list" aria-label="Changed files">
            ${repeatBy(files, "path", (file) => html`<li>${this.#file(file)}</li>`)}</ul>`
      }`;
  }

  #outcome() {
    const done = this.#done;
    if (done === null) return nothing;
    return html`<div class="changes-outcome" role="group" aria-label="Reverted changes">
      <p>${this.#announcement} ${
        done.restored.length === 0
          ? nothing
          : html`<button type="button" class="changes-undo" ?disabled=${this.#busy}
        @click=${() => void this.#takeBack(done.undo)}>Undo</button>`
      }</p>
      ${
        done.changed_since.length === 0
          ? nothing
          : html`<p>Changed again since, and saved as a version:
        ${done.changed_since.map(nameOf).join(", ")}</p>`
      }
      ${done.failed.map(({ path, why }) => html`<p class="problem">${nameOf(path)}: ${why}</p>`)}</div>`;
  }

  #file(file: ChangedFile) {
    const { path, change, same, saved, by, now_at: at } = file;
    const facts = [
      CHANGES[change],
      at ? `to ${at}` : "",
      file.size === null ? "" : bytes(file.size),
      saved ? "" : "not saved: too large",
      by.length > 0 ? `changed again by ${by.map(callerInSentence).join(", ")}` : "",
    ].filter(Boolean);
    return html`<div class="changes-file" data-path=${path} data-same=${same}>
      <input type="checkbox" aria-label=${`Select ${path}`} .checked=${this.#selected.has(path)} ?disabled=${same || !saved}
        @change=${() => this.#select(path)}>
      <details ?open=${this.#open.has(path)} @toggle=${({ currentTarget }: { currentTarget: HTMLDetailsElement }) =>
        void this.#toggle(file, currentTarget.open)}>
        <summary><span class="changes-path">${breakable(path)}</span>
          <span class="changes-facts muted">${same ? "unchanged" : facts.join(" · ")}</span></summary>
        ${this.#open.get(path) ?? nothing}
      </details>
      <button type="button" class="quiet" aria-label=${`Revert ${path}`} ?disabled=${this.#busy || same || !saved}
        @click=${() => void this.#takeBack(this.#shown, [path])}>Revert</button></div>`;
  }

  #select(path: string) {
    if (!this.#selected.delete(path)) this.#selected.add(path);
    this.#draw();
  }

  async #toggle({ path }: ChangedFile, open: boolean) {
    if (open === this.#open.has(path)) return;
    if (open) await this.#compare(path);
    else this.#open.delete(path);
    this.#draw();
  }

  async #compare(path: string) {
    const shown = document.createElement("div");
    shown.className = "changes-difference";
    this.#open.set(path, shown);
    const texts = await this.#actions.changeTexts({ checkpoint: this.#shown, path });
    if (isFailure(texts)) shown.textContent = texts.error.message;
    else if (texts.before === null || texts.now === null) shown.textContent = "Not a text file, or too long to show.";
    else {
      const { showDifferences } = await loadPart<{
        showDifferences(place: Element, before: string, now: string, path: string): void;
      }>("ui-editor.js");
      showDifferences(shown, texts.before, texts.now, path);
    }
  }

  async #takeBack(checkpoint: string, paths?: string[]) {
    this.#busy = true;
    this.#draw();
    const done = await this.#actions.takeBack({ checkpoint, paths });
    this.#busy = false;
    this.#done = isFailure(done) ? null : done;
    if (!isFailure(done)) {
      const what = counted(done.restored.length, "file");
      this.#announcement = checkpoint === this.#shown ? `${what} reverted.` : `${what} restored.`;
    }
    const open = [...this.#open.keys()];
    await this.#readFiles();
    if (isFailure(done)) this.#problem = done.error;
    await Promise.all(open.filter((path) => this.#open.has(path)).map((path) => this.#compare(path)));
    this.#draw();
    // The pressed button may be disabled now.
    const focus = this.#place.querySelector(".changes-undo") ?? this.#place.querySelector(".changes-buttons button");
    if (focus instanceof HTMLElement) focus.focus({ preventScroll: true });
  }
}

export function showChanges(place: HTMLElement, actions: Actions, checkpoint?: string) {
  return new ChangesView(place, actions, checkpoint);
}
