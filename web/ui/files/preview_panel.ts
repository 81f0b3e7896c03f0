/**
 * The Preview panel: the file in front of the editor, rendered. It follows the file's changes. Cells of notebooks run in the
 * console.
 */

import type { ConsoleEntry, OpenRow } from "../../generated/types.ts";
import type { Actions } from "../actions.ts";
import { isFailure } from "../call.ts";
import { byId, showProblem } from "../elements.ts";
import { whenChanged, type Store } from "../store.ts";
import { Rendering } from "./rendering.ts";

class PreviewPanel {
  #title = byId("preview-title", HTMLElement);
  #problem = byId("preview-problem", HTMLElement);
  #empty = byId("preview-empty", HTMLElement);
  #body = byId("preview-body", HTMLElement);
  #rendering: Rendering;
  #file: OpenRow | null = null;
  #isVisible = false;
  /** The file and the version that were rendered last. */
  #shown = "";
  #entries: ConsoleEntry[] = [];
  /** The cells that were run, by index: each one's entry is the first after `since` with its code. */
  #runs = new Map<number, { since: number; code: string }>();
  actions: Actions;

  constructor(actions: Actions, open: (path: string) => void) {
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

  /** @param file - the one in front of the editor */
  follow(file: OpenRow | null) {
    this.#file = file;
    this.#draw();
  }

  /** @param entries - of the console */
  showRuns(entries: ConsoleEntry[]) {
    this.#entries = entries;
    if (this.#runs.size > 0) this.#rendering.redraw();
  }

  /** @param index - of a cell */
  async #run(index: number, code: string) {
    this.#runs.set(index, { since: this.#entries.at(-1)?.id ?? 0, code });
    const answer = await this.actions.runPython({ code });
    const failed = isFailure(answer) && answer.error.type !== "PythonError";
    showProblem(this.#problem, failed ? answer.error : null);
  }

  /** @param index - of a cell */
  #entryOf(index: number) {
    const run = this.#runs.get(index);
    return (run && this.#entries.find(({ id, code }) => id > run.since && code === run.code)) || null;
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

  async #render(path: string) {
    const { scrollTop } = this.#body;
    const answer = await this.#rendering.show(path);
    if (isFailure(answer)) showProblem(this.#problem, answer.error);
    else if (answer !== null) this.#body.scrollTop = scrollTop;
  }
}

/** @param open - opens another file */
export function showPreview(store: Store, actions: Actions, open: (path: string) => void) {
  const panel = new PreviewPanel(actions, open);
  store.subscribe(
    whenChanged(
      ({ editors, kernel }) => [editors, kernel],
      ({ editors, kernel }) => {
        if (kernel === "ready") panel.follow(editors?.files.find(({ id }) => id === editors.active) ?? null);
      },
    ),
  );
  store.subscribe(
    whenChanged(
      ({ console }) => [console],
      ({ console }) => panel.showRuns(console.entries),
    ),
  );
}
