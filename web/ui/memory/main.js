/**
 * The Memory panel: what each agent remembers, what waits for approval, and what is pinned. A separate bundle.
 *
 * @import { Actions } from "../actions.js"
 * @import { Failure, State } from "../types.js"
 * @import { ListMemoriesResult } from "../../generated/types.js"
 */

import { html, nothing, render } from "lit";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import { isFailure } from "../call.js";
import { shown } from "../consent/text.js";
import { byId, showProblem } from "../elements.js";
import { when } from "../format.js";

/** @typedef {ListMemoriesResult["memories"][number]} MemoryRow */

/** The agent that facts are added for, as in a run without a name. */
const ANYBODY = "agent";

export class MemoryPanel {
  #body = byId("memory-body", HTMLElement);
  #problem = byId("memory-problem", HTMLElement);
  #announcer = byId("memory-announcement", HTMLElement);
  /** @type {ListMemoriesResult} */
  #shown = { memories: [], pinned: [] };
  #ready = false;
  #busy = false;

  /** @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
    // Remove the loading note.
    this.#body.replaceChildren();
  }

  /** @param {State} state */
  render({ kernel }) {
    this.#ready = kernel === "ready";
    if (this.#ready) void this.#load();
    else this.#draw();
  }

  async #load() {
    const found = await this.actions.listMemories();
    if (isFailure(found)) showProblem(this.#problem, found.error);
    else this.#shown = found;
    this.#draw();
  }

  #draw() {
    const { memories, pinned } = this.#shown;
    const waiting = memories.filter(({ approved }) => !approved);
    const agents = [...new Set([...memories.filter(({ approved }) => approved), ...pinned].map(({ agent }) => agent))].sort();
    const had = this.#body.contains(document.activeElement);
    render(html`${memories.length + pinned.length > 0 ? nothing
      : html`<p class="empty">Agents remember nothing yet. What an agent remembers in a run, its later runs find.</p>`}
      ${waiting.length === 0 ? nothing : html`<section aria-labelledby="memory-waiting-title">
        <h3 id="memory-waiting-title">Waiting for you <span class="muted">${waiting.length}</span></h3>
        <p class="muted">These were written after text from outside was read. Agents find them once you approve.</p>
        ${this.#list(waiting)}</section>`}
      ${repeat(agents, (agent) => agent, (agent) => this.#agent(agent))}
      ${this.#form([...new Set([...agents, ANYBODY])])}`, this.#body);
    // If the focused button was removed, keep the focus in the panel.
    if (had && !this.#busy && !this.#body.contains(document.activeElement)) this.#focus();
  }

  #focus() {
    const next = this.#body.querySelector("li button, #memory-text");
    if (next instanceof HTMLElement) next.focus();
  }

  /** @param {string} agent */
  #agent(agent) {
    const { memories, pinned } = this.#shown;
    const text = pinned.find((row) => row.agent === agent)?.text ?? "";
    const submit = submitting((form) => void this.#pin(agent, String(new FormData(form).get("text"))));
    return html`<section aria-label=${`What ${agent} remembers`} data-agent=${agent}>
      <h3>${agent}</h3>
      <form class="memory-form" @submit=${submit}>
        <label>Pinned: every run of ${agent} begins with this
          <textarea name="text" rows="2" .value=${live(text)}></textarea></label>
        <button type="submit" data-action="pin_memory" ?disabled=${this.#isBlocked}>Save</button></form>
      ${this.#list(memories.filter((row) => row.approved && row.agent === agent))}</section>`;
  }

  /** @param {MemoryRow[]} rows */
  #list(rows) {
    return html`<ul class="memory-list">${repeat(rows, ({ id }) => id, (row) => html`<li data-memory=${row.id}>
      <p>${shown(row.text)}</p>
      <p class="muted">${row.approved ? nothing : html`For ${row.agent}, by `}${row.source}, ${when(row.at)}</p>
      <div class="memory-buttons">${row.approved ? nothing
        : html`<button type="button" data-action="approve_memory" aria-label=${`Approve: ${row.text}`} ?disabled=${this.#isBlocked}
          @click=${() => void this.#act(() => this.actions.approveMemory({ memory: row.id }), "Approved.")}>Approve</button>`}
        <button type="button" class="quiet" data-action="forget_memory" aria-label=${`Forget: ${row.text}`} ?disabled=${this.#isBlocked}
          @click=${() => void this.#act(() => this.actions.forgetMemory({ memory: row.id }), "Forgotten.")}>Forget</button></div></li>`)}</ul>`;
  }

  /** @param {string[]} agents */
  #form(agents) {
    const submit = submitting((form) => void this.#add(form));
    return html`<form class="memory-form" id="memory-add" aria-label="Add a fact" @submit=${submit}>
      <label>Fact <textarea id="memory-text" name="text" rows="2" required maxlength="500" data-focus-first></textarea></label>
      <label>Agent <input name="agent" required value=${ANYBODY} list="memory-agents" autocomplete="off"></label>
      <datalist id="memory-agents">${agents.map((agent) => html`<option value=${agent}></option>`)}</datalist>
      <button type="submit" class="primary" data-action="add_memory" ?disabled=${this.#isBlocked}>Add</button></form>`;
  }

  get #isBlocked() {
    return this.#busy || !this.#ready;
  }

  /** @param {HTMLFormElement} form */
  async #add(form) {
    const given = new FormData(form);
    const done = await this.#act(() => this.actions.addMemory({ agent: String(given.get("agent")), text: String(given.get("text")) }), "Added.");
    if (done !== null && !isFailure(done)) form.reset();
  }

  /** @param {string} agent @param {string} text */
  #pin(agent, text) {
    return this.#act(() => this.actions.pinMemory({ agent, text }), text.trim() ? "Pinned." : "Unpinned.");
  }

  /**
   * Run an action, and show its error or announce its success. Returns null while another action runs.
   *
   * @template Result
   * @param {() => Promise<Result | Failure>} action
   * @param {string} success
   */
  async #act(action, success) {
    if (this.#busy) return null;
    this.#busy = true;
    const done = await action();
    this.#busy = false;
    showProblem(this.#problem, isFailure(done) ? done.error : null);
    if (!isFailure(done)) {
      this.#announcer.textContent = success;
      await this.#load();
    }
    return done;
  }
}

/** @param {(form: HTMLFormElement) => void} act */
function submitting(act) {
  return (/** @type {SubmitEvent & {currentTarget: HTMLFormElement}} */ event) => {
    event.preventDefault();
    act(event.currentTarget);
  };
}
