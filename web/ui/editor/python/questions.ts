/**
 * Questions about Python code, which the kernel answers. A busy kernel delays answers, never the editor: of the questions
 * that wait, only the newest is asked.
 */

import { Facet } from "@codemirror/state";

/**
 * @import { EditorState } from "@codemirror/state"
 * @typedef {"complete" | "signature" | "describe" | "define"} About
 * @typedef {object} Helper performs what the editor's text can't
 * @property {(question: {about: About, path: string, text: string, line: number, column: number}) => Promise<any>} ask
 *   resolves with the answer, or a Failure
 * @property {(path: string, line: number) => Promise<unknown>} open
 * @property {(place: {line: number, column: number}, name: string) => Promise<void>} rename saves the file first
 * @property {() => Promise<void>} format
 * @property {(message: string) => void} say
 */

/** The file's path. @type {Facet<string, string>} */
export const filePath = Facet.define({ combine: ([path]) => path ?? "" });

/** The helper of the view that shows the text. @type {Facet<() => Helper | null, () => Helper | null>} */
export const helper = Facet.define({ combine: ([get]) => get ?? (() => null) });

/** @typedef {{work: () => Promise<any>, resolve: (answer: any) => void}} Waiting */

class Newest {
  #isBusy = false;
  /** @type {Waiting | null} */
  #waiting = null;

  /** Ask, after the question that is being asked. @param {() => Promise<any>} work @returns {Promise<any>} null if a newer question came */
  ask(work) {
    return new Promise((resolve) => {
      this.#waiting?.resolve(null);
      this.#waiting = { work, resolve };
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

/** @type {Map<About, Newest>} */
const asked = new Map();

/**
 * Ask about a position. An answer for a text that has changed meanwhile is the caller's to drop.
 *
 * @param {EditorState} state
 * @param {number} position
 * @param {About} about
 * @returns {Promise<any>} the answer or a Failure; null if a newer question came
 */
export function ask(state, position, about) {
  const help = state.facet(helper)();
  if (help === null) return Promise.resolve(null);
  const newest = asked.get(about) ?? new Newest();
  asked.set(about, newest);
  return newest.ask(() => help.ask({ about, path: state.facet(filePath), text: state.doc.toString(), ...placeOf(state, position) }));
}

/** Return a position as Python counts: a line from 1, a column in code points from 0. @param {EditorState} state @param {number} position */
export function placeOf(state, position) {
  const line = state.doc.lineAt(position);
  return { line: line.number, column: [...state.sliceDoc(line.from, position)].length };
}
