/** The problems of all open files, for the panel that lists them. */

import { isFailure } from "../../state/kernel_calls.ts";
import type { Found } from "./main.ts";
import type { OpenText } from "./open_text.ts";
import { openEditor } from "./opening.ts";

export interface FileProblems {
  path: string;
  /** at least one, in order of the places */
  problems: Found[];
}

interface Editor {
  /** in the order of the tabs; those that are read */
  texts: () => OpenText[];
  /** reads all open files */
  readAll: () => void;
  /** called when texts were changed or checked */
  onChange: () => void;
  say: (message: string) => void;
}

export class Problems {
  #editor: Editor;
  #toGo: { path: string; problem: Found } | null = null;
  /** True if files that aren't shown are read and checked, too. */
  checksAll = false;
  /** called when the list may have changed */
  onChange = () => {};

  constructor(editor: Editor) {
    this.#editor = editor;
  }

  /** Return the files with problems. */
  list(): FileProblems[] {
    return this.#editor
      .texts()
      .map(({ path, buffer }) => ({ path, problems: buffer?.problems ?? [] }))
      .filter(({ problems }) => problems.length > 0);
  }

  /** Check also the open files that weren't shown since the page loaded. */
  checkAll() {
    this.checksAll = true;
    this.#editor.readAll();
  }

  /** Check a text that isn't shown, once it is read. */
  async check(text: OpenText) {
    await text.settled;
    await text.buffer?.check();
    this.#editor.onChange();
  }

  /** Open a file at a problem, and focus it. */
  async show(path: string, problem: Found) {
    this.#toGo = { path, problem };
    const answer = await openEditor(path, problem.line);
    if (isFailure(answer)) this.#editor.say(answer.error.message);
  }

  /** Return the column of the problem that a file was opened for at a line; otherwise 1. */
  takeColumn(path: string, line: number) {
    const { path: asked, problem } = this.#toGo ?? {};
    this.#toGo = null;
    return asked === path && problem?.line === line ? problem.column : 1;
  }

  fix(path: string, problem: Found) {
    const text = this.#editor.texts().find((each) => each.path === path);
    if (!text) return;
    text.buffer?.fix(problem);
    void this.check(text);
  }
}
