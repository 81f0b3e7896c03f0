/**
 * A notebook in the editor: a view of the text of its file. Cells are edited, run in the Python console's namespace, moved and
 * deleted; each change goes into the text, which the editor saves, undoes and compares as any other. The bundle loads with the
 * first notebook.
 */

import { html, render } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../../state/actions.ts";
import type { Buffer } from "../editor/main.ts";
import { ImageUrls } from "../files/image_urls.ts";
import { imageType } from "../files/preview/image_types.ts";
import type { ConsoleEntry } from "../../../generated/types.ts";
import { Cells, type Cell, type CellKind } from "./cells.ts";
import { CellField } from "./cell_field.ts";
import { cellView, type CellState } from "./cell_view.ts";
import { keyOf, type Command } from "./keys.ts";
import { Runs } from "./runs.ts";
import { toolbar } from "./toolbar.ts";

interface Options {
  actions: Actions;
  /** called after the user, or a cell that ended, changed the text: the notebook is then shown again */
  onChange: () => void;
  /** opens another file */
  open: (path: string) => void;
  /** shows the file as text */
  showText: () => void;
}

export class NotebookView {
  #place: HTMLElement;
  #options: Options;
  #runs: Runs;
  #images: ImageUrls;
  #path = "";
  #buffer: Buffer | null = null;
  #cells: Cells | null = null;
  /** The text that the cells were read from, or last written as: an unchanging object. */
  #doc: Buffer["state"]["doc"] | null = null;
  #fields = new Map<string, CellField>();
  #selected: string | null = null;
  /** The text cells that show their source. */
  #edited = new Set<string>();

  constructor(place: HTMLElement, options: Options) {
    this.#place = place;
    this.#options = options;
    this.#images = new ImageUrls(options.actions);
    this.#runs = new Runs(options.actions, {
      onChange: () => this.#draw(),
      onEnd: (cell, run) => {
        if (cell.path !== this.#path) return;
        this.#cells?.finish(cell.key, run.outputs, run.execution_count);
        this.#write();
      },
    });
    place.addEventListener("keydown", (event) => this.#onKey(event), { capture: true });
    place.addEventListener("focusin", (event) => this.#onFocus(event));
  }

  /** Show the text of a file. @returns false if it isn't a notebook */
  show(path: string, buffer: Buffer): boolean {
    const isOther = buffer !== this.#buffer || path !== this.#path;
    const { doc } = buffer.state;
    if (isOther || doc !== this.#doc) {
      const cells = Cells.read(buffer.text);
      if (cells === null) return false;
      if (isOther) this.#reset();
      [this.#path, this.#buffer, this.#cells, this.#doc] = [path, buffer, cells, doc];
      for (const { key, source } of cells.all) this.#fields.get(key)?.follow(source);
    }
    this.#draw();
    return true;
  }

  /** @param entries - of the console, which has the output of cells that run */
  follow(entries: ConsoleEntry[]) {
    if (this.#runs.follow(entries)) this.#draw();
  }

  focus() {
    const cell = this.#selectedCell ?? this.#cells?.all[0];
    if (cell) this.#select(cell.key);
  }

  /** Run the selected cell. */
  run() {
    const cell = this.#selectedCell;
    if (cell) this.#runCell(cell);
  }

  runAll() {
    for (const cell of this.#all) this.#runCell(cell);
  }

  get #all(): Cell[] {
    return this.#cells?.all ?? [];
  }

  get #selectedCell(): Cell | null {
    return this.#all.find(({ key }) => key === this.#selected) ?? null;
  }

  #reset() {
    for (const field of this.#fields.values()) field.dispose();
    this.#fields.clear();
    this.#edited.clear();
    this.#selected = null;
    ImageUrls.revoke(this.#images.take());
    this.#place.scrollTop = 0;
  }

  #draw() {
    const cells = this.#all;
    const states = cells.map((cell, index) => this.#stateOf(cell, index, cells.length));
    render(
      html`${toolbar({
        isRunning: this.#runs.busy,
        onCommand: (command) => this.#do(command, this.#selectedCell),
        showText: this.#options.showText,
      })}
        ${cells.length === 0 ? html`<p class="empty">This notebook has no cells. Add code or text above.</p>` : ""}
        <div class="notebook-cells">${repeat(
          states,
          ({ cell }) => cell.key,
          (state) => cellView(state),
        )}</div>`,
      this.#place,
    );
  }

  #stateOf(cell: Cell, index: number, count: number): CellState {
    const isRendered = cell.kind === "markdown" && !this.#edited.has(cell.key);
    return {
      cell,
      index,
      count,
      isSelected: this.#selected === null ? index === 0 : cell.key === this.#selected,
      field: isRendered ? null : this.#fieldOf(cell),
      run: this.#runs.stateOf({ path: this.#path, key: cell.key }),
      context: {
        path: this.#path,
        loadImage: (path, type) => this.#images.load(path, type),
        open: this.#options.open,
        typeOf: imageType,
      },
      onCommand: (command) => this.#do(command, cell),
      onKind: (kind) => this.#convert(cell, kind),
      onAnswer: (entry, line) => void this.#options.actions.answerCode({ entry_id: entry, line }),
      onInstall: (name) => this.#runs.install({ path: this.#path, key: cell.key }, name, cell.source),
    };
  }

  #fieldOf(cell: Cell): CellField {
    const known = this.#fields.get(cell.key);
    if (known?.kind === cell.kind) return known;
    known?.dispose();
    const field = new CellField(cell, {
      actions: this.#options.actions,
      onChange: (source) => {
        this.#cells?.edit(cell.key, source);
        this.#write();
      },
    });
    this.#fields.set(cell.key, field);
    return field;
  }

  /** Put the cells into the text. */
  #write() {
    if (!this.#cells || !this.#buffer) return;
    this.#buffer.replace(this.#cells.text);
    this.#doc = this.#buffer.state.doc;
    this.#options.onChange();
  }

  #onFocus({ target }: FocusEvent) {
    const key = target instanceof Element ? target.closest("[data-cell]")?.getAttribute("data-cell") : null;
    if (!key || key === this.#selected) return;
    this.#selected = key;
    this.#draw();
  }

  #onKey(event: KeyboardEvent) {
    const { target } = event;
    const element = target instanceof Element ? target.closest("[data-cell]") : null;
    const cell = this.#all.find(({ key }) => key === element?.getAttribute("data-cell"));
    if (!cell) return;
    const command = keyOf(event, target === element);
    if (command === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.#do(command, cell);
  }

  #do(command: Command, cell: Cell | null) {
    const at = cell === null ? this.#all.length - 1 : this.#all.findIndex(({ key }) => key === cell.key);
    switch (command) {
      case "run-all":
        return this.runAll();
      case "stop":
        return this.#runs.stop();
      case "clear":
        this.#cells?.clear();
        return this.#write();
      case "undo":
      case "redo":
        return this.#restore(command);
      case "add-code":
      case "add-text":
        return this.#insert(at + 1, command === "add-code" ? "code" : "markdown");
      case "add-above":
        return this.#insert(Math.max(at, 0), "code");
      default:
        if (cell) this.#doInCell(command, cell, at);
    }
  }

  #doInCell(command: Command, cell: Cell, at: number) {
    switch (command) {
      case "run":
        return this.#runCell(cell);
      case "run-and-next":
        return this.#runAndNext(cell, at);
      case "run-and-add":
        this.#runCell(cell);
        return this.#insert(at + 1, "code");
      case "edit":
        return this.#edit(cell);
      case "leave":
        return this.#leave(cell);
      case "up":
      case "down":
        return this.#select(this.#all[at + (command === "up" ? -1 : 1)]?.key ?? cell.key);
      case "move-up":
      case "move-down":
        if (this.#cells?.move(cell.key, command === "move-up" ? -1 : 1)) this.#write();
        return this.#select(cell.key);
      case "delete":
        return this.#remove(cell, at);
      case "to-code":
        return this.#convert(cell, "code");
      case "to-text":
        return this.#convert(cell, "markdown");
    }
  }

  #runCell(cell: Cell) {
    if (cell.kind === "code") this.#runs.add({ path: this.#path, key: cell.key }, cell.source);
    else this.#leave(cell, document.activeElement?.closest("[data-cell]") !== null);
  }

  #runAndNext(cell: Cell, at: number) {
    this.#runCell(cell);
    const next = this.#all[at + 1];
    if (next) this.#select(next.key);
    else this.#insert(at + 1, "code");
  }

  #edit(cell: Cell) {
    if (cell.kind === "markdown") this.#edited.add(cell.key);
    this.#selected = cell.key;
    this.#draw();
    this.#fields.get(cell.key)?.focus();
  }

  /** Return from a cell's text to the cell. */
  #leave(cell: Cell, focus = true) {
    this.#edited.delete(cell.key);
    if (cell.kind === "markdown") this.#forget(cell.key);
    this.#draw();
    if (focus) this.#select(cell.key);
  }

  #select(key: string) {
    this.#selected = key;
    this.#draw();
    const element = this.#place.querySelector(`[data-cell="${CSS.escape(key)}"]`);
    if (element instanceof HTMLElement) element.focus();
    element?.scrollIntoView({ block: "nearest" });
  }

  #insert(index: number, kind: CellKind) {
    const key = this.#cells?.insert(index, kind);
    if (key === undefined) return;
    this.#write();
    const cell = this.#all.find((each) => each.key === key);
    if (cell) this.#edit(cell);
  }

  #remove(cell: Cell, at: number) {
    this.#cells?.remove(cell.key);
    this.#forget(cell.key);
    this.#write();
    const next = this.#all[at] ?? this.#all[at - 1];
    if (next) this.#select(next.key);
  }

  #convert(cell: Cell, kind: CellKind) {
    if (kind === cell.kind) return;
    this.#cells?.convert(cell.key, kind);
    this.#edited.delete(cell.key);
    this.#forget(cell.key);
    this.#write();
    this.#select(cell.key);
  }

  #forget(key: string) {
    this.#fields.get(key)?.dispose();
    this.#fields.delete(key);
  }

  /** Undo or redo a change of the text. */
  #restore(command: "undo" | "redo") {
    if (!this.#buffer?.[command]()) return;
    this.show(this.#path, this.#buffer);
    this.#options.onChange();
  }
}
