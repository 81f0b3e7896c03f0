/** Exporting everything as one file, importing such a file, and erasing everything. */

import { html, nothing, render } from "lit";
import type { ListMachinesResult } from "../../../generated/types.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { download } from "../../lib/download.ts";
import { byId, showProblem } from "../../lib/elements.ts";
import { bytes, counted, fullTime } from "../../lib/format.ts";
import { clearSaved } from "../../../shared/local_state.ts";
import type { Actions, Download } from "../../state/actions.ts";
import { isPressOf } from "../../lib/trusted.ts";
import type { Exported, Failure, Imported, ArchiveSummary } from "../../state/types.ts";

/** The settings that erasing resets: `PARTS` of py/gemini/storage/powers.py. */
const ALL_POWERS = ["models", "tools", "skills", "memory"];

type Confirmation = { label: string; act: () => Promise<void> };

export class ExchangeDialog {
  #dialog = byId("exchange", HTMLDialogElement);
  #title = byId("exchange-title", HTMLElement);
  #text = byId("exchange-text", HTMLElement);
  #problem = byId("exchange-problem", HTMLElement);
  #close = byId("exchange-close", HTMLButtonElement);
  #go = byId("exchange-go", HTMLButtonElement);
  #working = false;
  #reloads = false;
  #confirmation: Confirmation | null = null;
  actions: Actions;
  restart: () => void;

  /** @param restart - replaces the kernel with one that has the stored data */
  constructor(actions: Actions, restart: () => void) {
    this.actions = actions;
    this.restart = restart;
    this.#go.addEventListener("click", (event) => isPressOf(event) && this.#confirmation?.act());
    this.#close.addEventListener("click", () => this.#dialog.close());
    this.#dialog.addEventListener("cancel", (event) => this.#working && event.preventDefault());
    this.#dialog.addEventListener("close", () => this.#reloads && location.reload());
  }

  async export() {
    this.#show("Exporting everything", html`<p>Packing files and the database…</p>`);
    const answer = await this.#wait(this.actions.exportAll());
    if (isFailure(answer)) return;
    const disks = await this.#disks();
    this.#show(
      "Exported",
      html`<p>${answer.name} (${bytes(answer.bytes)}) contains everything${disks.length > 0 ? " but the disks below" : ""}.
        Your browser is saving it.</p>${this.#disksView(disks)}`,
    );
    download(answer.blob, answer.name);
  }

  /** List the disks of Linux machines, which an export has only on request: they can be large. */
  async #disks() {
    if (!("linux" in document.documentElement.dataset)) return [];
    const listed = await this.actions.listMachines();
    return isFailure(listed) ? [] : listed.machines.filter(({ changes }) => changes > 0);
  }

  #disksView(disks: ListMachinesResult["machines"]) {
    return disks.map(
      ({
        name,
        changes,
      }) => html`<p><button type="button" data-action="export_machine" @click=${() => this.#exportDisk(name)}>Export the disk of
      the Linux machine ${name} (${bytes(changes)})</button></p>`,
    );
  }

  async #exportDisk(machine: string) {
    this.#show(`Exporting the disk of ${machine}`, html`<p>Reading and packing its changes…</p>`);
    const answer = await this.#wait(this.actions.exportMachine({ machine }));
    if (isFailure(answer)) return;
    this.#show(
      "Exported",
      html`<p>${answer.name} (${bytes(answer.bytes)}) contains the disk's changes. Your browser is saving it. <b>Import disk…</b> in the
      panel Machines reads it.</p>${this.#disksView((await this.#disks()).filter(({ name }) => name !== machine))}`,
    );
    download(answer.blob, answer.name);
  }

  async askImport(file: File) {
    this.#show("Checking the file", html`<p>Checking ${file.name}…</p>`);
    const summary = await this.#wait(this.actions.inspectExport(file));
    if (isFailure(summary)) return;
    this.#ask(
      "Replace everything?",
      html`
      <p>The contents of <b>${file.name}</b> (${bytes(file.size)}) replace everything here: all files in /project
        and /home, terminals, chats and the activity log. Running programs end. Agents must ask again for permanent
        permissions.</p>
      ${powersView(summary)}
      <p>The current data is exported first, to a file that stays in this browser.</p>`,
      { label: "Replace everything", act: () => this.#import(file, this.#selectedPowers()) },
    );
  }

  /** Return the settings of the archive that the user selected. */
  #selectedPowers() {
    return Array.from(this.#text.querySelectorAll<HTMLInputElement>("input:checked"), ({ value }) => value);
  }

  async #import(file: File, take: string[]) {
    this.#show("Importing", html`<p>Checking and unpacking ${file.name}…</p>`);
    const answer = await this.#wait(this.actions.importAll(file, take));
    if (isFailure(answer)) return;
    this.restart();
    this.#show(
      "Imported",
      html`
      <p>Exported ${fullTime(answer.made)}: ${bytes(answer.bytes)} in ${counted(answer.entries, "file")} and folders.</p>
      ${undoInstructions(answer, take)}`,
    );
  }

  askReset() {
    this.#ask(
      "Erase everything?",
      html`
      <p>This erases all files in /project and /home, terminals, settings, permissions and the activity log, and the page
        looks as on a first visit. Running programs end.</p>
      <p>The current data is exported first, to a file that stays in this browser. To save a copy elsewhere, cancel and
        export everything.</p>`,
      { label: "Erase everything", act: () => this.#reset() },
    );
  }

  async #reset() {
    this.#show("Erasing", html`<p>Exporting, then erasing…</p>`);
    const answer = await this.#wait(this.actions.resetAll());
    if (isFailure(answer)) return;
    clearSaved();
    this.#show(
      "Everything is erased",
      html`${undoInstructions(answer, ALL_POWERS)}<p>The page reloads when you close this.</p>`,
    );
    this.#reloads = true;
  }

  async #wait<Answer extends Exported | Imported | ArchiveSummary | Download>(working: Promise<Answer | Failure>) {
    this.#working = this.#close.disabled = true;
    const answer = await working;
    this.#working = this.#close.disabled = false;
    if (isFailure(answer)) {
      this.#show("Nothing was changed", nothing);
      showProblem(this.#problem, answer.error);
    }
    return answer;
  }

  #ask(title: string, text: unknown, confirmation: Confirmation) {
    this.#show(title, text);
    this.#close.textContent = "Cancel";
    this.#confirmation = confirmation;
    this.#go.textContent = confirmation.label;
    this.#go.hidden = false;
  }

  #show(title: string, text: unknown) {
    this.#title.textContent = title;
    render(text, this.#text);
    this.#close.textContent = "Close";
    this.#confirmation = null;
    this.#go.hidden = true;
    showProblem(this.#problem, null);
    if (!this.#dialog.open) this.#dialog.showModal();
    // A button that was disabled meanwhile has lost the focus.
    if (!this.#working && !this.#dialog.contains(document.activeElement)) this.#close.focus();
  }
}

/** List the settings in an archive that affect permissions, none of them selected. */
function powersView({ powers }: ArchiveSummary) {
  if (powers.length === 0) return nothing;
  return html`<p>Your own settings stay. Replace them with these from the file only if you trust its author:</p>
    ${powers.map(
      ({ name, label, lines }) => html`
      <div class="power">
        <label><input type="checkbox" name="take" value=${name} autocomplete="off"> ${label}</label>
        <ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>
      </div>`,
    )}`;
}

/** @param taken - settings that weren't here before */
function undoInstructions({ before }: Imported, taken: string[]) {
  const take = taken.length > 0 ? `, ${JSON.stringify(taken)}` : "";
  return html`<p>The previous data is in <code>${before}</code>. To restore it, run
    <code>gemini.import_all("${before}"${take})</code> in the Python console and reload the page.</p>`;
}
