/**
 * The cells of a Jupyter notebook, version 4 (https://nbformat.readthedocs.io/en/latest/format_description.html), and the text
 * of its file. Whatever isn't changed is written as it was read.
 */

export type CellKind = "code" | "markdown" | "raw";

/** As files have it: a text, or its lines. */
type Lines = string | string[];

/** Of a file. It has more members, which stay. */
interface SavedCell {
  id?: string;
  cell_type: CellKind;
  source: Lines;
  metadata?: Record<string, unknown>;
  outputs?: Output[];
  execution_count?: number | null;
}

export type Output = Record<string, unknown> & { output_type?: unknown };

interface SavedNotebook {
  nbformat: number;
  nbformat_minor?: number;
  cells: SavedCell[];
}

export interface Cell {
  /** names the cell while the notebook is open */
  key: string;
  kind: CellKind;
  source: string;
  outputs: Output[];
  /** the number of its last run */
  count: number | null;
}

const KINDS: string[] = ["code", "markdown", "raw"];
/** The first minor version in which cells have ids. */
const MINOR_WITH_IDS = 5;

export class Cells {
  #notebook: SavedNotebook;
  #keys = new WeakMap<SavedCell, string>();
  #made = 0;
  #indent: number;
  #end: string;

  private constructor(notebook: SavedNotebook, text: string) {
    this.#notebook = notebook;
    this.#indent = /^\{\r?\n( +)"/.exec(text)?.[1].length ?? 1;
    this.#end = /\s*$/.exec(text)?.[0] ?? "\n";
  }

  /** Read the text of a file. @returns null if it isn't a notebook of version 4 */
  static read(text: string): Cells | null {
    if (text.trim() === "") return new Cells({ ...NEW, cells: [] }, "\n");
    const read = parse(text);
    return isNotebook(read) ? new Cells(read, text) : null;
  }

  get all(): Cell[] {
    return this.#notebook.cells.map((cell) => ({
      key: this.#keyOf(cell),
      kind: cell.cell_type,
      source: joined(cell.source),
      outputs: Array.isArray(cell.outputs) ? cell.outputs : [],
      count: cell.execution_count ?? null,
    }));
  }

  get text() {
    return JSON.stringify(this.#notebook, null, this.#indent) + this.#end;
  }

  edit(key: string, source: string) {
    this.#change(key, (cell) => (cell.source = lines(source)));
  }

  /** @param outputs - of its run number `count` */
  finish(key: string, outputs: Output[], count: number | null) {
    this.#change(key, (cell) => {
      cell.outputs = outputs;
      cell.execution_count = count;
    });
  }

  /** Drop the outputs of all cells. */
  clear() {
    for (const { key, kind } of this.all) if (kind === "code") this.finish(key, [], null);
  }

  convert(key: string, kind: CellKind) {
    this.#change(key, (cell) => {
      cell.cell_type = kind;
      if (kind === "code") Object.assign(cell, { outputs: [], execution_count: null });
      else {
        delete cell.outputs;
        delete cell.execution_count;
      }
    });
  }

  /**
   * Add an empty cell.
   *
   * @param index - of the cell before which it stands
   * @returns its key
   */
  insert(index: number, kind: CellKind): string {
    const hasIds = (this.#notebook.nbformat_minor ?? 0) >= MINOR_WITH_IDS;
    const code = kind === "code" ? { execution_count: null, outputs: [] } : {};
    const cell: SavedCell = { cell_type: kind, metadata: {}, source: [], ...code };
    if (hasIds) cell.id = crypto.randomUUID().slice(0, 8);
    this.#notebook.cells.splice(index, 0, cell);
    return this.#keyOf(cell);
  }

  remove(key: string) {
    const at = this.#indexOf(key);
    if (at >= 0) this.#notebook.cells.splice(at, 1);
  }

  /** Exchange a cell with the one before or after it. @returns false at the end */
  move(key: string, by: -1 | 1): boolean {
    const { cells } = this.#notebook;
    const at = this.#indexOf(key);
    if (at < 0 || at + by < 0 || at + by >= cells.length) return false;
    [cells[at], cells[at + by]] = [cells[at + by], cells[at]];
    return true;
  }

  #indexOf(key: string) {
    return this.#notebook.cells.findIndex((cell) => this.#keyOf(cell) === key);
  }

  #change(key: string, change: (cell: SavedCell) => void) {
    const cell = this.#notebook.cells[this.#indexOf(key)];
    if (cell) change(cell);
  }

  /** Return the cell's id, or a name by its place if it has none. */
  #keyOf(cell: SavedCell) {
    const known = this.#keys.get(cell) ?? cell.id ?? `cell-${(this.#made += 1)}`;
    this.#keys.set(cell, known);
    return known;
  }
}

/** An empty file becomes this notebook. */
const NEW = {
  cells: [],
  metadata: {
    kernelspec: { display_name: "Python 3", language: "python", name: "python3" },
    language_info: { name: "python" },
  },
  nbformat: 4,
  nbformat_minor: 5,
};

/** Return a multi-line string, which the format may split into lines. */
export function joined(text: unknown): string {
  return Array.isArray(text) ? text.join("") : String(text ?? "");
}

function lines(text: string) {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function isNotebook(read: unknown): read is SavedNotebook {
  const { nbformat, cells } = (read ?? {}) as Partial<Record<string, unknown>>;
  return nbformat === 4 && Array.isArray(cells) && cells.every((cell) => KINDS.includes(cell?.cell_type));
}

/** Parse JSON so that numbers are written again as they were: 1.0 stays 1.0. @returns null if it isn't JSON */
function parse(text: string): unknown {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };
  const exactly = (_: string, value: unknown, context?: { source?: string }) => {
    const isOther = typeof value === "number" && context?.source !== undefined && String(value) !== context.source;
    return isOther && rawJSON ? rawJSON(context?.source ?? "") : value;
  };
  try {
    return JSON.parse(text, exactly as (key: string, value: unknown) => unknown);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
