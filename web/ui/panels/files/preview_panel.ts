/** The Preview panel: the file in front of the editor, rendered. It follows the file's changes. */

import type { OpenRow } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { byId, showProblem } from "../../lib/elements.ts";
import type { Store } from "../../state/store.ts";
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
  actions: Actions;

  constructor(actions: Actions, open: (path: string) => void) {
    this.actions = actions;
    this.#rendering = new Rendering(actions, this.#body, open);
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

  #draw() {
    const file = this.#file;
    const wanted = file === null ? "" : `${file.stamp}\n${file.path}`;
    if (!this.#isVisible || wanted === this.#shown) return;
    this.#shown = wanted;
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
  store.follow(["editors", "kernel"], ({ editors, kernel }) => {
    if (kernel === "ready") panel.follow(editors?.files.find(({ id }) => id === editors.active) ?? null);
  });
}
