/** The Files panel: the current directory of the file browser, as a list or a map. */

import { html, nothing, render } from "lit";
import type { FileRow, ShownFiles } from "../../../generated/types.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { byId, showProblem, focusIn } from "../../lib/elements.ts";
import { loadSaved, save } from "../../../shared/local_state.ts";
import type { Actions } from "../../state/actions.ts";
import type { Store } from "../../state/store.ts";
import { press } from "../../lib/trusted.ts";
import { endLater } from "./notice_time.ts";
import { Operations, type Notice } from "./operations.ts";
import { acceptDrops } from "./drop_target.ts";
import { addFileCommands } from "./file_commands.ts";
import { listenToKeys } from "./keys.ts";
import { listView, rowHeight, scrolledTo } from "./list_view.ts";
import { arrange, nameOf, parentOf, type Column, type Order } from "./listing.ts";
import { mapView, pannedTo } from "./map_view.ts";
import { Menu } from "../../lib/menu.ts";
import type { Run } from "../../workbench/run_file.ts";
import { breadcrumbs, pathField } from "./path_bar.ts";
import { listenToPointer } from "./pointer.ts";
import { Selection } from "./selection.ts";
import {
  createForm,
  filterField,
  focusRun,
  folderItems,
  newItems,
  noteOn,
  noticeBar,
  selectedItems,
  toolbar,
  type Create,
  type Kind,
  type View,
} from "./toolbar.ts";
import { picked } from "./transfers.ts";

// Opening takes a few milliseconds, unless Python is busy.
const WAITS_AFTER_MS = 500;
const BY_NAME: Order = { column: "name", descending: false };

/** opens files in other panels; each returns a failure if it fails */
interface Show {
  /** in the list, the editor or the preview */
  open: (path: string) => Promise<object>;
  /** in the editor */
  edit: (path: string) => Promise<object>;
  preview: (path: string) => Promise<void>;
  /** opens a panel */
  panel: (id: string) => void;
  run: Run;
}

type Typing = { what: "path" } | { what: "create"; kind: Kind } | { what: "rename"; path: string };

export class FilesPanel {
  #section = byId("files", HTMLElement);
  #body = byId("file-body", HTMLElement);
  #problem = byId("file-problem", HTMLElement);
  #pickers = [byId("file-upload", HTMLInputElement), byId("folder-upload", HTMLInputElement)];
  #menu = new Menu(this.#section);
  #files: ShownFiles | null = null;
  #ready = false;
  #view: View = loadSaved("files.view", "list");
  #order = loadSaved("files.order", BY_NAME);
  /** null: the field is closed */
  #filter: string | null = null;
  /** the entries shown, in order */
  entries: FileRow[] = [];
  selection = new Selection();
  #typing: Typing | null = null;
  #notice: Notice | null = null;
  /** undoes the last operation, also when its notice has gone */
  #undo: Notice["undo"];
  /** paths to select once they are listed */
  #pendingSelection: string[] = [];
  #scheduled = false;
  show: Show;
  operations: Operations;

  constructor(actions: Actions, show: Show) {
    this.show = show;
    this.operations = new Operations(actions, {
      onNotice: (notice) => this.#showNotice(notice),
      onProblem: (failure) => this.#showProblem(failure),
      select: (paths) => this.select(paths),
      open: (path) => this.open(path),
      run: (path) => void this.run(path),
    });
    addFileCommands(
      this.#create,
      () => this.#ready && this.#files !== null,
      () => show.panel("files"),
    );
    listenToKeys(this, this.#body);
    listenToPointer(this, this.#body);
    this.#body.addEventListener("scroll", () => this.#schedule(), { capture: true });
    new ResizeObserver(() => this.#schedule()).observe(this.#body);
    acceptDrops(this.#section, (load) => void this.operations.add(this.path, load));
    for (const picker of this.#pickers) picker.addEventListener("change", () => this.#addPicked(picker));
  }

  /** The directory shown. */
  get path() {
    return this.#files?.path ?? "/";
  }

  get isMap() {
    return this.#view === "map";
  }

  get paths() {
    return this.entries.map(({ path }) => path);
  }

  get #hasFocus() {
    return this.#scroller()?.contains(document.activeElement) ?? false;
  }

  update(files: ShownFiles | null, ready: boolean) {
    const left = this.#files?.path ?? null;
    const before = this.paths;
    const inside = this.#hasFocus;
    this.#files = files;
    this.#ready = ready;
    const moved = files !== null && files.path !== left;
    if (moved) {
      this.#pendingSelection = [];
      this.#filter = null;
      this.#typing = null;
      this.#scroller()?.scrollTo(0, 0);
    }
    this.#arrange();
    // After going up, select the directory that was left.
    if (moved) this.selection.set(this.paths.filter((path) => path === left));
    this.selection.retain(this.paths, before);
    this.#selectPending();
    this.draw();
    if (inside && this.#typing === null) this.focusEntry();
  }

  draw() {
    const go = (to: string) => void this.open(to);
    const usable = this.#ready && this.#files !== null;
    const note = noteOn(this.#files, this.entries.length, this.#ready);
    render(
      html`
      ${
        this.#typing?.what === "path"
          ? pathField(this.path, go, () => this.stopTyping())
          : breadcrumbs(
              this.#files?.path ?? "",
              this.#ready,
              go,
              () => this.goUp(),
              toolbar(
                { ready: usable, filtering: this.#filter !== null },
                { menu: (which, opener) => this.#openToolMenu(which, opener), filter: () => this.#toggleFilter() },
              ),
            )
      }
      ${
        this.#filter === null
          ? nothing
          : filterField(
              this.#filter,
              (text) => this.#setFilter(text),
              () => this.#toggleFilter(),
            )
      }
      ${this.#typing?.what === "create" ? this.#createForm(this.#typing.kind) : nothing}
      <div class=${this.isMap ? "file-scroll ground" : "file-scroll"}>
        ${this.#files ? this.#entriesView() : nothing}
        ${note === "" ? nothing : html`<p id="file-note" class="empty">${note}</p>`}
      </div>
      ${noticeBar(
        this.#notice,
        () => void this.undo(),
        () => this.#showNotice(null),
      )}`,
      this.#body,
    );
  }

  #entriesView() {
    const renaming = this.#renaming();
    if (this.isMap) return mapView(this.entries, this.selection, this.#viewport(), renaming);
    return listView(
      this.entries,
      this.selection,
      this.#order,
      { ...this.#viewport(), row: rowHeight() },
      renaming,
      (column) => this.#sort(column),
    );
  }

  #createForm(kind: Kind) {
    const create = async (name: string) => {
      if (await this.operations.create(this.path, name, kind)) this.stopTyping(kind === "directory");
    };
    return createForm(
      kind,
      (name) => void create(name),
      () => this.stopTyping(),
    );
  }

  #renaming() {
    if (this.#typing?.what !== "rename") return null;
    const { path } = this.#typing;
    const done = (name: string) => {
      // Closing the field fires a blur, which calls this again.
      if (this.#typing?.what !== "rename") return;
      this.stopTyping();
      if (name !== "" && name !== nameOf(path)) void this.operations.rename(this.path, path, name);
    };
    return { path, done, cancel: () => this.stopTyping() };
  }

  /** Open a directory here, and a file in its panel. */
  async open(path: string) {
    const notice: Notice = { text: `Python is busy. ${nameOf(path)} opens when it has finished.`, lasts: true };
    const waits = setTimeout(() => this.#showNotice(notice), WAITS_AFTER_MS);
    const answer = await this.show.open(path);
    clearTimeout(waits);
    if (this.#notice === notice) this.#showNotice(null);
    this.#showProblem(answer);
    if (!isFailure(answer) && this.#typing?.what === "path") this.stopTyping();
  }

  goUp() {
    if (this.path !== "/") void this.open(parentOf(this.path));
  }

  /** Undo the last operation, if possible. */
  async undo() {
    const undo = this.#undo;
    if (!undo) return;
    this.#undo = undefined;
    this.#showNotice(null);
    await undo();
  }

  type(typing: Typing) {
    this.#typing = typing;
    if (typing.what === "rename") this.#reveal(typing.path);
    this.draw();
    const field = this.#body.querySelector("#file-path, #file-new-name, #file-rename");
    if (!(field instanceof HTMLInputElement)) return;
    field.focus();
    const stem = typing.what === "rename" ? field.value.lastIndexOf(".") : 0;
    field.setSelectionRange(0, stem > 0 ? stem : field.value.length);
  }

  /** @param back - whether to focus the list */
  stopTyping(back = true) {
    this.#typing = null;
    this.draw();
    if (back) this.focusEntry();
  }

  /** Select files once they are listed. */
  select(paths: string[]) {
    const inside = this.#hasFocus;
    this.#pendingSelection = paths;
    const listed = this.#selectPending();
    this.draw();
    if (listed && inside && this.#typing === null) this.focusEntry();
  }

  /** Return the selected entries, or the focused one if none is selected. */
  selected() {
    const selected = this.entries.filter(({ path }) => this.selection.has(path));
    return selected.length > 0 ? selected : this.entries.filter(({ path }) => path === this.selection.focused);
  }

  deleteSelected() {
    const paths = this.selected().map(({ path }) => path);
    if (paths.length > 0) void this.operations.delete(paths);
  }

  /** Focus the selection's focused entry. */
  focusEntry() {
    const path = this.selection.focused ?? this.entries[0]?.path;
    if (path === undefined) return this.#focus("#file-up");
    this.selection.focused = path;
    this.#reveal(path);
    this.draw();
    document.getElementById(`file:${path}`)?.focus({ preventScroll: true });
  }

  openMenu(at: { x: number; y: number }) {
    this.#menu.open("Actions", this.selected().length > 0 ? selectedItems(this) : newItems(this.#create), at);
  }

  /** Open a file in the editor, whatever its content. */
  async edit(path: string) {
    this.#showProblem(await this.show.edit(path));
  }

  /** Run a file or folder. */
  async run(path: string) {
    this.#showProblem((await this.show.run(path)) ?? {});
  }

  get #create(): Create {
    return {
      create: (kind) => this.type({ what: "create", kind }),
      upload: () => press(this.#pickers[0]),
      uploadFolder: () => press(this.#pickers[1]),
    };
  }

  #arrange() {
    this.entries = arrange(this.#files?.entries ?? [], this.#order, this.#filter ?? "");
  }

  /** @returns whether they are listed */
  #selectPending(): boolean {
    const listed = new Set(this.paths);
    if (this.#pendingSelection.length === 0 || !this.#pendingSelection.every((path) => listed.has(path))) return false;
    this.selection.set(this.#pendingSelection);
    this.#pendingSelection = [];
    return true;
  }

  #sort(column: Column) {
    const again = column === this.#order.column;
    this.#order = { column, descending: again && !this.#order.descending };
    save("files.order", this.#order);
    this.#arrange();
    this.draw();
  }

  #openToolMenu(which: "new" | "more", opener: HTMLElement) {
    if (which === "new") this.#menu.open("New", newItems(this.#create), opener);
    else this.#menu.open("Actions", [...selectedItems(this), ...folderItems(this)], opener);
  }

  #toggleFilter() {
    const opens = this.#filter === null;
    this.#setFilter(opens ? "" : null);
    this.#focus(opens ? "#file-filter" : "#file-filter-open");
  }

  #focus(selector: string) {
    focusIn(this.#body, selector);
  }

  #setFilter(text: string | null) {
    this.#filter = text;
    this.#arrange();
    this.#scroller()?.scrollTo(0, 0);
    this.draw();
  }

  setView(view: View) {
    this.#view = view;
    save("files.view", view);
    this.#scroller()?.scrollTo(0, 0);
    this.draw();
    // The viewport of the new view is known only after a first draw.
    this.draw();
  }

  #addPicked(picker: HTMLInputElement) {
    const load = picked(picker.files ?? new DataTransfer().files);
    picker.value = "";
    void this.operations.add(this.path, load).then(focusRun);
  }

  #showNotice(notice: Notice | null) {
    showProblem(this.#problem, null);
    this.#notice = notice;
    if (notice?.undo) this.#undo = notice.undo;
    endLater(notice === null || notice.lasts ? null : () => this.#showNotice(null));
    this.draw();
  }

  /** Show the error of an operation's answer, or clear it. */
  #showProblem(answer: object) {
    showProblem(this.#problem, isFailure(answer) ? answer.error : null);
  }

  #reveal(path: string) {
    const index = this.entries.findIndex((entry) => entry.path === path);
    const scroller = this.#scroller();
    if (index < 0 || !scroller) return;
    const viewport = this.#viewport();
    if (this.isMap) scroller.scrollTo(pannedTo(this.entries[index], viewport));
    else scroller.scrollTop = scrolledTo(index, { ...viewport, row: rowHeight() });
  }

  #viewport() {
    const { scrollLeft = 0, scrollTop = 0, clientWidth = 0, clientHeight = 0 } = this.#scroller() ?? {};
    return { left: scrollLeft, top: scrollTop, width: clientWidth, height: clientHeight };
  }

  #scroller() {
    return this.#body.querySelector(".file-scroll");
  }

  #schedule() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.draw();
    });
  }
}

export function showFiles(store: Store, actions: Actions, show: Show) {
  const panel = new FilesPanel(actions, show);
  store.follow(
    // Until the first snapshot, nothing is known of the files.
    ({ files, kernel, surface }) => [files, kernel, surface === null],
    ({ files, kernel, surface }) => panel.update(files, kernel === "ready" && surface !== null),
  );
}
