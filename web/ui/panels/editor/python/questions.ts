/**
 * Questions about Python code, which the kernel answers. A busy kernel delays answers, never the editor: of the questions
 * that wait, only the newest is asked.
 */

import type { Failure } from "../../../state/types.ts";
import { Facet, type EditorState } from "@codemirror/state";

export type About = "complete" | "signature" | "describe" | "define";

/** about a place in a text */
export type Question = { about: About; path: string; text: string; line: number; column: number };

/** performs actions beyond the editor's text */
export interface Helper {
  /** resolves with the answer, or a Failure */
  ask: <Answer>(question: Question) => Promise<Answer | Failure>;
  open: (path: string, line: number) => Promise<unknown>;
  /** saves the file first */
  rename: (place: { line: number; column: number }, name: string) => Promise<void>;
  format: () => Promise<void>;
  say: (message: string) => void;
  /** shows the panel of problems */
  listProblems: () => void;
}

/** The file's path. */
export const filePath: Facet<string, string> = Facet.define({ combine: ([path]) => path ?? "" });

/** The helper of the view that shows the text. */
export const helper: Facet<() => Helper | null, () => Helper | null> = Facet.define({
  combine: ([get]) => get ?? (() => null),
});

type Waiting = { work: () => Promise<unknown>; resolve: (answer: unknown) => void };

class Newest {
  #isBusy = false;
  #waiting: Waiting | null = null;

  /**
   * Ask, after the question that is being asked.
   * @returns null if a newer question came
   */
  ask<Answer>(work: () => Promise<Answer>): Promise<Answer | null> {
    return new Promise((resolve) => {
      this.#waiting?.resolve(null);
      // It gets the answer to this work.
      this.#waiting = { work, resolve: resolve as Waiting["resolve"] };
      if (!this.#isBusy) void this.#next();
    });
  }

  async #next() {
    this.#isBusy = true;
    for (let next = this.#waiting; next; next = this.#waiting) {
      this.#waiting = null;
      next.resolve(await next.work());
    }
    this.#isBusy = false;
  }
}

const asked = new Map<About, Newest>();

/**
 * Ask about a position. An answer for a text that has changed meanwhile is the caller's to drop.
 *
 * @returns the answer or a Failure; null if a newer question came
 */
export async function ask<Answer>(
  state: EditorState,
  position: number,
  about: About,
): Promise<Answer | Failure | null> {
  const help = state.facet(helper)();
  if (help === null) return Promise.resolve(null);
  const newest = asked.get(about) ?? new Newest();
  asked.set(about, newest);
  return newest.ask(() =>
    help.ask<Answer>({ about, path: state.facet(filePath), text: state.doc.toString(), ...placeOf(state, position) }),
  );
}

/** Return a position as Python counts: a line from 1, a column in code points from 0. */
export function placeOf(state: EditorState, position: number) {
  const line = state.doc.lineAt(position);
  return { line: line.number, column: [...state.sliceDoc(line.from, position)].length };
}
