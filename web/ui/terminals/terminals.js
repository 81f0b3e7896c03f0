/**
 * The terminals: a panel for each that Python has. The workbench says where they are, Python which there are and which
 * of them has the focus.
 *
 * @import { Failure, State, TerminalRow } from "../types.js"
 * @import { Actions } from "../actions.js"
 * @import { NewOwnTerminalResult, NewTerminalGiven } from "../../generated/actions.js"
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
/** A layout has its last word before Python hears of it. */
const TELL_AFTER_MS = 150;

/** @typedef {{attach(id: string): Promise<MessagePort>, interrupt(id: string): void, placed(place: object): void}} Kernel */

export class Terminals {
  /** @type {Map<string, TerminalPanel>} */
  #panels = new Map();
  /** @type {Map<string, string>} the places that Python knows, by terminal */
  #told = new Map();
  /** @type {TerminalRow[]} */
  #rows = [];
  #connections = 0;
  #ready = false;
  /** @type {string | null} the terminal that Python last said has the focus */
  #focused = null;
  /** Whether what the kernel has was told before. */
  #known = false;
  /** @type {string | null} the terminal into which the keyboard goes when it comes */
  #awaited = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #telling;
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
      action: () => html`<button type="button" class="quiet icon new-terminal" title="New terminal" aria-label="New terminal"
        @click=${() => this.create()}>${icon("plus")}</button>`,
    };
  }

  /** @param {Store} store @param {Workbench} workbench */
  connect(store, workbench) {
    this.#workbench = workbench;
    // It is needed when Python has started, which takes longer. A terminal that misses it says why.
    setTimeout(() => loadView().catch(() => {}));
    workbench.onChange(() => this.#tellLater());
    // What a kept layout has and lacks are the terminals of when it was kept.
    workbench.onArranged(() => this.#known && this.#show(workbench));
    workbench.dock.onShownByPerson((id) => {
      if (this.#panels.has(id) && id !== this.#focused) void this.actions.focusTerminal({ terminal_id: id });
    });
    store.subscribe(whenChanged(
      ({ terminals, connections, kernel, stale }) => [terminals, connections, kernel, stale],
      (state) => this.#render(state, workbench),
    ));
  }

  /** @param {NewTerminalGiven["backend"]} [backend] the page's own shell by default */
  async create(backend) {
    this.#entering(await this.actions.newTerminal({ backend }));
  }

  /** One of this computer. @param {string} press @returns {Promise<string | null>} its id */
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

  /** Whether screen readers are told what the terminals say. @param {boolean} on */
  readAloud(on) {
    this.aloud = on;
    save(ALOUD, on);
    for (const panel of this.#panels.values()) panel.readAloud(on);
  }

  /** @param {State} state @param {Workbench} workbench */
  #render({ terminals, connections, kernel, stale }, workbench) {
    this.#ready = kernel === "ready";
    this.#new.disabled = !this.#ready;
    byId("terminal-empty", HTMLElement).textContent = EMPTY[kernel];
    if (connections !== this.#connections || kernel === "elsewhere") {
      this.#connections = connections;
      this.#told.clear();
      for (const panel of this.#panels.values()) panel.disconnect(kernel === "elsewhere");
    }
    // What a kernel that starts has isn't known before its snapshot.
    if (stale || !this.#ready) return;
    this.#rows = terminals;
    this.#show(workbench);
    this.#follow(terminals, workbench);
    this.#enterAwaited();
    this.#tellLater();
  }

  /** @param {Workbench} workbench */
  #show(workbench) {
    this.#reconcile(workbench);
    for (const row of this.#rows) this.#draw(row, workbench);
  }

  /** @param {Workbench} workbench */
  #reconcile(workbench) {
    const gone = [...this.#panels.keys()].filter((id) => !this.#rows.some((row) => row.id === id));
    for (const { id, x, y, width, height, floating } of this.#rows) {
      workbench.admit(id, this.guest(id), floating ? { x, y, width, height } : null);
    }
    const entered = gone.some((id) => this.#panels.get(id)?.focused);
    if (this.#rows.length === 0 && gone.length > 0) openInPlace(workbench.dock, TERMINALS);
    else if (this.#rows.length > 0) workbench.close(TERMINALS);
    for (const id of gone) this.#remove(id, workbench);
    if (!entered) return;
    this.#awaited = this.#rows.find(({ focused }) => focused)?.id ?? null;
    if (this.#awaited === null) focusInside(byId(TERMINALS, HTMLElement));
  }

  /** @param {string} id */
  #add(id) {
    const panel = new TerminalPanel(id, {
      attach: () => this.kernel.attach(id),
      interrupt: () => this.kernel.interrupt(id),
      own: () => this.own.has(id),
      type: (keys, onEnd) => this.own.type(id, keys, onEnd),
      follow: (url) => void this.actions.openPage({ url }),
    });
    panel.readAloud(this.aloud);
    this.#panels.set(id, panel);
    return panel;
  }

  /** @param {string} id @param {Workbench} workbench */
  #remove(id, workbench) {
    workbench.dismiss(id);
    this.#panels.get(id)?.dispose();
    this.#panels.delete(id);
    this.#told.delete(id);
  }

  /** @param {TerminalRow} row @param {Workbench} workbench */
  #draw(row, workbench) {
    const panel = this.#panels.get(row.id);
    panel?.render(row, row.focused);
    const name = `${row.id} · ${row.backend} · ${row.working_dir}`;
    const doing = row.caller ? `${row.caller} is at work` : row.busy ? "running" : "";
    workbench.dock.name(row.id, name, doing ? `${name}, ${doing}` : name, row.caller ? "agent" : row.busy ? "busy" : "");
  }

  /** @param {TerminalRow[]} terminals @param {Workbench} workbench */
  #follow(terminals, workbench) {
    const focused = terminals.find((row) => row.focused)?.id ?? null;
    // Where one panel is shown at a time, it is the person who says which.
    const follows = !workbench.isNarrow || this.#panels.has(workbench.dock.active ?? "");
    // The layout has what was in front when the page was left; the terminal that was used last may be behind it.
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

  #tellLater() {
    clearTimeout(this.#telling);
    this.#telling = setTimeout(() => this.#tell(), TELL_AFTER_MS);
  }

  /** Where the terminals are is Python's to know: agents ask for it. */
  #tell() {
    if (!this.#ready || !this.#workbench || this.#workbench.isNarrow) return;
    for (const { id } of this.#rows) {
      const place = this.#workbench.dock.place(id);
      const told = JSON.stringify(place);
      if (place === null || this.#told.get(id) === told) continue;
      this.#told.set(id, told);
      this.kernel.placed({ terminal_id: id, ...place });
    }
  }
}

/** @type {Record<State["kernel"], string>} */
const EMPTY = {
  booting: "A terminal opens here when Python has started.",
  ready: "No terminal is open. Press New terminal to open one.",
  failed: "A terminal opens here when Python has started.",
  elsewhere: "What runs in the terminals is shown in the tab that has the surface.",
};
