/** Problems and formatting of Python code, from ruff in a worker, which starts with the first text. */

/** both from 1, the column in UTF-16 */
export type Position = { row: number; column: number };

type Edit = { content: string | null; location: Position; end_location: Position };

export interface Problem {
  /** of the rule; null for a syntax error */
  code: string | null;
  message: string;
  start_location: Position;
  end_location: Position;
  fix: { message: string | null; edits: Edit[] } | null;
}

const WORKER = "python_checks.js";
/** Longer text takes too long to check at each pause. */
const MAX_CHARACTERS = 500_000;
/** The first text waits for a download. */
const PATIENCE_MS = { loading: 60_000, loaded: 5_000 };

class PythonChecks {
  #worker: Worker | null = null;
  #loaded = false;
  #last = 0;
  #waiting = new Map<number, (result: unknown) => void>();

  /** @returns null if it can't be checked */
  check(text: string): Promise<Problem[] | null> {
    return this.#ask("check", text);
  }

  /** @returns null if it can't be formatted, as after a syntax error */
  format(text: string): Promise<string | null> {
    return this.#ask("format", text);
  }

  /** The worker answers with what `wanted` is for. */
  async #ask<Result>(wanted: "check" | "format", text: string): Promise<Result | null> {
    if (text.length > MAX_CHARACTERS) return null;
    const id = (this.#last += 1);
    const worker = (this.#worker ??= this.#start());
    const late = setTimeout(() => this.#end(worker), this.#loaded ? PATIENCE_MS.loaded : PATIENCE_MS.loading);
    const result = await new Promise<Result | null>((resolve) => {
      // The worker answers with the wanted result.
      this.#waiting.set(id, resolve as (result: unknown) => void);
      worker.postMessage({ id, wanted, text });
    });
    clearTimeout(late);
    return result;
  }

  #start() {
    const worker = new Worker(new URL(WORKER, document.baseURI), { type: "module", name: "python-checks" });
    worker.onmessage = ({ data: { id, result, broken } }) => {
      this.#loaded ||= result !== undefined;
      this.#waiting.get(id)?.(result ?? null);
      this.#waiting.delete(id);
      if (broken) this.#end(worker);
    };
    worker.onerror = () => this.#end(worker);
    return worker;
  }

  /** End a worker; the next text starts another. */
  #end(worker: Worker) {
    if (this.#worker !== worker) return;
    worker.terminate();
    this.#worker = null;
    this.#loaded = false;
    for (const resolve of this.#waiting.values()) resolve(null);
    this.#waiting.clear();
  }
}

export const checks = new PythonChecks();
