/** The Memory panel: each agent's memories, those that wait for approval, and the pinned ones. A separate bundle. */

import { html, nothing, render } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { ListMemoriesResult } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { shown } from "../../consent/text.ts";
import { when } from "../../lib/format.ts";
import { submitting, valueOf } from "../../lib/forms.ts";
import { ListPanel } from "../list_panel.ts";

type MemoryRow = ListMemoriesResult["memories"][number];

/** The agent that facts are added for, as in a run without a name. */
const ANYBODY = "agent";

export class MemoryPanel extends ListPanel<ListMemoriesResult> {
  actions: Actions;

  constructor(actions: Actions) {
    super("memory", { memories: [], pinned: [] }, () => actions.listMemories());
    this.actions = actions;
  }

  draw() {
    const { memories, pinned } = this.shown;
    const waiting = memories.filter(({ approved }) => !approved);
    const agents = [
      ...new Set([...memories.filter(({ approved }) => approved), ...pinned].map(({ agent }) => agent)),
    ].sort();
    render(
      html`${
        memories.length + pinned.length > 0
          ? nothing
          : html`<p class="empty">Agents remember nothing yet. What an agent remembers in a run, its later runs find.</p>`
      }
      ${
        waiting.length === 0
          ? nothing
          : html`<section aria-labelledby="memory-waiting-title">
        <h3 id="memory-waiting-title">Waiting for you <span class="muted">${waiting.length}</span></h3>
        <p class="muted">These were written after text from outside was read. Agents find them once you approve.</p>
        ${this.#list(waiting)}</section>`
      }
      ${repeat(
        agents,
        (agent) => agent,
        (agent) => this.#agent(agent),
      )}
      ${this.#form([...new Set([...agents, ANYBODY])])}`,
      this.body,
    );
  }

  #agent(agent: string) {
    const { memories, pinned } = this.shown;
    const text = pinned.find((row) => row.agent === agent)?.text ?? "";
    const submit = submitting((form) => void this.#pin(agent, valueOf(form, "text")));
    return html`<section aria-label=${`What ${agent} remembers`} data-agent=${agent}>
      <h3>${agent}</h3>
      <form class="memory-form" @submit=${submit}>
        <label>Pinned: every run of ${agent} begins with this
          <textarea name="text" rows="2" .value=${text}></textarea></label>
        <button type="submit" data-action="pin_memory" ?disabled=${this.isBlocked}>Save</button></form>
      ${this.#list(memories.filter((row) => row.approved && row.agent === agent))}</section>`;
  }

  #list(rows: MemoryRow[]) {
    return html`<ul class="memory-list">${repeatBy(
      rows,
      "id",
      (row) => html`<li data-memory=${row.id}>
      <p>${shown(row.text)}</p>
      <p class="muted">${row.approved ? nothing : html`For ${row.agent}, by `}${row.source}, ${when(row.at)}</p>
      <div class="memory-buttons">${
        row.approved
          ? nothing
          : html`<button type="button" data-action="approve_memory" aria-label=${`Approve: ${row.text}`} ?disabled=${this.isBlocked}
          @click=${() => void this.act(() => this.actions.approveMemory({ memory: row.id }), "Approved.")}>Approve</button>`
      }
        <button type="button" class="quiet" data-action="forget_memory" data-focus-next aria-label=${`Forget: ${row.text}`} ?disabled=${this.isBlocked}
          @click=${() => void this.act(() => this.actions.forgetMemory({ memory: row.id }), "Forgotten.")}>Forget</button></div></li>`,
    )}</ul>`;
  }

  #form(agents: string[]) {
    const submit = submitting((form) => void this.#add(form));
    return html`<form class="memory-form" id="memory-add" aria-labelledby="memory-add-title" @submit=${submit}>
      <h3 id="memory-add-title">Add a fact</h3>
      <label>Fact <textarea id="memory-text" name="text" rows="2" required maxlength="500" data-focus-first></textarea></label>
      <label>Agent <input name="agent" required value=${ANYBODY} list="memory-agents" autocomplete="off"></label>
      <datalist id="memory-agents">${agents.map((agent) => html`<option value=${agent}></option>`)}</datalist>
      <button type="submit" class="primary" data-action="add_memory" ?disabled=${this.isBlocked}>Add</button></form>`;
  }

  async #add(form: HTMLFormElement) {
    const given = { agent: valueOf(form, "agent"), text: valueOf(form, "text") };
    const done = await this.act(() => this.actions.addMemory(given), "Added.");
    if (done !== null && !isFailure(done)) form.reset();
  }

  #pin(agent: string, text: string) {
    return this.act(() => this.actions.pinMemory({ agent, text }), text.trim() ? "Pinned." : "Unpinned.");
  }
}
