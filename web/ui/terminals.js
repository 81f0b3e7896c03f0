/**
 * The terminals panel: a tab for each terminal, and the state of the one in front.
 *
 * @import { State, TerminalRow } from "./types.js"
 * @import { Actions } from "./actions.js"
 * @import { Store } from "./store.js"
 */

import { isFailure } from "./call.js";
import { byId, h, showProblem } from "./elements.js";
import { whenChanged } from "./store.js";
import { tabByKey } from "./tab_keys.js";
import { onThemeChange } from "./theme.js";
import { TerminalView } from "./terminal_view.js";

/** @typedef {{view: TerminalView, tab: HTMLButtonElement}} Shown */

const EMPTY = {
  booting: "A terminal opens here when Python has started.",
  ready: "No terminal is open. Press New to open one.",
  failed: "A terminal opens here when Python has started.",
  elsewhere: "What runs in the terminals is shown in the tab that has the surface.",
};

class TerminalsPanel {
  /** @type {Map<string, Shown>} */
  #shown = new Map();
  #connections = 0;
  /** @type {string | null} */
  #active = null;
  /** @type {string | null} the terminal that Python last said has the focus */
  #focused = null;
  /** @type {boolean} whether the keyboard goes to the next terminal that comes to the front */
  #enter = false;
  #tabs = byId("terminal-tabs", HTMLElement);
  #screens = byId("terminal-screens", HTMLElement);
  #problem = byId("terminal-problem", HTMLElement);
  #new = byId("new-terminal", HTMLButtonElement);
  #close = byId("close-terminal", HTMLButtonElement);

  /**
   * @param {Actions} actions
   * @param {(id: string) => Promise<MessagePort>} attach
   * @param {(id: string) => void} interrupt
   */
  constructor(actions, attach, interrupt) {
    this.actions = actions;
    this.attach = attach;
    this.interrupt = interrupt;
    this.#new.addEventListener("click", () => this.#newTerminal());
    this.#close.addEventListener("click", () => this.#closeTerminal());
    this.#tabs.addEventListener("keydown", (event) => this.#onTabKey(event));
    onThemeChange(() => this.#shown.forEach(({ view }) => view.restyle()));
  }

  /** @param {State} state */
  render(state) {
    const { terminals, connections, kernel } = state;
    if (connections !== this.#connections) this.#forget(connections);
    for (const id of this.#shown.keys()) if (!terminals.some((row) => row.id === id)) this.#remove(id);
    for (const row of terminals) {
      const { tab } = this.#shown.get(row.id) ?? this.#add(row.id);
      drawTab(tab, row, agentIn(row, state) !== null);
    }
    this.#chooseActive(terminals);
    this.#bringForward();
    const front = terminals.find(({ id }) => id === this.#active);
    this.#new.disabled = kernel !== "ready";
    this.#drawState(front, front ? agentIn(front, state) : null);
    const empty = byId("terminal-empty", HTMLElement);
    empty.hidden = terminals.length > 0 && kernel !== "elsewhere";
    empty.textContent = EMPTY[kernel];
  }

  /** @param {number} connections */
  #forget(connections) {
    this.#connections = connections;
    for (const id of this.#shown.keys()) this.#remove(id);
    this.#active = this.#focused = null;
  }

  /** @param {string} id */
  #add(id) {
    const tab = h("button", {
      type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `view-${id}`,
      onclick: () => this.#activate(id, true),
    });
    const view = new TerminalView(id, () => this.attach(id), () => this.interrupt(id));
    view.element.setAttribute("aria-labelledby", tab.id);
    this.#tabs.append(tab);
    this.#screens.append(view.element);
    const shown = { view, tab };
    this.#shown.set(id, shown);
    return shown;
  }

  /** @param {string} id */
  #remove(id) {
    const { view, tab } = /** @type {Shown} */ (this.#shown.get(id));
    this.#enter ||= view.focused || document.activeElement === tab;
    view.dispose();
    tab.remove();
    this.#shown.delete(id);
  }

  /** @param {TerminalRow[]} terminals */
  #chooseActive(terminals) {
    const focused = terminals.find((row) => row.focused)?.id ?? null;
    if (focused !== null && focused !== this.#focused) this.#active = focused;
    this.#focused = focused;
    if (this.#active === null || !this.#shown.has(this.#active)) this.#active = terminals.at(-1)?.id ?? null;
  }

  #bringForward() {
    for (const [id, { view, tab }] of this.#shown) {
      const active = id === this.#active;
      view.shown = active;
      tab.setAttribute("aria-selected", String(active));
      tab.tabIndex = active ? 0 : -1;
    }
    if (!this.#enter) return;
    this.#enter = false;
    const shown = this.#shown.get(this.#active ?? "");
    if (shown) shown.view.focus();
    else this.#new.focus();
  }

  /**
   * @param {TerminalRow | undefined} row
   * @param {string | null} agent
   */
  #drawState(row, agent) {
    byId("terminal-state", HTMLElement).replaceChildren(...(row ? [
      h("span", { class: "path", title: row.working_dir }, row.working_dir),
      h("span", { class: "chip" }, row.backend),
      ...(agent ? [h("span", { class: "chip agent" }, `${agent} at work`)] : []),
      ...(row.busy && !agent ? [h("span", { class: "chip busy" }, "running")] : []),
    ] : []));
    this.#close.disabled = row === undefined || this.#new.disabled;
    this.#close.setAttribute("aria-label", row ? `Close ${nameOf(row)}` : "Close terminal");
  }

  /**
   * @param {string} id
   * @param {boolean} enter whether the keyboard goes into the terminal, or stays on its tab
   */
  #activate(id, enter) {
    if (id !== this.#active) void this.actions.focusTerminal(id);
    this.#active = id;
    this.#enter = enter;
    this.#bringForward();
    if (!enter) this.#shown.get(id)?.tab.focus();
  }

  /** @param {KeyboardEvent} event */
  #onTabKey(event) {
    const ids = [...this.#shown.keys()];
    const next = tabByKey(event.key, ids, ids.indexOf(this.#active ?? ""));
    if (next !== undefined) this.#activate(next, false);
    else if (event.key === "Delete") void this.#closeTerminal();
    else return;
    event.preventDefault();
  }

  async #newTerminal() {
    const answer = await this.actions.newTerminal();
    showProblem(this.#problem, isFailure(answer) ? answer.error : null);
    if (isFailure(answer)) return;
    this.#active = answer.terminal_id;
    this.#enter = true;
    if (this.#shown.has(this.#active)) this.#bringForward();
  }

  async #closeTerminal() {
    if (this.#active === null) return;
    const answer = await this.actions.closeTerminal(this.#active);
    showProblem(this.#problem, isFailure(answer) ? answer.error : null);
  }
}

/**
 * @param {HTMLButtonElement} tab
 * @param {TerminalRow} row
 * @param {boolean} agent
 */
function drawTab(tab, row, agent) {
  const doing = agent ? "an agent is at work" : row.busy ? "running" : "";
  const label = doing ? `${nameOf(row)}, ${doing}` : nameOf(row);
  if (tab.textContent !== nameOf(row)) tab.textContent = nameOf(row);
  tab.setAttribute("aria-label", label);
  tab.title = row.working_dir;
  tab.classList.toggle("agent", agent);
  tab.classList.toggle("busy", row.busy);
}

/** @param {TerminalRow} row */
function nameOf(row) {
  return row.title || row.id;
}

/**
 * Who runs something in a terminal, if it isn't the person. A command without a terminal is in the busy one.
 *
 * @param {TerminalRow} row
 * @param {State} state
 */
function agentIn(row, { terminals, calls }) {
  if (!row.busy) return null;
  const onlyBusy = terminals.every(({ id, busy }) => id === row.id || !busy);
  const running = calls.findLast(({ ok, caller, arguments: given }) => {
    if (ok !== null || caller === "person") return false;
    const { terminal_id: named, command } = /** @type {Record<string, unknown>} */ (given ?? {});
    return named === row.id || (named == null && typeof command === "string" && onlyBusy);
  });
  return running?.caller ?? null;
}

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {(id: string) => Promise<MessagePort>} attach opens a terminal's byte port
 * @param {(id: string) => void} interrupt stops what runs in a terminal
 */
export function showTerminals(store, actions, attach, interrupt) {
  const panel = new TerminalsPanel(actions, attach, interrupt);
  store.subscribe(whenChanged(
    ({ terminals, calls, connections, kernel }) => [terminals, calls, connections, kernel],
    (state) => panel.render(state),
  ));
}
