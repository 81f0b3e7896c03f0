/** The cells that run in sequence, and the output of those that do. */

import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { ConsoleEntry, ErrorRow, RunCellResult } from "../../../generated/types.ts";

export interface CellName {
  path: string;
  key: string;
}

export interface RunState {
  /** whether it waits for the cells before it */
  isQueued: boolean;
  isRunning: boolean;
  /** its entry in the console while it runs */
  entry: ConsoleEntry | null;
  /** the package that its last run lacked */
  missing: string | null;
  /** why it couldn't run */
  problem: ErrorRow | null;
}

type Ended = Omit<RunCellResult, "execution_count"> & { execution_count: number | null };

interface Job {
  cell: CellName;
  code: string;
}

interface Callbacks {
  onChange: () => void;
  onEnd: (cell: CellName, run: Ended) => void;
}

export class Runs {
  #actions: Actions;
  #callbacks: Callbacks;
  #queue: Job[] = [];
  #current: { job: Job; stopping: AbortController } | null = null;
  #entries: ConsoleEntry[] = [];
  #missing = new Map<string, string>();
  #problems = new Map<string, ErrorRow>();

  constructor(actions: Actions, callbacks: Callbacks) {
    this.#actions = actions;
    this.#callbacks = callbacks;
  }

  get busy() {
    return this.#current !== null;
  }

  stateOf(cell: CellName): RunState {
    const name = nameOf(cell);
    const isRunning = this.#current !== null && nameOf(this.#current.job.cell) === name;
    return {
      isQueued: this.#queue.some((job) => nameOf(job.cell) === name),
      isRunning,
      entry: isRunning ? (this.#entries.findLast((entry) => entry.cell === name && entry.running) ?? null) : null,
      missing: this.#missing.get(name) ?? null,
      problem: this.#problems.get(name) ?? null,
    };
  }

  /** @returns whether a cell that runs has other output */
  follow(entries: ConsoleEntry[]): boolean {
    this.#entries = entries;
    return this.busy;
  }

  add(cell: CellName, code: string) {
    if (this.#queue.some((job) => nameOf(job.cell) === nameOf(cell))) return;
    this.#queue.push({ cell, code });
    void this.#next();
  }

  /** Install the package that a cell lacks, then run the cell. */
  install(cell: CellName, name: string, code: string) {
    this.#queue.push({ cell, code: `%pip install ${name}` }, { cell, code });
    void this.#next();
  }

  /** Stop the cell that runs, and those that wait. */
  stop() {
    this.#queue = [];
    this.#current?.stopping.abort();
    this.#callbacks.onChange();
  }

  async #next() {
    if (this.#current !== null) return;
    const job = this.#queue.shift();
    if (!job) return;
    this.#current = { job, stopping: new AbortController() };
    this.#callbacks.onChange();
    const run = await this.#run(job, this.#current.stopping.signal);
    this.#current = null;
    if (run === null || run.outputs.some(({ output_type: type }) => type === "error")) this.#queue = [];
    if (run) this.#callbacks.onEnd(job.cell, run);
    this.#callbacks.onChange();
    void this.#next();
  }

  async #run({ cell, code }: Job, signal: AbortSignal): Promise<Ended | null> {
    const name = nameOf(cell);
    this.#missing.delete(name);
    this.#problems.delete(name);
    if (code.trim() === "") return { outputs: [], execution_count: null, package: null };
    const answer = await this.#actions.runCell({ code, cell: name }, signal);
    // A call that was stopped has no answer.
    const run = signal.aborted ? await this.#actions.stoppedCell({ cell: name }) : answer;
    if (isFailure(run)) {
      if (!signal.aborted) this.#problems.set(name, run.error);
      return null;
    }
    if (run.package !== null) this.#missing.set(name, run.package);
    return run;
  }
}

function nameOf({ path, key }: CellName) {
  return `${path}#${key}`;
}
