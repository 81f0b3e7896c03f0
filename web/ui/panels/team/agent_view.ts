/**
 * One agent: its file as a form, its memories, its spending by day, and its runs; or the form of a new agent.
 */

import { html, nothing } from "lit";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { ListMemoriesResult, ShowAgentResult, SkillRow } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { shown } from "../../consent/text.ts";
import { counted, firstLine, when } from "../../lib/format.ts";
import { submitting, valueOf } from "../../lib/forms.ts";
import type { Failure, State } from "../../state/types.ts";
import { agentForm, fieldsOf, NEW } from "./agent_form.ts";
import { spendChart } from "./spend_chart.ts";
import { price } from "./texts.ts";

/** The newest runs that are listed. */
const MOST_RUNS = 20;

/** the panel that shows the agent */
interface Panel {
  actions: Actions;
  isBlocked: boolean;
  draw: () => void;
  act: <Result>(action: () => Promise<Result | Failure>, success: string) => Promise<Result | Failure | null>;
  to: { run: (id: string) => unknown; file: (path: string) => unknown };
}

export class AgentView {
  #agent: ShowAgentResult | null = null;
  #memories: ListMemoriesResult = { memories: [], pinned: [] };
  #skills: SkillRow[] = [];
  /** The problems of fields, by their paths. */
  #problems: Record<string, string> = {};
  panel: Panel;
  name: string | null;

  /** @param name - null: a new agent */
  constructor(panel: Panel, name: string | null) {
    this.panel = panel;
    this.name = name;
  }

  /** Read everything that is shown. Returns the first failure. */
  async load(): Promise<Failure | null> {
    const { actions } = this.panel;
    const [agent, memories, skills] = await Promise.all([
      this.name === null ? null : actions.showAgent({ agent: this.name }),
      actions.listMemories(),
      actions.listSkills(),
    ]);
    if (!isFailure(memories)) this.#memories = memories;
    if (!isFailure(skills)) this.#skills = skills;
    if (agent !== null && !isFailure(agent)) this.#agent = agent;
    return [agent, memories, skills].find(isFailure) ?? null;
  }

  draw(state: State) {
    const agent = this.#agent;
    if (this.name !== null && agent === null) return nothing;
    return html`<section class="agent-file" aria-label=${this.name ?? "New agent"} data-agent-file=${this.name ?? ""}>
      <div class="team-buttons"><h3>${this.name ?? "New agent"}</h3>
        ${
          agent === null
            ? nothing
            : html`<button type="button" class="quiet" data-action="edit_file"
          @click=${() => this.panel.to.file(agent.path)}>Open file</button>`
        }</div>
      ${agentForm({
        isNew: this.name === null,
        fields: agent?.fields ?? NEW,
        state,
        skills: this.#skills,
        problems: this.#problems,
        isBlocked: this.panel.isBlocked,
        submit: (form) => void this.#save(form),
      })}
      ${agent === null ? nothing : html`${spendChart(agent.days)}${this.#remembers(agent.name)}${this.#runs(state, agent.name)}`}</section>`;
  }

  async #save(form: HTMLFormElement) {
    const { actions } = this.panel;
    const fields = fieldsOf(form);
    const agent = this.#agent;
    const done = await this.panel.act(
      () =>
        agent === null
          ? actions.createAgent({ agent: valueOf(form, "name").trim(), fields })
          : actions.saveAgent({ agent: agent.name, fields, version: agent.version }),
      agent === null ? "Created." : "Saved.",
    );
    if (done === null) return;
    this.#problems = isFailure(done) ? (done.error.data?.fields ?? {}) : {};
    if (!isFailure(done)) [this.#agent, this.name] = [done, done.name];
    this.panel.draw();
    const wrong = isFailure(done) ? form.querySelector("[aria-invalid=true]") : null;
    if (wrong instanceof HTMLElement) wrong.focus();
  }

  #remembers(agent: string) {
    const { panel } = this;
    const rows = this.#memories.memories.filter((row) => row.agent === agent && row.approved);
    const text = this.#memories.pinned.find((row) => row.agent === agent)?.text ?? "";
    const pin = submitting(
      (form) => void panel.act(() => panel.actions.pinMemory({ agent, text: valueOf(form, "text") }), "Saved."),
    );
    return html`<section aria-label="Memory"><h4>Memory</h4>
      <form class="team-form" @submit=${pin}><label>Pinned: every run begins with this
          <textarea name="text" rows="2" .value=${text}></textarea></label>
        <button type="submit" data-action="pin_memory" ?disabled=${panel.isBlocked}>Save</button></form>
      ${rows.length === 0 ? html`<p class="muted">It remembers no facts.</p>` : nothing}
      <ul class="agent-facts">${repeatBy(
        rows,
        "id",
        (row) => html`<li><span>${shown(row.text)}</span>
        <button type="button" class="quiet" data-action="forget_memory" aria-label=${`Forget: ${row.text}`} ?disabled=${panel.isBlocked}
          @click=${() => void panel.act(() => panel.actions.forgetMemory({ memory: row.id }), "Forgotten.")}>Forget</button></li>`,
      )}</ul></section>`;
  }

  #runs({ runs }: State, agent: string) {
    const own = runs
      .filter((run) => run.agent === agent)
      .slice(-MOST_RUNS)
      .reverse();
    return html`<section aria-label="Runs"><h4>Runs</h4>
      ${own.length === 0 ? html`<p class="muted">No runs are stored.</p>` : nothing}
      <ul class="agent-runs">${repeatBy(
        own,
        "id",
        (run) => html`<li><button type="button" class="quiet" data-does="Shows the run"
        @click=${() => this.panel.to.run(run.id)}>${firstLine(run.task)}</button>
        <span class="muted">${run.status}, ${counted(run.tokens, "token")}${price(run.cost ?? 0)}, ${when(new Date(run.began * 1000).toISOString())}</span></li>`,
      )}</ul></section>`;
  }
}
