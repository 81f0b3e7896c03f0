/**
 * The Preview panel: the file in front of the editor, rendered. It follows the file's changes. Cells of notebooks run in the
 * console.
 *
 * @import { Actions } from "../actions.js"
 * @import { ConsoleEntry, OpenRow } from "../../generated/types.js"
 * @import { Store } from "../store.js"
 */

import { isFailure } from "../call.js";
import { byId, showProblem } from "../elements.js";
import { whenChanged } from "../store.js";
import { Rendering } from "./rendering.js";

class PreviewPanel {
  #title = byId("preview-title", HTMLElement);
  #problem = byId("preview-problem", HTMLElement);
  #empty = byId("preview-empty", HTMLElement);
  #body = byId("preview-body", HTMLElement);
  #rendering;
  /** @type {OpenRow | null} */
  #file = null;
  #isVisible = false;
  /** The file and the version that were rendered last. */
  #shown = "";
  /** @type {ConsoleEntry[]} */
  #entries = [];
  /** The cells that were run, by index: each one's entry is the first after `since` with its code. @type {Map<number, {since: number, code: string}>} */
  #runs = new Map();

  /** @param {Actions} actions @param {(path: string) => void} open */
  constructor(actions, open) {
    this.actions = actions;
    this.#rendering = new Rendering(actions, this.#body, open, {
      run: (index, code) => void this.#run(index, code),
      entryOf: (index) => this.#entryOf(index),
    });
    new IntersectionObserver((entries) => {
      this.#isVisible = entries.at(-1)?.isIntersecting ?? false;
      this.#draw();
    }).observe(this.#body.parentElement ?? this.#body);
  }

  /** @param {OpenRow | null} file the one in front of the editor */
  follow(file) {
    this.#file = file;
    this.#draw();
  }

  /** @param {ConsoleEntry[]} entries of the console */
  showRuns(entries) {
    this.#entries = entries;
    if (this.#runs.size > 0) this.#rendering.redraw();
  }

  /** @param {number} index of a cell @param {string} code */
  async #run(index, code) {
    this.#runs.set(index, { since: this.#entries.at(-1)?.id ?? 0, code });
    const answer = await this.actions.runPython({ code });
    const failed = isFailure(answer) && answer.error.type !== "PythonError";
    showProblem(this.#problem, failed ? answer.error : null);
  }

  /** @param {number} index of a cell */
  #entryOf(index) {
    const run = this.#runs.get(index);
    return run && this.#entries.find(({ id, code }) => id > run.since && code === run.code) || null;
  }

  #draw() {
    const file = this.#file;
    const wanted = file === null ? "" : `${file.stamp}\n${file.path}`;
    if (!this.#isVisible || wanted === this.#shown) return;
    this.#shown = wanted;
    // The cells may be others.
    this.#runs.clear();
    this.#empty.hidden = file !== null;
    this.#title.textContent = file === null ? "Preview" : `Preview: ${file.path.slice(file.path.lastIndexOf("/") + 1)}`;
    showProblem(this.#problem, null);
    if (file === null) this.#rendering.reset();
    else void this.#render(file.path);
  }

  /** @param {string} path */
  async #render(path) {
    const { scrollTop } = this.#body;
    const answer = await this.#rendering.show(path);
    if (isFailure(answer)) showProblem(this.#problem, answer.error);
    else if (answer !== null) this.#body.scrollTop = scrollTop;
  }
}

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {(path: string) => void} open opens another file
 */
export function showPreview(store, actions, open) {
  const panel = new PreviewPanel(actions, open);
  store.subscribe(whenChanged(({ editors, kernel }) => [editors, kernel], ({ editors, kernel }) => {
    if (kernel === "ready") panel.follow(editors?.files.find(({ id }) => id === editors.active) ?? null);
  }));
  store.subscribe(whenChanged(({ console }) => [console], ({ console }) => panel.showRuns(console.entries)));
}
