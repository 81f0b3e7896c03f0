/**
 * Everything at once: exporting it as one file, putting such a file in its place, and beginning anew.
 *
 * @import { Actions } from "../actions.js"
 * @import { Exported, Failure, Imported, ArchiveSummary } from "../types.js"
 * @import { Store } from "../store.js"
 */

import { html, nothing, render } from "lit";
import { isFailure } from "../call.js";
import { download } from "../download.js";
import { byId, showProblem } from "../elements.js";
import { bytes, counted, fullTime } from "../format.js";
import { clearSaved } from "../saved.js";
import { whenChanged } from "../store.js";
import { press } from "../trusted.js";

/** What an erasure takes away beside files: `PARTS` of py/gemini/storage/powers.py. */
const ALL_POWERS = ["models", "tools"];

/** @typedef {{label: string, act: () => Promise<void>}} Way what the person may agree to */

class ExchangeDialog {
  #dialog = byId("exchange", HTMLDialogElement);
  #title = byId("exchange-title", HTMLElement);
  #text = byId("exchange-text", HTMLElement);
  #problem = byId("exchange-problem", HTMLElement);
  #close = byId("exchange-close", HTMLButtonElement);
  #go = byId("exchange-go", HTMLButtonElement);
  #picker = byId("import-file", HTMLInputElement);
  #buttons = ["export", "import", "reset-all"].map((id) => byId(id, HTMLButtonElement));
  #working = false;
  #reloads = false;
  /** @type {Way | null} */
  #way = null;

  /**
   * @param {Actions} actions
   * @param {() => void} restart puts a kernel that has what is kept now in the place of this one
   */
  constructor(actions, restart) {
    this.actions = actions;
    this.restart = restart;
    const [exporting, importing, resetting] = this.#buttons;
    exporting?.addEventListener("click", () => this.#export());
    // An agent that clicks in the page must not replace what the person has.
    importing?.addEventListener("click", ({ isTrusted }) => isTrusted && press(this.#picker));
    resetting?.addEventListener("click", ({ isTrusted }) => isTrusted && this.#askReset());
    this.#picker.addEventListener("change", () => this.#askImport());
    this.#go.addEventListener("click", ({ isTrusted }) => isTrusted && this.#way?.act());
    this.#close.addEventListener("click", () => this.#dialog.close());
    this.#dialog.addEventListener("cancel", (event) => this.#working && event.preventDefault());
    this.#dialog.addEventListener("close", () => this.#reloads && location.reload());
  }

  /** @param {boolean} ready */
  render(ready) {
    for (const button of this.#buttons) button.disabled = !ready;
  }

  async #export() {
    this.#show("Exporting everything", html`<p>Files and database are packed…</p>`);
    const answer = await this.#wait(this.actions.exportAll());
    if (isFailure(answer)) return;
    this.#show("Exported", html`<p>${answer.name} has everything (${bytes(answer.bytes)}). Your browser saves it.</p>`);
    download(answer.blob, answer.name);
  }

  async #askImport() {
    const [file] = this.#picker.files ?? [];
    if (!file) return;
    this.#picker.value = "";
    this.#show("Looking at the file", html`<p>${file.name} is checked…</p>`);
    const looked = await this.#wait(this.actions.inspectExport(file));
    if (isFailure(looked)) return;
    this.#ask("Replace everything?", html`
      <p>Everything here is replaced by what is in <b>${file.name}</b> (${bytes(file.size)}): all files in /project
        and /home, terminals, chats and the activity log. What runs is ended. What you allowed agents for good
        is asked again.</p>
      ${powersOf(looked)}
      <p>What is here now is exported before, to a file that stays in this browser.</p>`,
    { label: "Replace everything", act: () => this.#import(file, this.#taken()) });
  }

  /** The powers that the person has ticked. */
  #taken() {
    return Array.from(this.#text.querySelectorAll("input:checked"), (box) => /** @type {HTMLInputElement} */ (box).value);
  }

  /** @param {File} file @param {string[]} take */
  async #import(file, take) {
    this.#show("Importing", html`<p>${file.name} is checked and unpacked…</p>`);
    const answer = await this.#wait(this.actions.importAll(file, take));
    if (isFailure(answer)) return;
    this.restart();
    this.#show("Imported", html`
      <p>Exported ${fullTime(answer.made)}: ${bytes(answer.bytes)} in ${counted(answer.entries, "file")} and folders.</p>
      ${wayBack(answer, take)}`);
  }

  #askReset() {
    this.#ask("Erase everything?", html`
      <p>All files in /project and /home, terminals, settings, standing grants and the activity log are erased, and the
        page looks as on a first visit. What runs is ended.</p>
      <p>What is here now is exported before, to a file that stays in this browser. To have it elsewhere, cancel, and
        export everything first.</p>`,
    { label: "Erase everything", act: () => this.#reset() });
  }

  async #reset() {
    this.#show("Erasing", html`<p>What is here is exported, then erased…</p>`);
    const answer = await this.#wait(this.actions.resetAll());
    if (isFailure(answer)) return;
    clearSaved();
    this.#show("Everything is erased", html`${wayBack(answer, ALL_POWERS)}<p>The page reloads when you close this.</p>`);
    this.#reloads = true;
  }

  /**
   * @template {Exported | Imported | ArchiveSummary} Answer
   * @param {Promise<Answer | Failure>} working
   */
  async #wait(working) {
    this.#working = this.#close.disabled = true;
    const answer = await working;
    this.#working = this.#close.disabled = false;
    if (isFailure(answer)) {
      this.#show("Nothing was changed", nothing);
      showProblem(this.#problem, answer.error);
    }
    return answer;
  }

  /** @param {string} title @param {unknown} text @param {Way} way */
  #ask(title, text, way) {
    this.#show(title, text);
    this.#close.textContent = "Cancel";
    this.#way = way;
    this.#go.textContent = way.label;
    this.#go.hidden = false;
  }

  /** @param {string} title @param {unknown} text */
  #show(title, text) {
    this.#title.textContent = title;
    render(text, this.#text);
    this.#close.textContent = "Close";
    this.#way = null;
    this.#go.hidden = true;
    showProblem(this.#problem, null);
    if (!this.#dialog.open) this.#dialog.showModal();
  }
}

/** What of an archive decides who is asked and who may do what: its own words, none of it ticked. @param {ArchiveSummary} looked */
function powersOf({ powers }) {
  if (powers.length === 0) return nothing;
  return html`<p>Your own settings stay. Take these of the file in their place only if you trust who made it:</p>
    ${powers.map(({ name, label, lines }) => html`
      <div class="power">
        <label><input type="checkbox" name="take" value=${name} autocomplete="off"> ${label}</label>
        <ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>
      </div>`)}`;
}

/** @param {Imported} answer @param {string[]} taken powers that weren't here before */
function wayBack({ before }, taken) {
  const take = taken.length > 0 ? `, ${JSON.stringify(taken)}` : "";
  return html`<p>What was here before is in <code>${before}</code>. To go back to it, run
    <code>gemini.import_all("${before}"${take})</code> in the Python console and reload the page.</p>`;
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
