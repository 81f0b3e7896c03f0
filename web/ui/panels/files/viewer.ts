/** The preview dialog for images, Markdown, JSON, tables and text. */

import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { byId, showProblem } from "../../lib/elements.ts";
import { bytes } from "../../lib/format.ts";
import { Rendering } from "./rendering.ts";
import { saveToDevice } from "./transfers.ts";

export class Viewer {
  #dialog = byId("file-viewer", HTMLDialogElement);
  #title = byId("file-viewer-title", HTMLElement);
  #facts = byId("file-viewer-facts", HTMLElement);
  #problem = byId("file-viewer-problem", HTMLElement);
  #rendering: Rendering;
  #path: string | null = null;
  actions: Actions;
  show: { open: (path: string) => Promise<object>; edit: (path: string) => Promise<object> };

  constructor(
    actions: Actions,
    show: { open: (path: string) => Promise<object>; edit: (path: string) => Promise<object> },
  ) {
    this.actions = actions;
    this.show = show;
    this.#rendering = new Rendering(actions, byId("file-viewer-body", HTMLElement), (to) =>
      this.#leaveFor(() => show.open(to)),
    );
    byId("file-viewer-close", HTMLButtonElement).addEventListener("click", () => this.#dialog.close());
    byId("file-viewer-edit", HTMLButtonElement).addEventListener("click", () => this.#leaveFor(show.edit));
    byId("file-viewer-download", HTMLButtonElement).addEventListener("click", () => void this.#download());
    this.#dialog.addEventListener("close", () => this.#reset());
  }

  /** @param path - absolute */
  async view(path: string) {
    this.#reset();
    this.#path = path;
    this.#title.textContent = path;
    this.#facts.textContent = "Loading…";
    showProblem(this.#problem, null);
    if (!this.#dialog.open) this.#dialog.showModal();
    const file = await this.#rendering.show(path);
    if (file === null) return;
    this.#facts.textContent = isFailure(file) ? "" : bytes(file.size);
    if (isFailure(file)) showProblem(this.#problem, file.error);
  }

  async #download() {
    const answer = this.#path === null ? null : await saveToDevice(this.actions, [this.#path]);
    showProblem(this.#problem, isFailure(answer) ? answer.error : null);
  }

  async #leaveFor(go: (path: string) => Promise<object>) {
    const from = this.#path;
    if (from === null) return;
    const answer = await go(from);
    if (isFailure(answer)) showProblem(this.#problem, answer.error);
    // Another file may be shown by now.
    else if (this.#path === from) this.#dialog.close();
  }

  #reset() {
    this.#path = null;
    this.#rendering.reset();
  }
}
