/**
 * The terminals, each in a panel. The workbench knows their positions; Python knows which exist and which has the
 * focus.
 */

import { html } from "lit";
import type { NewOwnTerminalResult, NewTerminalGiven, TerminalRow } from "../../../generated/types.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { callerName } from "../../lib/caller_names.ts";
import { byId, showProblem } from "../../lib/elements.ts";
import { stillWaits } from "../../lib/presses.ts";
import { loadSaved, save } from "../../../shared/local_state.ts";
import type { Actions } from "../../state/actions.ts";
import type { OwnTerminals } from "../../companion/own_terminals.ts";
import type { Store } from "../../state/store.ts";
import { icon } from "../../lib/icons.ts";
import type { Guest } from "../../workbench/panel_kind.ts";
import { TERMINALS, type Workbench } from "../../workbench/workbench.ts";
import { loadView, TerminalPanel } from "./panel.ts";
import { onThemeChange } from "../../lib/theme.ts";
import type { Failure, State } from "../../state/types.ts";

const ALOUD = "terminals.aloud";
/** Python's list comes after its answer, and is drawn later still. */
const LISTED_WITHIN_MS = 5000;
/** Waits for the layout to settle before reporting it to Python. */
const REPORT_AFTER_MS = 150;

interface Kernel {
  attach(id: string): Promise<MessagePort>;
  interrupt(id: string, send: (stop: number) => Promise<unknown>): void;
  /** records a line that the user has typed */
  typed(id: string, line: string | null): void;
  placed(place: object): void;
}

export class Terminals {
  #panels = new Map<string, TerminalPanel>();
  /** the last reported positions, by terminal */
  #reported = new Map<string, string>();
  #rows: TerminalRow[] = [];
  #connections = 0;
  #ready = false;
  /** the terminal that has the focus by Python's last report */
  #focused: string | null = null;
  /** The terminal that the user has chosen, until Python has answered and its list has it. */
  #chosen: string | null = null;
  #answered = false;
  #choices = 0;
  /** True after the first list of the kernel's terminals. */
  #known = false;
  /** The new terminal to focus once it exists, if the user still waits for it. */
  #awaited: { id: string; waits: () => boolean } | null = null;
  #reporting: ReturnType<typeof setTimeout> | undefined;
  #workbench: Workbench | null = null;
  #problem = byId("terminal-problem", HTMLElement);
  #new = byId("new-terminal", HTMLButtonElement);
  actions: Actions;
  own: OwnTerminals;
  kernel: Kernel;
  aloud: boolean;

  constructor(actions: Actions, own: OwnTerminals, kernel: Kernel) {
    this.actions = actions;
    this.own = own;
    own.onChange = () => this.#onOwn();
    this.kernel = kernel;
    this.aloud = loadSaved(ALOUD, false);
    this.#new.addEventListener("click", () => this.create());
    onThemeChange(() => this.#panels.forEach((panel) => panel.restyle()));
  }

  guest(id: string): Guest {
    const panel = this.#panels.get(id) ?? this.#add(id);
    return {
      element: panel.element,
      title: id,
      own: this.own.has(id),
      close: () => void this.close(id),
      focus: () => panel.focus(),
      action:
        () => html`<button type="button" class="quiet icon find-in-terminal" title="Find (Ctrl+Shift+F)" aria-label="Find in ${id}"
        @click=${() => panel.toggleFind()}>${icon("find")}</button>
        <button type="button" class="quiet icon new-terminal" data-action="new_terminal" title="New terminal" aria-label="New terminal"
        @click=${() => this.create()}>${icon("plus")}</button>`,
    };
  }

  connect(store: Store, workbench: Workbench) {
    this.#workbench = workbench;
    // Needed only after Python has started, which takes longer. A terminal that can't load it shows the error.
    setTimeout(() => loadView().catch(() => {}));
    workbench.onChange(() => this.#reportLater());
    // A saved layout may have outdated terminals.
    workbench.onArranged(() => this.#known && this.#show(workbench));
    workbench.dock.onShownByPerson((id) => {
      // The panel of a new terminal that Python has focused is no choice of the user's.
      const current = this.#chosen ?? focusedIn(this.#rows) ?? this.#focused;
      if (this.#panels.has(id) && id !== current) void this.#choose(id);
    });
    workbench.dock.onPressed((id) => this.#panels.get(id)?.focus());
    store.follow(
      ({ terminals, connections, kernel, stale, surface }) => [terminals, connections, kernel, stale, surface === null],
      (state) => this.#render(state, workbench),
    );
  }

  /** @param backend - the page's own shell by default */
  async create(backend?: NewTerminalGiven["backend"]) {
    const waits = stillWaits();
    const id = this.#created(await this.actions.newTerminal({ backend }));
    // Python names the terminal, and must not name one of the user's own.
    if (id !== null && !this.own.has(id)) this.#enter(id, waits);
  }

  /** Create a terminal on this computer. */
  async createOwn() {
    const waits = stillWaits();
    const known = new Set(this.#rows.map(({ id }) => id));
    const id = await this.own.open(known, async (press) => this.#created(await this.actions.newOwnTerminal({ press })));
    if (id !== null) this.#enter(id, waits);
  }

  /** @returns the terminal's id */
  #created(answer: NewOwnTerminalResult | Failure): string | null {
    showProblem(this.#problem, isFailure(answer) ? answer.error : null);
    return isFailure(answer) ? null : answer.terminal_id;
  }

  #enter(id: string, waits: () => boolean) {
    this.#awaited = { id, waits };
    this.#enterAwaited();
  }

  /** Mark the user's own terminals, and set them apart. */
  #onOwn() {
    for (const [id, panel] of this.#panels) if (panel.redraw()) this.#workbench?.own(id, this.guest(id));
  }

  async close(id: string) {
    const answer = await this.actions.closeTerminal({ terminal_id: id });
    showProblem(this.#problem, isFailure(answer) ? answer.error : null);
  }

  /** Set whether screen readers announce terminal output. */
  readAloud(on: boolean) {
    this.aloud = on;
    save(ALOUD, on);
    for (const panel of this.#panels.values()) panel.readAloud(on);
  }

  #render({ terminals, connections, kernel, stale, surface }: State, workbench: Workbench) {
    this.#ready = kernel === "ready";
    this.#new.disabled = !this.#ready;
    byId("terminal-empty", HTMLElement).textContent =
      EMPTY[kernel === "ready" && surface === null ? "booting" : kernel];
    if (connections !== this.#connections || kernel === "elsewhere") {
      this.#connections = connections;
      this.#reported.clear();
      for (const panel of this.#panels.values()) panel.disconnect(kernel === "elsewhere");
    }
    // The terminals of a starting kernel are unknown until its snapshot.
    if (stale || !this.#ready) return;
    this.#rows = terminals;
    const mayRaise = this.#raises(workbench);
    this.#show(workbench);
    this.#follow(terminals, workbench, mayRaise);
    this.#enterAwaited();
    this.#reportLater();
  }

  #show(workbench: Workbench) {
    this.#reconcile(workbench);
    for (const row of this.#rows) this.#draw(row, workbench);
  }

  #reconcile(workbench: Workbench) {
    const closed = [...this.#panels.keys()].filter((id) => !this.#rows.some((row) => row.id === id));
    // The first terminal takes the section's place, and with it the focus, which the section gets a frame after the key.
    const waits = workbench.waitsForTerminal() || byId(TERMINALS, HTMLElement).contains(document.activeElement);
    for (const { id, x, y, width, height, floating } of this.#rows) {
      workbench.admit(id, this.guest(id), floating ? { x, y, width, height } : null);
    }
    if (this.#rows.length === 0 && closed.length > 0) workbench.place(TERMINALS);
    else if (this.#rows.length > 0) this.#replaceEmpty(workbench, waits);
    // Nothing gets the focus of a closed terminal: the user's further typing belongs to no other one.
    for (const id of closed) this.#remove(id, workbench);
  }

  /** Close the section of no terminals. Who waits in it, by F6 or Ctrl+J, gets the first terminal of their own. */
  #replaceEmpty(workbench: Workbench, waits: boolean) {
    workbench.close(TERMINALS);
    const first = this.#rows.find(({ id, owner }) => owner === null && !this.own.has(id));
    if (!waits || !first) return;
    workbench.waitsForTerminal = () => false;
    this.#enter(first.id, () => true);
  }

  #add(id: string) {
    const panel = new TerminalPanel(id, {
      attach: () => this.kernel.attach(id),
      typed: (line) => this.kernel.typed(id, line),
      interrupt: (send) => this.kernel.interrupt(id, send),
      own: () => this.own.has(id),
      type: (keys, onEnd) => this.own.type(id, keys, onEnd),
      follow: (url) => void this.actions.openPage({ url }),
    });
    panel.readAloud(this.aloud);
    // The answer to the user's press can come before the list that has their terminal.
    panel.redraw();
    this.#panels.set(id, panel);
    return panel;
  }

  /** Interrupt a terminal's command. */
  interrupt(id: string) {
    this.#panels.get(id)?.interrupt();
  }

  #remove(id: string, workbench: Workbench) {
    workbench.dismiss(id);
    this.#panels.get(id)?.dispose();
    this.#panels.delete(id);
    this.#reported.delete(id);
    this.own.forget(id);
  }

  #draw(row: TerminalRow, workbench: Workbench) {
    // Another terminal has its name.
    if (row.backend !== "host") this.own.forget(row.id);
    const panel = this.#panels.get(row.id);
    panel?.render(row, row.focused);
    const owner = row.owner === null ? "" : `${callerName(row.owner)}: `;
    const name = `${owner}${row.id} · ${row.backend} · ${row.working_dir}`;
    const activity = row.caller ? `${callerName(row.caller)} running` : row.busy ? "running" : "";
    const mark = row.caller ? "agent" : row.busy ? "busy" : "";
    const own = this.own.has(row.id);
    const spoken = own ? `${name}, your computer` : name;
    workbench.dock.name(row.id, name, activity ? `${spoken}, ${activity}` : spoken, own ? `own ${mark}` : mark);
  }

  async #choose(id: string) {
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

  /**
   * Return the test for a terminal that Python focuses next. One that follows a closed one comes to the front only if
   * that was in front: otherwise the user looks at something else in its place, such as the Python console.
   */
  #raises({ dock }: Workbench): (id: string) => boolean {
    const before = this.#focused;
    if (before === null || this.#rows.some(({ id }) => id === before)) return () => true;
    const area = dock.isFront(before) ? dock.areaOf(before) : undefined;
    return (id) => dock.areaOf(id) === area;
  }

  #follow(terminals: TerminalRow[], workbench: Workbench, mayRaise: (id: string) => boolean = () => true) {
    const focused = focusedIn(terminals);
    // Reports of an earlier choice would take the user back.
    if (this.#chosen !== null && focused !== this.#chosen && this.#panels.has(this.#chosen)) return;
    if (this.#answered) this.#chosen = null;
    // In a narrow window, which shows one panel at a time, only the user switches panels.
    const follows = !workbench.isNarrow || this.#panels.has(workbench.dock.active ?? "");
    // On load, the layout decides which panel is in front, not the last used terminal.
    const isAnother = focused !== null && focused !== this.#focused;
    // An agent's terminal in front of another kind of panel, in which the user types, would take the focus away.
    const typing = document.activeElement?.closest(".panel:not(.terminal, #terminals)") ?? null;
    const isAgents = terminals.some(({ id, owner }) => id === focused && owner !== null);
    const disturbs = isAgents && typing !== null && focused !== null && workbench.dock.hasFocus(focused);
    if (isAnother && follows && this.#known && !disturbs && mayRaise(focused)) workbench.bringUp(focused);
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

const EMPTY: Record<State["kernel"], string> = {
  booting: "A terminal opens here when Python has started.",
  ready: "No terminal is open. Press New terminal to open one.",
  failed: "A terminal opens here when Python has started.",
  elsewhere: "The terminals are shown in the tab that owns the surface.",
};

/** Return the terminal that Python has focused. */
function focusedIn(terminals: TerminalRow[]): string | null {
  return terminals.find(({ focused }) => focused)?.id ?? null;
}
