/**
 * The Team panel: the agents, what each does and has cost today, and the tasks of each team as a graph. A separate
 * bundle.
 */

import { html, nothing, render } from "lit";
import { ref } from "lit/directives/ref.js";
import { styleMap } from "lit/directives/style-map.js";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { ListTeamsResult } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { counted, firstLine } from "../../lib/format.ts";
import { submitting, valueOf } from "../../lib/forms.ts";
import { ListPanel } from "../list_panel.ts";
import { mentionsIn } from "../mentions.ts";
import type { Failure, State } from "../../state/types.ts";
import { AgentView } from "./agent_view.ts";
import { GraphView } from "./graph_view.ts";
import { taskView } from "./task_view.ts";
import { ENDINGS, price, stateOf, waitOf } from "./texts.ts";
import { focusIn } from "../../lib/elements.ts";

type Agent = ListTeamsResult["agents"][number];

type Team = ListTeamsResult["teams"][number];

type Task = Team["tasks"][number];

const LEADER = "orchestrator";

export class TeamPanel extends ListPanel<ListTeamsResult> {
  /** The graphs, the selected tasks, and the teams that the user has opened or closed, by the team's id. */
  #graphs = new Map<string, GraphView>();
  #selected = new Map<string, string>();
  #open = new Map<string, boolean>();
  /** The agent that is shown in place of the team. */
  #agentView: AgentView | null = null;
  #state: State | null = null;
  mentions: (field: Element | undefined) => void;
  actions: Actions;
  to: { run: (id: string) => unknown; file: (path: string) => unknown };

  constructor(actions: Actions, to: { run: (id: string) => unknown; file: (path: string) => unknown }) {
    super("team", { agents: [], teams: [] }, () => this.#list());
    this.actions = actions;
    this.to = to;
    this.mentions = mentionsIn(actions);
  }

  render(state: State) {
    this.#state = state;
    super.render(state);
  }

  draw() {
    const { agents, teams } = this.shown;
    if (this.#agentView !== null && this.#state !== null) {
      render(
        html`<div><button type="button" class="quiet" data-does="Shows the team" @click=${() => void this.show(null)}>← Team</button></div>
        ${this.#agentView.draw(this.#state)}`,
        this.body,
      );
      return;
    }
    render(
      html`${this.#form(agents)}
      <section aria-labelledby="team-agents-title"><div class="team-buttons"><h3 id="team-agents-title">Agents</h3>
          <button type="button" class="quiet" id="team-new-agent" data-does="Shows the form of a new agent"
            @click=${() => void this.show(new AgentView(this, null))}>New agent</button></div>
        <ul class="team-agents">${repeatBy(agents, "name", (agent) => this.#agent(agent))}</ul></section>
      ${
        teams.length > 0
          ? nothing
          : html`<p class="empty">No team has worked yet. Describe a task above: the orchestrator divides it
        among the agents.</p>`
      }
      ${repeatBy(teams, "id", (team, index) => this.#team(team, index === 0))}`,
      this.body,
    );
  }

  /** Load the shown agent, too. */
  async #list(): Promise<ListTeamsResult | Failure> {
    const failed = await this.#agentView?.load();
    return failed ?? this.actions.listTeams();
  }

  /** Show an agent, or the team. */
  async show(view: AgentView | null) {
    const last = this.#agentView?.name ?? null;
    this.#agentView = view;
    this.forgetError();
    await this.load();
    this.body.scrollTop = 0;
    focusIn(
      this.body,
      view === null
        ? `[data-agent="${last}"] button, #team-new-agent`
        : view.name === null
          ? "#agent-field-name"
          : "button",
    );
  }

  #form(agents: Agent[]) {
    const leaders = agents.filter(({ problem }) => problem === null).map(({ name }) => name);
    return html`<form class="team-form" aria-label="Start a team" @submit=${submitting((form) => void this.#start(form))}>
      <label>Task <textarea id="team-task" name="task" rows="3" required data-focus-first placeholder="@ mentions agents, files and tabs"
        ${ref(this.mentions)}></textarea></label>
      <div class="team-options">
        <label>Leader <select name="agent">${leaders.map((name) => html`<option ?selected=${name === LEADER}>${name}</option>`)}</select></label>
        <label>Cost limit, $ <input name="cost" type="number" min="0.01" step="0.01" size="6"></label></div>
      <button type="submit" class="primary" data-action="start_team" ?disabled=${this.isBlocked}>Start team</button></form>`;
  }

  #agent({ name, role, model, color, path, problem, tokens, cost }: Agent) {
    const now = this.shown.teams
      .flatMap(({ tasks }) => tasks)
      .filter((task) => task.agent === name && ["running", "parked"].includes(task.status));
    return html`<li class="team-agent" data-agent=${name}><span class="team-color" style=${styleMap({ background: color || "transparent" })}></span>
      <div>${
        problem === null
          ? html`<button type="button" class="team-name" data-action="show_agent"
          @click=${() => void this.show(new AgentView(this, name))}>${name}</button>`
          : html`<strong>${name}</strong>`
      }
        <span class="muted">${model ?? ""}</span>
        ${problem === null ? html`<p>${role}</p>` : html`<p class="problem">${problem}</p>`}
        ${now.map((task) => html`<p class="team-now">${stateOf(task).words}${waitOf(task)}: ${firstLine(task.brief)}</p>`)}
        ${tokens === 0 ? nothing : html`<p class="muted">Today: ${counted(tokens, "token")}${price(cost)}</p>`}</div>
      ${
        path === null || problem === null
          ? nothing
          : html`<button type="button" class="quiet" data-action="edit_file" aria-label=${`Edit ${name}`}
        @click=${() => this.to.file(path)}>Edit</button>`
      }</li>`;
  }

  #team({ id, resumable, tasks }: Team, isNewest: boolean) {
    const [first] = tasks;
    const ended = first.status in ENDINGS;
    const isOpen = this.#open.get(id) ?? (isNewest || !ended);
    return html`<div class="team" role="group" data-team=${id} data-status=${first.status} aria-label=${`Team: ${firstLine(first.brief)}`}>
      <h3><button type="button" class="team-title" aria-expanded=${isOpen} data-does="Shows the team" @click=${() => this.#toggle(id, !isOpen)}>
        ${firstLine(first.brief)}</button></h3>
      <p class="muted">${resumable ? "Interrupted when its page closed." : (ENDINGS[first.status] ?? "The team is working.")}
        ${counted(
          tasks.reduce((sum, { tokens }) => sum + tokens, 0),
          "token",
        )}${price(tasks.reduce((sum, { cost }) => sum + cost, 0))}</p>
      <div class="team-buttons">
        ${
          resumable
            ? html`<button type="button" class="primary" data-action="resume_team" ?disabled=${this.isBlocked}
          @click=${() => void this.act(() => this.actions.resumeTeam({ team: id }), "The team continues.")}>Continue</button>`
            : nothing
        }
        ${
          ended
            ? nothing
            : html`<button type="button" data-action="cancel_team" ?disabled=${this.isBlocked}
          @click=${() => void this.act(() => this.actions.cancelTeam({ team: id }), "The team was cancelled.")}>Cancel team</button>`
        }</div>
      ${isOpen ? this.#pipeline(id, tasks) : nothing}</div>`;
  }

  /** The graph, and below it the selected task and those that ask. */
  #pipeline(team: string, tasks: Task[]) {
    const graph =
      this.#graphs.get(team) ??
      new GraphView(team, {
        select: (task) => this.#select(team, task),
        link: (task, after) =>
          void this.act(() => this.actions.linkTasks({ team, task, after }), "The edge was added."),
        unlink: (task, after) =>
          void this.act(() => this.actions.unlinkTasks({ team, task, after }), "The edge was removed."),
      });
    this.#graphs.set(team, graph);
    const colors = new Map(this.shown.agents.map(({ name, color }) => [name, color]));
    const selected = this.#selected.get(team) ?? tasks[0].id;
    const open = tasks.filter(({ id, question }) => id === selected || question !== null);
    return html`${graph.draw(tasks, colors, selected, this.isBlocked)}
      <ol class="team-tasks">${repeatBy(open, "id", (task) => taskView(this, team, task, tasks))}</ol>`;
  }

  #select(team: string, task: string) {
    this.#selected.set(team, task);
    this.draw();
  }

  #toggle(team: string, isOpen: boolean) {
    this.#open.set(team, isOpen);
    this.draw();
  }

  async #start(form: HTMLFormElement) {
    const cost = valueOf(form, "cost");
    const done = await this.act(
      () =>
        this.actions.startTeam({
          task: valueOf(form, "task"),
          agent: valueOf(form, "agent"),
          ...(cost ? { budget: { cost: Number(cost) } } : {}),
        }),
      "The team is working.",
    );
    if (done !== null && !isFailure(done)) form.reset();
  }
}
