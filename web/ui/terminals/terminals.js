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
import { loadSaved, save } from "../saved.js";
import { whenChanged } from "../store.js";
import { icon } from "../workbench/icons.js";
import { openInPlace } from "../workbench/places.js";
import { focusInside } from "../workbench/regions.js";
import { TERMINALS } from "../workbench/workbench.js";
import { loadView, TerminalPanel } from "./panel.js";
import { onThemeChange } from "../theme.js";

const ALOUD = "terminals.aloud";
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
  /** True after the first list of the kernel's terminals. */
  #known = false;
  /** @type {string | null} the terminal to focus once it exists */
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
    own.onChange = () => this.#panels.forEach((panel) => panel.redraw());
    this.kernel = kernel;
    this.aloud = loadSaved(ALOUD, false);
    this.#new.addEventListener("click", () => this.create());
    onThemeChange(() => this.#panels.forEach((panel) => panel.restyle()));
  }

  /** @param {string} id @returns {Guest} */
  guest(id) {
    const panel = this.#panels.get(id) ?? this.#add(id);
    return {
      element: panel.element, title: id,
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
      if (this.#panels.has(id) && id !== this.#focused) void this.actions.focusTerminal({ terminal_id: id });
    });
    workbench.dock.onPressed((id) => this.#panels.get(id)?.focus());
    store.subscribe(whenChanged(
      ({ terminals, connections, kernel, stale, surface }) => [terminals, connections, kernel, stale, surface === null],
      (state) => this.#render(state, workbench),
    ));
  }

  /** @param {NewTerminalGiven["backend"]} [backend] the page's own shell by default */
  async create(backend) {
    this.#entering(await this.actions.newTerminal({ backend }));
  }

  /** Create a terminal on this computer. @param {string} press @returns {Promise<string | null>} its id */
  async createOwn(press) {
    return this.#entering(await this.actions.newOwnTerminal({ press }));
  }

  /** @param {NewOwnTerminalResult | Failure} answer */
  #entering(answer) {
    showProblem(this.#problem, isFailure(answer) ? answer.error : null);
    if (isFailure(answer)) return null;
    this.#awaited = answer.terminal_id;
    this.#enterAwaited();
    return answer.terminal_id;
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
    const entered = closed.some((id) => this.#panels.get(id)?.focused);
    if (this.#rows.length === 0 && closed.length > 0) openInPlace(workbench.dock, TERMINALS);
    else if (this.#rows.length > 0) workbench.close(TERMINALS);
    for (const id of closed) this.#remove(id, workbench);
    if (!entered) return;
    this.#awaited = this.#rows.find(({ focused }) => focused)?.id ?? null;
    if (this.#awaited === null) focusInside(byId(TERMINALS, HTMLElement));
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
  }

  /** @param {TerminalRow} row @param {Workbench} workbench */
  #draw(row, workbench) {
    const panel = this.#panels.get(row.id);
    panel?.render(row, row.focused);
    const name = `${row.id} · ${row.backend} · ${row.working_dir}`;
    const activity = row.caller ? `${row.caller} running` : row.busy ? "running" : "";
    workbench.dock.name(row.id, name, activity ? `${name}, ${activity}` : name, row.caller ? "agent" : row.busy ? "busy" : "");
  }

  /** @param {TerminalRow[]} terminals @param {Workbench} workbench */
  #follow(terminals, workbench) {
    const focused = terminals.find((row) => row.focused)?.id ?? null;
    // In a narrow window, which shows one panel at a time, only the person switches panels.
    const follows = !workbench.isNarrow || this.#panels.has(workbench.dock.active ?? "");
    // On load, the layout decides which panel is in front, not the last used terminal.
    if (focused !== null && focused !== this.#focused && follows && this.#known) workbench.dock.show(focused);
    this.#focused = focused;
    this.#known = true;
  }

  #enterAwaited() {
    const panel = this.#panels.get(this.#awaited ?? "");
    if (!panel || !this.#rows.some(({ id }) => id === this.#awaited)) return;
    this.#workbench?.dock.show(panel.id);
    panel.focus();
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
