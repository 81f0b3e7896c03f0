/**
 * Everything as one file: exporting it, and putting such a file in the place of everything.
 *
 * @import { Actions } from "./actions.js"
 * @import { Exported, Imported } from "./types.js"
 * @import { Child } from "./elements.js"
 * @import { Store } from "./store.js"
 */

import { isFailure } from "./call.js";
import { byId, h, showProblem } from "./elements.js";
import { bytes, counted, fullTime } from "./format.js";
import { whenChanged } from "./store.js";

class ExchangeDialog {
  #dialog = byId("exchange", HTMLDialogElement);
  #title = byId("exchange-title", HTMLElement);
  #text = byId("exchange-text", HTMLElement);
  #problem = byId("exchange-problem", HTMLElement);
  #close = byId("exchange-close", HTMLButtonElement);
  #go = byId("exchange-go", HTMLButtonElement);
  #picker = byId("import-file", HTMLInputElement);
  #buttons = [byId("export", HTMLButtonElement), byId("import", HTMLButtonElement)];
  #working = false;
  /** @type {File | null} */
  #file = null;

  /**
   * @param {Actions} actions
   * @param {() => void} restart puts a kernel that has what was imported in the place of this one
   */
  constructor(actions, restart) {
    this.actions = actions;
    this.restart = restart;
    this.#buttons[0].addEventListener("click", () => this.#export());
    this.#buttons[1].addEventListener("click", () => this.#picker.click());
    this.#picker.addEventListener("change", () => this.#choose());
    this.#go.addEventListener("click", () => this.#import());
    this.#close.addEventListener("click", () => this.#dialog.close());
    this.#dialog.addEventListener("cancel", (event) => this.#working && event.preventDefault());
  }

  /** @param {boolean} ready */
  render(ready) {
    for (const button of this.#buttons) button.disabled = !ready;
  }

  async #export() {
    this.#show("Exporting everything", h("p", {}, "Files and database are packed…"));
    const answer = await this.#wait(this.actions.exportAll());
    if (isFailure(answer)) return;
    this.#show("Exported", h("p", {}, `${answer.name} has everything (${bytes(answer.bytes)}). Your browser saves it.`));
    h("a", { href: answer.url, download: answer.name }).click();
  }

  #choose() {
    const [file] = this.#picker.files ?? [];
    this.#picker.value = "";
    if (!file) return;
    this.#file = file;
    this.#show("Replace everything?",
      h("p", {}, "Everything here is replaced by what is in ", h("b", {}, file.name), ` (${bytes(file.size)}): `
        + "all files in /project and /home, terminals, settings and the activity log. What runs is ended."),
      h("p", {}, "What is here now is exported before, to a file that stays in this browser."));
    this.#close.textContent = "Cancel";
    this.#go.hidden = false;
  }

  async #import() {
    const file = this.#file;
    if (!file) return;
    this.#show("Importing", h("p", {}, `${file.name} is checked and unpacked…`));
    const url = URL.createObjectURL(file);
    const answer = await this.#wait(this.actions.importAll(url));
    URL.revokeObjectURL(url);
    if (isFailure(answer)) return;
    this.restart();
    this.#show("Imported",
      h("p", {}, `Exported ${fullTime(answer.made)}: ${bytes(answer.bytes)} in ${counted(answer.entries, "file")} and folders.`),
      h("p", {}, "What was here before is in ", h("code", {}, answer.before), ". To go back to it, run ",
        h("code", {}, `gemini.import_all("${answer.before}")`), " in the Python console and reload the page."));
  }

  /**
   * @template {Exported | Imported} Answer
   * @param {Promise<Answer | import("./types.js").Failure>} working
   */
  async #wait(working) {
    this.#working = this.#close.disabled = true;
    const answer = await working;
    this.#working = this.#close.disabled = false;
    if (isFailure(answer)) {
      this.#show("Nothing was changed");
      showProblem(this.#problem, answer.error);
    }
    return answer;
  }

  /** @param {string} title @param {...Child} text */
  #show(title, ...text) {
    this.#title.textContent = title;
    this.#text.replaceChildren(...text.filter((child) => child instanceof Node));
    this.#close.textContent = "Close";
    this.#go.hidden = true;
    showProblem(this.#problem, null);
    if (!this.#dialog.open) this.#dialog.showModal();
  }
}

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {() => void} restart
 */
export function showExchange(store, actions, restart) {
  const dialog = new ExchangeDialog(actions, restart);
  store.subscribe(whenChanged(({ kernel }) => [kernel], ({ kernel }) => dialog.render(kernel === "ready")));
}
