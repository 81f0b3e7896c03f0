/**
 * The Editor panel: a tab per file, the text of the active one, and notices such as conflicts with changes by others.
 */

import { html, nothing, render } from "lit";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { ConsoleEntry, OpenFilesRow } from "../../../generated/types.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { commands } from "../../lib/commands.ts";
import { byId } from "../../lib/elements.ts";
import { loadPart } from "../../lib/lazy_bundles.ts";
import { type LineSource, lineSource, stillWaits, waitsForCommand } from "../../lib/presses.ts";
import { askPerson } from "../../lib/question.ts";
import type { Store } from "../../state/store.ts";
import { revealSelected, tabByKey } from "../../lib/tab_keys.ts";
import { loadSaved } from "../../../shared/local_state.ts";
import type { Actions } from "../../state/actions.ts";
import type { Run } from "../../workbench/run_file.ts";
import { openDropped } from "./dropped_files.ts";
import { CodeHelper, formatText, FORMAT_ON_SAVE } from "./code_helper.ts";
import { loadDraft } from "./drafts.ts";
import { noticeOf } from "./notice.ts";
import { Notebooks } from "./notebooks.ts";
import { OpenText } from "./open_text.ts";
import { connectOpening, openEditor } from "./opening.ts";
import { icon } from "../../lib/icons.ts";
import { whenShown } from "../../workbench/regions.ts";
import { Problems } from "./file_problems.ts";
import { statusLine } from "./status_line.ts";
import type { Buffer, TextChange, View } from "./main.ts";

// Pause after typing before the draft is saved.
const SAVE_AFTER_MS = 300;

const PAGES = /\.html?$/i;

interface Callbacks {
  openPanel: (id: string) => void;
  /** in a dialog */
  preview: (path: string) => void;
  /** the file in front, next to the editor */
  previewBeside: () => void;
  run: Run;
  /** shows the panel of problems, and focuses it */
  listProblems: () => void;
}

/** Leave the focus in the text when a button is pressed, so that typing continues. */
const stayInText = (event: Event) => event.preventDefault();

class EditorPanel {
  #section = byId("editor", HTMLElement);
  #title = byId("editor-title", HTMLElement);
  #tabs = byId("editor-tabs", HTMLElement);
  #tools = byId("editor-tools", HTMLElement);
  #notice = byId("editor-notice", HTMLElement);
  #place = byId("editor-view", HTMLElement);
  #footer = byId("editor-state", HTMLElement);
  #texts = new Map<number, OpenText>();
  #editors: OpenFilesRow | null = null;
  #ready = false;
  #view: View | null = null;
  #opened = -1;
  #typed = -1;
  #connections = 0;
  /** the file to focus when it is shown */
  #toFocus: string | null = null;
  /** the terminals of commands that wait for the user to close a file, by its path */
  #waiting = new Map<string, LineSource>();
  #announcement = "";
  problems = new Problems({
    texts: () => (this.#editors?.files ?? []).flatMap(({ id }) => this.#texts.get(id) ?? []),
    readAll: () => this.#editors && this.#ready && this.#follow(this.#editors),
    onChange: () => this.#onChange({ changed: true, byPerson: false }),
    say: (message) => this.say(message),
  });
  #notebooks: Notebooks;
  #saving: ReturnType<typeof setTimeout> | undefined;
  actions: Actions;
  callbacks: Callbacks;

  constructor(actions: Actions, callbacks: Callbacks) {
    this.actions = actions;
    this.callbacks = callbacks;
    this.#notebooks = new Notebooks(actions, {
      onChange: () => this.#onChange({ changed: true, byPerson: true }),
      open: (path) => void openEditor(path),
      onText: () => this.draw(),
    });
    this.#section.addEventListener("keydown", (event) => this.#onKey(event));
    this.#tabs.addEventListener("keydown", (event) => this.#onTabKey(event));
    // The editor would add a line.
    this.#section.addEventListener("keydown", (event) => this.#onRunKey(event), { capture: true });
    commands.add({
      id: "run-test",
      title: "Run the test at the caret",
      keywords: "pytest start",
      available: () => Boolean(this.#active?.buffer?.test),
      run: () => this.#run(this.#active?.buffer?.test ?? undefined),
    });
    addEventListener("pagehide", () => this.#updateDrafts());
  }

  update(editors: OpenFilesRow | null, ready: boolean, connections: number) {
    const first = this.#editors === null;
    this.#editors = editors;
    this.#ready = ready;
    if (!editors || !ready) {
      this.draw();
      return;
    }
    if (connections !== this.#connections) this.#dropReused(editors);
    this.#connections = connections;
    this.#follow(editors);
    // A new kernel counts from 0. Files that were open when the page loaded don't open the panel.
    const opened = !first && editors.opened > this.#opened;
    this.#opened = editors.opened;
    if (opened) this.callbacks.openPanel("editor");
    const typed = !first && editors.typed > this.#typed;
    this.#typed = editors.typed;
    if (typed && waitsForCommand()) this.#followCommand();
    this.draw();
    if (opened && editors.line !== null) this.#goTo(editors.line);
  }

  /** Focus the file of a command that the user has typed, and remember its terminal. */
  #followCommand() {
    const [path, from] = [this.#active?.path, lineSource()];
    this.#toFocus = path ?? null;
    if (path !== undefined && from !== null) this.#waiting.set(path, from);
  }

  /** Mark again what differs from the last commit, after the repository has changed. */
  markCommitted() {
    for (const text of this.#texts.values()) void text.markCommitted();
  }

  /** @param entries - of the console, in which cells of notebooks run */
  followConsole(entries: ConsoleEntry[]) {
    this.#notebooks.follow(entries);
  }

  focus(path: string) {
    this.#toFocus = path;
    this.draw();
  }

  /** Insert a text at the caret of the file in front; return its name, or null if no text is open. */
  insert(text: string) {
    const open = this.#active;
    if (!open?.buffer || this.#notebooks.has(open)) return null;
    open.buffer.insert(text);
    this.focus(open.path);
    return open.name;
  }

  get #active() {
    return this.#texts.get(this.#editors?.active ?? -1) ?? null;
  }

  /** Drop contents whose id a new kernel has given to another file. */
  #dropReused({ files }: OpenFilesRow) {
    for (const { id, path } of files) if (this.#texts.get(id)?.path !== path) this.#texts.delete(id);
  }

  #follow(editors: OpenFilesRow) {
    for (const row of editors.files) {
      const text = this.#texts.get(row.id) ?? new OpenText(row, this.actions, this.#load(), () => this.draw());
      this.#texts.set(row.id, text);
      // Inactive files are read when they are activated, or checked.
      const reads = row.id === editors.active || text.buffer || this.problems.checksAll;
      if (reads && text.follow(row) && row.id !== editors.active) void this.problems.check(text);
    }
    const open = new Set(editors.files.map(({ id }) => id));
    for (const id of [...this.#texts.keys()]) if (!open.has(id)) this.#texts.delete(id);
  }

  #load(): Promise<typeof import("./main.ts")> {
    return loadPart("ui-editor.js");
  }

  draw() {
    const text = this.#active;
    this.#title.textContent = text ? `Editor: ${text.name}${text.dirty ? " (unsaved)" : ""}` : "Editor";
    render(this.#tabRow(), this.#tabs);
    render(this.#toolRow(text), this.#tools);
    revealSelected(this.#tabs);
    render(
      text
        ? noticeOf(text, {
            save: (over) => void this.#save(text, over),
            close: () => void this.close(text),
            preview: () => this.callbacks.preview(text.path),
          })
        : nothing,
      this.#notice,
    );
    byId("editor-empty", HTMLElement).hidden = text !== null;
    const isNotebook = this.#notebooks.has(text);
    const { listProblems } = this.callbacks;
    render(statusLine(text, { isNotebook, message: this.#announcement, listProblems }), this.#footer);
    this.#place.hidden = isNotebook || !text?.buffer;
    void this.#showNotebook(isNotebook ? text : null);
    if (!isNotebook && text?.buffer) void this.#show(text.path, text.buffer);
    this.problems.onChange();
  }

  async #showNotebook(text: OpenText | null) {
    const view = await this.#notebooks.show(text);
    if (!view || !text || this.#toFocus !== text.path) return;
    this.#toFocus = null;
    this.callbacks.openPanel("editor");
    whenShown(byId("editor-notebook", HTMLElement), () => view.focus());
  }

  async #show(path: string, buffer: Buffer) {
    const { View } = await this.#load();
    if (this.#active?.buffer !== buffer) return;
    this.#view ??= new View(
      this.#place,
      (change) => this.#onChange(change),
      (test) => void this.#run(test),
      this.#helper,
    );
    this.#view.show(buffer);
    this.#place.setAttribute("aria-labelledby", `editor-tab-${this.#editors?.active}`);
    if (this.#toFocus !== path) return;
    this.#toFocus = null;
    this.callbacks.openPanel("editor");
    const view = this.#view;
    whenShown(this.#place, () => view.focus());
  }

  /** The helper of the text in front. */
  get #helper() {
    return new CodeHelper(this.actions, {
      active: () => this.#active,
      unsaved: () => [...this.#texts.values()].filter(({ dirty }) => dirty),
      say: (message) => this.say(message),
      listProblems: this.callbacks.listProblems,
    });
  }

  /** Announce a message in the footer. */
  say(message: string) {
    this.#announcement = message;
    this.draw();
  }

  async #goTo(line: number) {
    const text = this.#active;
    await text?.settled;
    if (text) text.buffer?.goTo(line, this.problems.takeColumn(text.path, line));
  }

  #tabRow() {
    const { files = [], active = null } = this.#editors ?? {};
    return repeatBy(files, "id", ({ id, path }) => {
      const text = this.#texts.get(id);
      const selected = id === active;
      // A file that wasn't shown since the page loaded isn't read yet.
      const unsaved = text?.buffer ? text.dirty : loadDraft(path) !== null;
      return html`
        <button id=${`editor-tab-${id}`} type="button" role="tab" aria-selected=${selected ? "true" : "false"}
          aria-controls="editor-view" tabindex=${selected ? 0 : -1} title=${path} class=${unsaved ? "unsaved" : ""}
          @click=${() => void this.#choose(path)}
          @auxclick=${({ button }: MouseEvent) => button === 1 && text && void this.close(text)}
          >${path.slice(path.lastIndexOf("/") + 1)}${
            unsaved ? html`<span class="visually-hidden">, unsaved</span>` : nothing
          }</button>`;
    });
  }

  #toolRow(text: OpenText | null) {
    return html`
      <button id="editor-run" type="button" data-action="run_file" class="quiet icon" @mousedown=${stayInText} ?disabled=${!this.#ready || !text?.buffer}
        title="Run (Ctrl+Enter)" aria-label="Run" @click=${() => void this.#run()}>${icon("play")}</button>
      <button id="editor-save" type="button" data-action="save_text" class="quiet icon" ?disabled=${!this.#ready || !text?.buffer}
        title="Save (Ctrl+S)" aria-label="Save" @click=${() => text && void this.#save(text)}>${icon("save")}</button>
      <button id="editor-preview" type="button" class="quiet icon" ?disabled=${!this.#ready || !text} title="Preview" aria-label="Preview"
        @click=${() => void this.#preview()}>${icon("preview")}</button>
      <button id="editor-close" type="button" data-action="close_file" class="quiet icon" title="Close file" aria-label="Close file" ?disabled=${!this.#ready || !text}
        @click=${() => text && void this.close(text)}>${icon("close")}</button>`;
  }

  /** Save the file in front and run it, or one of its tests. */
  async #run(test?: string) {
    const text = this.#active;
    if (this.#notebooks.has(text)) return this.#notebooks.run(true);
    if (!text || (text.dirty && !(await this.#save(text)))) return;
    const answer = await this.callbacks.run(text.path, test);
    this.say(isFailure(answer) ? answer.error.message : "");
  }

  /** Show the file in front next to the editor; a page as a page. */
  async #preview() {
    if (PAGES.test(this.#active?.path ?? "")) await this.#run();
    else this.callbacks.previewBeside();
  }

  #onChange({ changed, byPerson }: TextChange) {
    if (byPerson) this.#announcement = "";
    if (changed) {
      clearTimeout(this.#saving);
      this.#saving = setTimeout(() => this.#updateDrafts(), SAVE_AFTER_MS);
    }
    requestAnimationFrame(() => this.draw());
  }

  #updateDrafts() {
    clearTimeout(this.#saving);
    for (const text of this.#texts.values()) text.updateDraft();
  }

  async #save(text: OpenText, overTheirs?: boolean) {
    if (loadSaved(FORMAT_ON_SAVE, false)) await formatText(text);
    const saved = await text.save(overTheirs);
    this.say(saved ? `Saved ${text.name}.` : "");
    return saved;
  }

  async close(text: OpenText) {
    if (text.dirty) {
      const choice = await askPerson(`Save changes to ${text.name}?`, "Your changes are lost if you don't save them.", [
        { value: "", label: "Cancel" },
        { value: "discard", label: "Don't save" },
        { value: "save", label: "Save", primary: true },
      ]);
      if (choice === null || (choice === "save" && !(await this.#save(text)))) return;
    }
    const inside = this.#section.contains(document.activeElement);
    const [from, waits] = [this.#waiting.get(text.path), stillWaits()];
    this.#waiting.delete(text.path);
    await text.close();
    if (inside) this.#section.focus();
    if (!inside || !from || !waits()) return;
    this.callbacks.openPanel(from.id);
    from.focus();
  }

  async #choose(path: string) {
    await this.actions.editFile({ path });
  }

  #onRunKey(event: KeyboardEvent) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (this.#notebooks.has(this.#active)) this.#notebooks.run(false);
    else void this.#run();
  }

  #onKey(event: KeyboardEvent) {
    const text = this.#active;
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "s" || !text) return;
    event.preventDefault();
    void this.#save(text);
  }

  #onTabKey(event: KeyboardEvent) {
    const { files = [], active = null } = this.#editors ?? {};
    const text = this.#active;
    const next = tabByKey(
      event.key,
      files,
      files.findIndex(({ id }) => id === active),
    );
    if (next) {
      void this.#choose(next.path);
      document.getElementById(`editor-tab-${next.id}`)?.focus();
    } else if (event.key === "Delete" && text) {
      void this.close(text);
    } else {
      return;
    }
    event.preventDefault();
  }
}

/** @returns the problems of the open files */
export function showEditor(store: Store, actions: Actions, callbacks: Callbacks): Problems {
  const panel = new EditorPanel(actions, callbacks);
  openDropped(byId("editor", HTMLElement), store, actions, (message) => panel.say(message));
  connectOpening({
    actions,
    focus: (path) => panel.focus(path),
    preview: callbacks.preview,
    insert: (text) => panel.insert(text),
  });
  store.follow(["editors", "kernel"], ({ editors, kernel, connections }) =>
    panel.update(editors, kernel === "ready", connections),
  );
  store.follow(["sourceControl"], () => panel.markCommitted());
  store.follow(["console"], ({ console }) => panel.followConsole(console.entries));
  return panel.problems;
}
