/**
 * The terminals, each in a panel. The workbench knows their positions; Python knows which exist and which has the
 * focus.
 *
 * @import { Failure, State } from "../types.js"
 * @import { Actions } from "../actions.js"
 * @import { NewOwnTerminalResult, NewTerminalGiven, TerminalRow } from "../../generated/types.js"
 * @import { OwnTerminals } from "../companion/own_terminals.js"
 * @import { Store } from "../store.js"
 * @import { Guest, Workbench } from "../workbench/workbench.js"
 */

import { html } from "lit";
import { isFailure } from "../call.js";
import { byId, showProblem } from "../elements.js";
import { stillWaits } from "../presses.js";
import { loadSaved, save } from "../../shared/saved.js";
import { whenChanged } from "../store.js";
import { icon } from "../workbench/icons.js";
import { openInPlace } from "../workbench/places.js";
import { TERMINALS } from "../workbench/workbench.js";
import { loadView, TerminalPanel } from "./panel.js";
import { onThemeChange } from "../theme.js";

const ALOUD = "terminals.aloud";
/** Python's list comes after its answer, and is drawn later still. */
const LISTED_WITHIN_MS = 5000;
/** Waits for the layout to settle before reporting it to Python. */
const REPORT_AFTER_MS = 150;

/** @typedef {{attach(id: string): Promise<MessagePort>, interrupt(id: string, send: (stop: number) => Promise<unknown>): void, placed(place: object): void}} Kernel */

export class Terminals {
  /** @type {Map<string, TerminalPanel>} */
  #panels = new Map();
  /** @type {Map<string, string>} the last reported positions, by terminal */
  #reported = new Map();
  /** @type {TerminalRow[]} */
  #rows = [];
  #connections = 0;
  #ready = false;
  /** @type {string | null} the terminal that has the focus by Python's last report */
  #focused = null;
  /** The terminal that the person has chosen, until Python has answered and its list has it. @type {string | null} */
  #chosen = null;
  #answered = false;
  #choices = 0;
  /** True after the first list of the kernel's terminals. */
  #known = false;
  /** The new terminal to focus once it exists, if the person still waits for it. @type {{id: string, waits: () => boolean} | null} */
  #awaited = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #reporting;
  /** @type {Workbench | null} */
  #workbench = null;
  #problem = byId("terminal-problem", HTMLElement);
  #new = byId("new-terminal", HTMLButtonElement);

  /** @param {Actions} actions @param {OwnTerminals} own @param {Kernel} kernel */
  constructor(actions, own, kernel) {
    this.actions = actions;
    this.own = own;
    own.onChange = () => this.#onOwn();
    this.kernel = kernel;
    this.aloud = loadSaved(ALOUD, false);
    this.#new.addEventListener("click", () => this.create());
    onThemeChange(() => this.#panels.forEach((panel) => panel.restyle()));
  }

  /** @param {string} id @returns {Guest} */
  guest(id) {
    const panel = this.#panels.get(id) ?? this.#add(id);
    return {
      element: panel.element, title: id, own: this.own.has(id),
      close: () => void this.close(id),
      action: () => html`<button type="button" class="quiet icon find-in-terminal" title="Find (Ctrl+Shift+F)" aria-label="Find in ${id}"
        @click=${() => panel.toggleFind()}>${icon("find")}</button>
        <button type="button" class="quiet icon new-terminal" data-action="new_terminal" title="New terminal" aria-label="New terminal"
        @click=${() => this.create()}>${icon("plus")}</button>`,
    };
  }

  /** @param {Store} store @param {Workbench} workbench */
  connect(store, workbench) {
    this.#workbench = workbench;
    // Needed only after Python has started, which takes longer. A terminal that can't load it shows the error.
    setTimeout(() => loadView().catch(() => {}));
    workbench.onChange(() => this.#reportLater());
    // A saved layout may have outdated terminals.
    workbench.onArranged(() => this.#known && this.#show(workbench));
    workbench.dock.onShownByPerson((id) => {
      if (this.#panels.has(id) && id !== (this.#chosen ?? this.#focused)) void this.#choose(id);
    });
    workbench.dock.onPressed((id) => this.#panels.get(id)?.focus());
    store.subscribe(whenChanged(
      ({ terminals, connections, kernel, stale, surface }) => [terminals, connections, kernel, stale, surface === null],
      (state) => this.#render(state, workbench),
    ));
  }

  /** @param {NewTerminalGiven["backend"]} [backend] the page's own shell by default */
  async create(backend) {
    const waits = stillWaits();
    const id = this.#created(await this.actions.newTerminal({ backend }));
    // Python names the terminal, and must not name one of the person's own.
    if (id !== null && !this.own.has(id)) this.#enter(id, waits);
  }

  /** Create a terminal on this computer. */
  async createOwn() {
    const waits = stillWaits();
    const known = new Set(this.#rows.map(({ id }) => id));
    const id = await this.own.open(known, async (press) => this.#created(await this.actions.newOwnTerminal({ press })));
    if (id !== null) this.#enter(id, waits);
  }

  /** @param {NewOwnTerminalResult | Failure} answer @returns {string | null} the terminal's id */
  #created(answer) {
    showProblem(this.#problem, isFailure(answer) ? answer.error : null);
    return isFailure(answer) ? null : answer.terminal_id;
  }

  /** @param {string} id @param {() => boolean} waits */
  #enter(id, waits) {
    this.#awaited = { id, waits };
    this.#enterAwaited();
  }

  /** Mark the person's own terminals, and set them apart. */
  #onOwn() {
    for (const [id, panel] of this.#panels) if (panel.redraw()) this.#workbench?.own(id, this.guest(id));
  }

  /** @param {string} id */
  async close(id) {
    const answer = await this.actions.closeTerminal({ terminal_id: id });
    showProblem(this.#problem, isFailure(answer) ? answer.error : null);
  }

  /** Set whether screen readers announce terminal output. @param {boolean} on */
  readAloud(on) {
    this.aloud = on;
    save(ALOUD, on);
    for (const panel of this.#panels.values()) panel.readAloud(on);
  }

  /** @param {State} state @param {Workbench} workbench */
  #render({ terminals, connections, kernel, stale, surface }, workbench) {
    this.#ready = kernel === "ready";
    this.#new.disabled = !this.#ready;
    byId("terminal-empty", HTMLElement).textContent = EMPTY[kernel === "ready" && surface === null ? "booting" : kernel];
    if (connections !== this.#connections || kernel === "elsewhere") {
      this.#connections = connections;
      this.#reported.clear();
      for (const panel of this.#panels.values()) panel.disconnect(kernel === "elsewhere");
    }
    // The terminals of a starting kernel are unknown until its snapshot.
    if (stale || !this.#ready) return;
    this.#rows = terminals;
    this.#show(workbench);
    this.#follow(terminals, workbench);
    this.#enterAwaited();
    this.#reportLater();
  }

  /** @param {Workbench} workbench */
  #show(workbench) {
    this.#reconcile(workbench);
    for (const row of this.#rows) this.#draw(row, workbench);
  }

  /** @param {Workbench} workbench */
  #reconcile(workbench) {
    const closed = [...this.#panels.keys()].filter((id) => !this.#rows.some((row) => row.id === id));
    for (const { id, x, y, width, height, floating } of this.#rows) {
      workbench.admit(id, this.guest(id), floating ? { x, y, width, height } : null);
    }
    if (this.#rows.length === 0 && closed.length > 0) openInPlace(workbench.dock, TERMINALS);
    else if (this.#rows.length > 0) workbench.close(TERMINALS);
    // Nothing gets the focus of a closed terminal: what the person types on belongs to no other one.
    for (const id of closed) this.#remove(id, workbench);
  }

  /** @param {string} id */
  #add(id) {
    const panel = new TerminalPanel(id, {
      attach: () => this.kernel.attach(id),
      interrupt: (send) => this.kernel.interrupt(id, send),
      own: () => this.own.has(id),
      type: (keys, onEnd) => this.own.type(id, keys, onEnd),
      follow: (url) => void this.actions.openPage({ url }),
    });
    panel.readAloud(this.aloud);
    // The answer to the person's press can come before the list that has their terminal.
    panel.redraw();
    this.#panels.set(id, panel);
    return panel;
  }

  /** Interrupt a terminal's command. @param {string} id */
  interrupt(id) {
    this.#panels.get(id)?.interrupt();
  }

  /** @param {string} id @param {Workbench} workbench */
  #remove(id, workbench) {
    workbench.dismiss(id);
    this.#panels.get(id)?.dispose();
    this.#panels.delete(id);
    this.#reported.delete(id);
    this.own.forget(id);
  }

  /** @param {TerminalRow} row @param {Workbench} workbench */
  #draw(row, workbench) {
    // Another terminal has its name.
    if (row.backend !== "host") this.own.forget(row.id);
    const panel = this.#panels.get(row.id);
    panel?.render(row, row.focused);
    const name = `${row.id} · ${row.backend} · ${row.working_dir}`;
    const activity = row.caller ? `${row.caller} running` : row.busy ? "running" : "";
    const mark = row.caller ? "agent" : row.busy ? "busy" : "";
    const own = this.own.has(row.id);
    const spoken = own ? `${name}, your computer` : name;
    workbench.dock.name(row.id, name, activity ? `${spoken}, ${activity}` : spoken, own ? `own ${mark}` : mark);
  }

  /** @param {string} id */
  async #choose(id) {
    this.#chosen = id;
    const choice = ++this.#choices;
    this.#answered = false;
    await this.actions.focusTerminal({ terminal_id: id });
    if (choice !== this.#choices) return;
    this.#answered = true;
    // An agent may have chosen another one before a list had this.
    setTimeout(() => {
      if (choice !== this.#choices || this.#chosen === null) return;
      this.#chosen = null;
      if (this.#workbench) this.#follow(this.#rows, this.#workbench);
    }, LISTED_WITHIN_MS);
  }

  /** @param {TerminalRow[]} terminals @param {Workbench} workbench */
  #follow(terminals, workbench) {
    const focused = terminals.find((row) => row.focused)?.id ?? null;
    // Reports of an earlier choice would take the person back.
    if (this.#chosen !== null && focused !== this.#chosen && this.#panels.has(this.#chosen)) return;
    if (this.#answered) this.#chosen = null;
    // In a narrow window, which shows one panel at a time, only the person switches panels.
    const follows = !workbench.isNarrow || this.#panels.has(workbench.dock.active ?? "");
    // On load, the layout decides which panel is in front, not the last used terminal.
    if (focused !== null && focused !== this.#focused && follows && this.#known) workbench.dock.show(focused);
    this.#focused = focused;
    this.#known = true;
  }

  #enterAwaited() {
    const { id = "", waits = null } = this.#awaited ?? {};
    const panel = this.#panels.get(id);
    if (!panel || !this.#rows.some((row) => row.id === id)) return;
    this.#workbench?.dock.show(id);
    if (waits?.()) panel.focus();
    this.#awaited = null;
  }

  #reportLater() {
    clearTimeout(this.#reporting);
    this.#reporting = setTimeout(() => this.#report(), REPORT_AFTER_MS);
  }

  /** Report the terminals' positions to Python, for agents. */
  #report() {
    if (!this.#ready || !this.#workbench || this.#workbench.isNarrow) return;
    for (const { id } of this.#rows) {
      const place = this.#workbench.dock.place(id);
      const report = JSON.stringify(place);
      if (place === null || this.#reported.get(id) === report) continue;
      this.#reported.set(id, report);
      this.kernel.placed({ terminal_id: id, ...place });
    }
  }
}

/** @type {Record<State["kernel"], string>} */
const EMPTY = {
  booting: "A terminal opens here when Python has started.",
  ready: "No terminal is open. Press New terminal to open one.",
  failed: "A terminal opens here when Python has started.",
  elsewhere: "The terminals are shown in the tab that owns the surface.",
};
