/**
 * The Machines panel: the Linux machines in the page, with their memory, disks and processes. A separate bundle.
 */

import { expect, focusIn } from "../../lib/elements.ts";
import { html, nothing, render } from "lit";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { ListMachinesResult } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { shown } from "../../consent/text.ts";
import { download } from "../../lib/download.ts";
import { bytes, counted, when } from "../../lib/format.ts";
import { submitting, valueOf } from "../../lib/forms.ts";
import { ListPanel } from "../list_panel.ts";
import { isPressOf, press } from "../../lib/trusted.ts";
import type { Failure } from "../../state/types.ts";
import { icon } from "../../lib/icons.ts";

type MachineRow = ListMachinesResult["machines"][number];
type Change = "pause" | "resume" | "save" | "restore" | "stop" | "reset" | "throw_away";

// While the panel is visible. Listing takes a machine 30 ms.
const REFRESH_MS = 5_000;
const MOST_SHOWN = 40;

/** Of each change: its button, the announcement, and the question before it, if it loses something. */
const CHANGES: Record<Change, { label: string; done: string; question?: string; action?: string }> = {
  pause: { label: "Pause", done: "is paused" },
  resume: { label: "Resume", done: "goes on" },
  save: { label: "Save", done: "is saved" },
  restore: {
    label: "Restore",
    done: "is as it was saved",
    question: "Return to the saved state? What runs now ends, and later changes of its disk are lost.",
    action: "Restore it",
  },
  stop: { label: "Stop", done: "has stopped", question: "End its processes? Its disk stays.", action: "Stop it" },
  reset: {
    label: "Reset",
    done: "is reset",
    question: "Delete its disk's changes, such as installed packages, and its saved state? What runs in it ends.",
    action: "Reset it",
  },
  throw_away: {
    label: "Throw away",
    done: "is deleted",
    question: "Delete the machine, with its disk, its saved state and its terminals?",
    action: "Throw it away",
  },
};

/** The changes that each state offers. */
const OFFERED: Record<string, Change[]> = {
  starting: [],
  running: ["pause", "save", "stop", "reset", "throw_away"],
  paused: ["resume", "save", "stop", "reset", "throw_away"],
  stopped: ["reset", "throw_away"],
};

export class MachinesPanel extends ListPanel<ListMachinesResult> {
  /** The change that a question is open about. */
  #asked: { machine: string; change: Change } | null = null;
  /** The file that a question is open about, which replaces a machine's disk. */
  #picked: { machine: string; file: File } | null = null;
  /** The machine whose disk a file is picked for. */
  #importing = "";
  /** The machine that changes, and what happens to it. */
  #doing = "";
  actions: Actions;
  create: (machine: string) => void;

  /** @param create - opens a terminal */
  constructor(actions: Actions, create: (machine: string) => void) {
    super("machines", { machines: [], limit: 2 }, () => actions.listMachines());
    this.actions = actions;
    this.create = create;
    setInterval(() => {
      if (
        document.visibilityState === "visible" &&
        this.body.checkVisibility() &&
        this.shown.machines.length > 0 &&
        !this.isBlocked
      )
        void this.load();
    }, REFRESH_MS);
  }

  draw() {
    const { machines } = this.shown;
    render(
      html`${machines.length > 0 ? this.#heading() : this.#empty()}
      ${repeatBy(machines, "name", (row) => this.#machine(row))}
      <input type="file" id="machines-file" aria-label="A machine's disk" hidden @change=${(event: Event) => this.#onPicked(event)}>`,
      this.body,
    );
  }

  #empty() {
    const has = "linux" in document.documentElement.dataset;
    return html`<div class="empty"><p>${
      has
        ? "No machines yet. A Linux terminal starts one: Debian in the page, with bash, git, gcc and apt."
        : html`Linux isn’t part of this build. To add it, run <code>python3 build.py linux</code>.`
    }</p>
      ${has ? html`<button type="button" class="primary" id="machines-create" data-focus-first ?disabled=${this.isBlocked} @click=${() => this.create("main")}>New Linux terminal</button>` : nothing}</div>`;
  }

  #heading() {
    const { limit } = this.shown;
    const change = ({ currentTarget }: Event & { currentTarget: HTMLInputElement }) => {
      const most = currentTarget.valueAsNumber;
      if (currentTarget.reportValidity())
        void this.act(() => this.actions.limitMachines({ most }), `Up to ${counted(most, "machine")} at once.`);
    };
    return html`<div class="machines-heading"><label>At most <input type="number" id="machines-limit" min="1" max="8" required .value=${String(limit)}
        ?disabled=${this.isBlocked} @change=${change}> in memory</label>
      <button type="button" class="quiet icon" id="machines-refresh" data-focus-next data-action="list_machines" title="Refresh" aria-label="Refresh"
        ?disabled=${this.isBlocked} @click=${() => void this.load()}>${icon("reload")}</button></div>`;
  }

  #machine(row: MachineRow) {
    const { name, state, memory, changes, saved_at: savedAt, saved_size: savedSize, terminals } = row;
    const saved = savedAt === null ? "none" : `${when(new Date(savedAt * 1000).toISOString())}, ${bytes(savedSize)}`;
    const open = terminals.length === 0 ? "no terminals" : terminals.join(", ");
    return html`<section class="machine" data-machine=${name} data-state=${state} aria-labelledby=${`machine-${name}`}>
      <h3 id=${`machine-${name}`}>${name} <span class="machine-state">${this.#doing.startsWith(`${name} `) ? this.#doing.slice(name.length + 1) : state}</span></h3>
      <dl><dt>Memory</dt><dd>${memory > 0 ? bytes(memory) : "none"}</dd><dt>Changes of its disk</dt><dd>${bytes(changes)}</dd>
        <dt>Saved state</dt><dd>${saved}</dd><dt>Terminals</dt><dd>${open}</dd></dl>
      ${this.#questionOf(name) ?? this.#buttons(row)}
      ${state === "running" ? this.#processes(row) : nothing}</section>`;
  }

  #buttons({ name, state, saved_at: savedAt }: MachineRow) {
    const offered = [...(OFFERED[state] ?? [])];
    if (savedAt !== null && state !== "starting") offered.splice(-2, 0, "restore");
    const idle = state !== "starting" && !this.isBlocked;
    const changing = (changes: Change[]) =>
      changes.map(
        (change) => html`<button type="button" data-action="change_machine" data-change=${change}
      class=${change === "throw_away" || change === "reset" ? "quiet" : ""} aria-label=${`${CHANGES[change].label} ${name}`} ?disabled=${this.isBlocked}
      @click=${() => this.#choose(name, change)}>${CHANGES[change].label}</button>`,
      );
    return html`<div class="machine-buttons">${
      state === "paused"
        ? nothing
        : html`<button type="button" aria-label=${`New terminal of ${name}`} ?disabled=${this.isBlocked} @click=${() => this.create(name)}>New terminal</button>`
    }
      ${changing(offered.slice(0, -2))}
      <button type="button" class="quiet" data-action="export_machine" aria-label=${`Export the disk of ${name}`} title="Save its disk's changes as a file"
        ?disabled=${!idle} @click=${() => void this.#export(name)}>Export disk</button>
      <button type="button" class="quiet" data-import aria-label=${`Import a disk of ${name}`} title="Replace its disk's changes by such a file"
        ?disabled=${!idle} @click=${(event: MouseEvent) => isPressOf(event) && this.#pick(name)}>Import disk…</button>
      ${changing(offered.slice(-2))}</div>
      ${state === "running" || state === "paused" ? this.#fork(name) : nothing}`;
  }

  #fork(name: string) {
    const submit = submitting((form) => void this.#forked(name, form));
    return html`<form class="machine-fork" @submit=${submit}><label>Copy with all that runs, as
        <input name="name" required pattern="[a-z][a-z0-9\\-]*" maxlength="31" placeholder="name" autocomplete="off" spellcheck="false"
          title="Lower-case letters, digits and hyphens; a letter first"></label>
      <button type="submit" data-action="fork_machine" aria-label=${`Fork ${name}`} ?disabled=${this.isBlocked}>Fork</button></form>`;
  }

  /** Return the question that is open about a machine, or null. */
  #questionOf(name: string) {
    if (this.#picked?.machine === name) return this.#importQuestion(this.#picked);
    if (this.#asked?.machine !== name) return null;
    const { change } = this.#asked;
    const { question = "", action = "" } = CHANGES[change];
    return this.#ask(
      question,
      html`<button type="button" class="primary" data-confirm data-action="change_machine" ?disabled=${this.isBlocked}
      @click=${() => void this.#change(name, change)}>${action}</button>`,
    );
  }

  #importQuestion({ machine, file }: { machine: string; file: File }) {
    const question = `Replace the disk of ${machine} by ${file.name} (${bytes(file.size)})? What runs in it ends, and its saved state and its disk's changes are deleted. Programs of the file run with its next terminal, so take it only from an author that you trust.`;
    return this.#ask(
      question,
      html`<button type="button" class="primary" data-confirm data-action="import_machine" ?disabled=${this.isBlocked}
      @click=${(event: MouseEvent) => isPressOf(event) && void this.#import(machine, file)}>Replace it</button>`,
    );
  }

  #ask(question: string, confirm: unknown) {
    return html`<div class="machine-question" role="group" aria-label=${question}><p>${question}</p>
      <div class="machine-buttons">${confirm}<button type="button" data-cancel @click=${() => this.#cancel()}>Cancel</button></div></div>`;
  }

  #processes({ processes }: MachineRow) {
    const rows = processes.slice(0, MOST_SHOWN);
    return html`<details open><summary>${processes.length} ${processes.length === 1 ? "process" : "processes"}</summary>
      <div class="machine-processes" tabindex="0" role="region" aria-label="Processes"><table><thead><tr><th scope="col">PID</th><th scope="col">Time</th><th scope="col">Memory</th><th scope="col">Command</th></tr></thead>
        <tbody>${repeatBy(
          rows,
          "pid",
          ({ pid, command, seconds, memory }) => html`<tr><td>${pid}</td><td>${seconds.toFixed(1)} s</td>
          <td>${bytes(memory)}</td><td title=${command}>${shown(command)}</td></tr>`,
        )}</tbody></table></div>
      ${processes.length > MOST_SHOWN ? html`<p class="muted">and ${processes.length - MOST_SHOWN} more</p>` : nothing}</details>`;
  }

  #choose(machine: string, change: Change) {
    if (!CHANGES[change].question) return void this.#change(machine, change);
    this.#asked = { machine, change };
    this.#drawAt("[data-cancel]");
  }

  #cancel() {
    const back = this.#asked
      ? `[data-machine="${this.#asked.machine}"] [data-change="${this.#asked.change}"]`
      : `[data-machine="${this.#picked?.machine}"] [data-import]`;
    this.#asked = this.#picked = null;
    this.#drawAt(back);
  }

  /** Draw, and focus an element. */
  #drawAt(selector: string) {
    this.draw();
    focusIn(this.body, selector);
  }

  async #export(machine: string) {
    const done = await this.#actOn(
      `${machine} is being exported…`,
      () => this.actions.exportMachine({ machine }),
      `The disk of ${machine} is exported.`,
    );
    if (done !== null && !isFailure(done)) download(done.blob, done.name);
  }

  #pick(machine: string) {
    this.#importing = machine;
    const picker = this.body.querySelector("#machines-file");
    if (picker instanceof HTMLInputElement) press(picker);
  }

  #onPicked({ currentTarget }: Event) {
    const picker = expect(currentTarget, HTMLInputElement);
    const [file] = picker.files ?? [];
    // Allows picking the same file again.
    picker.value = "";
    if (!file) return;
    [this.#asked, this.#picked] = [null, { machine: this.#importing, file }];
    this.#drawAt("[data-cancel]");
  }

  async #import(machine: string, file: File) {
    this.#picked = null;
    await this.#actOn(
      `${machine} is being replaced…`,
      () => this.actions.importMachine({ machine, file }),
      `The disk of ${machine} is replaced.`,
    );
  }

  async #change(machine: string, change: Change) {
    this.#asked = null;
    const doing = `${machine} ${change === "save" ? "is being saved…" : "changes…"}`;
    await this.#actOn(
      doing,
      () => this.actions.changeMachine({ machine, change }),
      `The machine ${machine} ${CHANGES[change].done}.`,
    );
  }

  /**
   * Act, and show meanwhile what happens to a machine.
   *
   * @param doing - begins with the machine
   */
  async #actOn<Result>(doing: string, action: () => Promise<Result | Failure>, success: string) {
    this.#doing = doing;
    const acting = this.act(action, success);
    this.draw();
    const done = await acting;
    this.#doing = "";
    this.draw();
    return done;
  }

  async #forked(machine: string, form: HTMLFormElement) {
    const name = valueOf(form, "name");
    const done = await this.act(() => this.actions.forkMachine({ machine, name }), `The machine ${name} runs.`);
    if (done !== null && !isFailure(done)) form.reset();
  }
}
