/** The Tools panel: the list of tools, their descriptions and arguments, and a form that calls a tool as the user. */

import { html, nothing, render } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { CallRow, ToolRow } from "../../../generated/types.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { byId, showProblem, expect } from "../../lib/elements.ts";
import { clock, counted, duration, indented, plainJson } from "../../lib/format.ts";
import { loadSaved, save } from "../../../shared/local_state.ts";
import type { Actions } from "../../state/actions.ts";
import type { Store } from "../../state/store.ts";
import { isPressOf } from "../../lib/trusted.ts";
import type { State } from "../../state/types.ts";
import { argumentsOf, BadField, fieldsOf, typedFor } from "./fields.ts";
import { controlOf, fieldList } from "./form.ts";
import { groupLabel, groupsOf, groupSwitch, type Group } from "./group_switch.ts";
import { callerName } from "../../lib/caller_names.ts";
import { resultView, type Outcome } from "./result.ts";

const LAST_CALLS = 5;
const EFFECTS: Record<string, string> = {
  read: "reads",
  write: "changes this surface",
  outside: "asks first: reaches outside",
  spend: "asks first: spends money",
};

class ToolsPanel {
  #section = byId("tools", HTMLElement);
  #list = byId("tool-list", HTMLElement);
  #detail = byId("tool-detail", HTMLElement);
  #search = byId("tool-search", HTMLInputElement);
  #problem = byId("tool-problem", HTMLElement);
  #state: State | null = null;
  #selected = loadSaved("tools.chosen", "");
  /** The last outcome of each tool's form. */
  #outcomes = new Map<string, Outcome>();
  #wrong: { field: string; message: string } | null = null;
  #running: AbortController | null = null;
  actions: Actions;

  constructor(actions: Actions) {
    this.actions = actions;
    this.#search.addEventListener("input", () => this.#draw());
    this.#search.addEventListener("keydown", (event) => event.key === "ArrowDown" && this.#step(event, 1));
    this.#list.addEventListener("keydown", (event) => this.#onListKey(event));
  }

  render(state: State) {
    this.#state = state;
    this.#draw();
  }

  /** Select a tool for another part of the page. */
  show(name: string) {
    this.#search.value = "";
    this.#choose(name);
  }

  get #ready() {
    return this.#state?.kernel === "ready";
  }

  #draw() {
    if (!this.#state) return;
    const { tools, settings } = this.#state;
    const groups = groupsOf(tools, settings);
    const count = groups.reduce((sum, group) => sum + group.tools.length, 0);
    const off = count - tools.length;
    byId("tool-count", HTMLElement).textContent = counted(count, "tool") + (off > 0 ? `, ${off} off` : "");
    const found = groups
      .map((group) => ({ ...group, tools: group.tools.filter((tool) => this.#matches(tool)) }))
      .filter((group) => group.tools.length > 0);
    const selected = groups.flatMap((group) => group.tools).find(({ name }) => name === this.#selected) ?? null;
    this.#section.dataset.selected = String(selected !== null);
    render(this.#listView(found), this.#list);
    render(selected ? this.#detailView(selected) : this.#hint(), this.#detail);
  }

  #matches({ name, description, group }: ToolRow) {
    const text = `${name} ${name.replaceAll("_", " ")} ${group} ${groupLabel(group)} ${description}`.toLowerCase();
    return this.#search.value
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word));
  }

  #hint() {
    return html`<p class="empty">Select a tool to see its arguments and call it yourself. Agents call the same tools. Turning
      off a group hides its tools from agents.</p>`;
  }

  #listView(groups: Group[]) {
    if (groups.length === 0) return html`<p class="empty">No matching tools. Clear the search to see all tools.</p>`;
    const names = groups.flatMap((group) => group.tools.map(({ name }) => name));
    const reached = names.includes(this.#selected) ? this.#selected : names[0];
    return groups.map(
      (group) => html`
      <section role="group" aria-labelledby="tool-group-${group.name}" data-on=${String(group.on)}>
        <header><h3 id="tool-group-${group.name}">${groupLabel(group.name)}</h3>
          ${groupSwitch(group, this.#ready, (name, on) => this.#switchGroup(name, on))}</header>
        <ul aria-labelledby="tool-group-${group.name}">${group.tools.map(
          (tool) => html`<li><button type="button" class="tool-name" value=${tool.name}
          tabindex=${tool.name === reached ? 0 : -1} aria-current=${tool.name === this.#selected ? "true" : nothing}
          @click=${() => this.#choose(tool.name)}>${tool.name}</button></li>`,
        )}</ul>
      </section>`,
    );
  }

  #detailView(tool: ToolRow) {
    const { name, description, effect = "write", group = "other" } = tool;
    const off = this.#state?.settings?.groups_off.includes(group);
    const outcome = this.#outcomes.get(name);
    return keyed(
      name,
      html`
      <header><button type="button" class="quiet back" @click=${() => this.#choose("")}>All tools</button>
        <h3 class="mono">${name}</h3><span class="chip">${group}</span><span class="chip">${EFFECTS[effect]}</span>
        ${off ? html`<span class="chip off">off for agents</span>` : nothing}</header>
      <p>${description}</p>
      <form autocomplete="off" @submit=${prevent} @keydown=${(event: KeyboardEvent) => this.#onFormKey(event, tool)}>
        ${fieldList(fieldsOf(tool.inputSchema), this.#wrong)}
        <div class="tool-go">
          <button type="button" class="primary" id="tool-call" ?disabled=${!this.#ready || this.#running !== null}
            @click=${(event: MouseEvent) => this.#call(event, tool)}>Call</button>
          <button type="button" id="tool-stop" ?hidden=${this.#running === null}
            @click=${() => this.#running?.abort()}>Stop</button>
          <span class="muted keys"><kbd>Ctrl</kbd> <kbd>Enter</kbd> to call</span>
        </div>
      </form>
      <p id="tool-status" class="muted" role="status">${this.#running ? "Running…" : outcome ? statusText(outcome) : ""}</p>
      <div id="tool-result">${outcome && !this.#running ? resultView(outcome, () => this.#showAll(name)) : nothing}</div>
      ${this.#lastCalls(tool)}`,
    );
  }

  #lastCalls(tool: ToolRow) {
    const calls = (this.#state?.calls ?? [])
      .filter((call) => call.tool === tool.name)
      .slice(-LAST_CALLS)
      .reverse();
    if (calls.length === 0) return nothing;
    return html`<h4>Recent calls</h4><ul class="tool-calls" aria-label="Recent calls">${calls.map(
      (call) => html`<li><details>
      <summary>${clock(call.started)} <span class="chip">${callerName(call.caller)}</span>
        ${call.ok === null ? "running" : `${call.ok ? "done" : "failed"} in ${duration(call.duration_ms ?? 0)}`}</summary>
      <pre tabindex="0" aria-label="Arguments">${plainJson(call.arguments)}</pre>
      ${
        call.result_preview === null
          ? nothing
          : html`<pre tabindex="0" aria-label="Result">${indented(call.result_preview)}</pre>`
      }
      <button type="button" @click=${() => this.#fill(tool, call)}>Use these arguments</button>
    </details></li>`,
    )}</ul>`;
  }

  /** @param name - of a tool; empty for the list */
  #choose(name: string) {
    const before = this.#selected;
    this.#selected = name;
    this.#wrong = null;
    save("tools.chosen", name);
    this.#draw();
    const target = name ? this.#detail.querySelector("textarea, input, select, #tool-call") : this.#button(before);
    if (target instanceof HTMLElement) target.focus();
  }

  #button(name: string) {
    return this.#buttons.find(({ value }) => value === name) ?? this.#search;
  }

  get #buttons(): HTMLButtonElement[] {
    return [...this.#list.querySelectorAll("button")].filter((button) => button.classList.contains("tool-name"));
  }

  #onListKey(event: KeyboardEvent) {
    if (event.key === "ArrowDown") this.#step(event, 1);
    else if (event.key === "ArrowUp") this.#step(event, -1);
    else if (event.key === "Home") this.#step(event, -Infinity);
    else if (event.key === "End") this.#step(event, Infinity);
  }

  #step(event: KeyboardEvent, by: number) {
    const buttons = this.#buttons;
    const now = buttons.findIndex((button) => button === document.activeElement);
    const next = buttons[Math.min(buttons.length - 1, Math.max(0, now + by))];
    event.preventDefault();
    next?.focus();
  }

  #onFormKey(event: KeyboardEvent, tool: ToolRow) {
    const inText = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLButtonElement;
    if (event.key !== "Enter" || event.isComposing || (inText && !event.ctrlKey)) return;
    event.preventDefault();
    void this.#call(event, tool);
  }

  /** Call the tool. Agents that act on this page must not call it as the user. */
  async #call(event: Event, tool: ToolRow) {
    if (!isPressOf(event) || !this.#ready || this.#running) return;
    const given = this.#read(tool);
    if (!given) return;
    this.#running = new AbortController();
    this.#draw();
    const began = performance.now();
    const value = await this.actions.callTool(tool.name, given, this.#running.signal);
    this.#running = null;
    this.#outcomes.set(tool.name, { value, took: performance.now() - began, whole: false });
    this.#draw();
  }

  /** Return the arguments, or null if one is invalid, with its error shown. */
  #read(tool: ToolRow) {
    this.#wrong = null;
    try {
      return argumentsOf(fieldsOf(tool.inputSchema), (name) => this.#control(name).value);
    } catch (error) {
      if (!(error instanceof BadField)) throw error;
      this.#wrong = { field: error.field, message: error.message };
      this.#draw();
      this.#control(error.field).focus();
      return null;
    }
  }

  #control(name: string) {
    return controlOf(expect(this.#detail.querySelector("form"), HTMLFormElement), name);
  }

  #fill(tool: ToolRow, call: CallRow) {
    const given: Record<string, unknown> = call.arguments ?? {};
    for (const field of fieldsOf(tool.inputSchema))
      this.#control(field.name).value = typedFor(field, given[field.name]);
    byId("tool-call", HTMLElement).focus();
  }

  #showAll(name: string) {
    const outcome = this.#outcomes.get(name);
    if (outcome) this.#outcomes.set(name, { ...outcome, whole: true });
    this.#draw();
  }

  async #switchGroup(group: string, on: boolean) {
    const answer = await this.actions.switchGroup({ group, on });
    showProblem(this.#problem, isFailure(answer) ? answer.error : null);
  }
}

function statusText({ value, took }: Outcome) {
  return isFailure(value) ? `Failed in ${duration(took)}: ${value.error.message}` : `Done in ${duration(took)}.`;
}

function prevent(event: Event) {
  event.preventDefault();
}

export function showTools(store: Store, actions: Actions) {
  const panel = new ToolsPanel(actions);
  store.follow(["kernel", "tools", "settings", "calls"], (state) => panel.render(state));
  return panel;
}
