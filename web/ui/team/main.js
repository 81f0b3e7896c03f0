/**
 * The Team panel: the agents, what each does and has cost today, and the tasks of each team as a graph by depth. A separate
 * bundle.
 *
 * @import { Actions } from "../actions.js"
 * @import { ListTeamsResult } from "../../generated/types.js"
 */

import { html, nothing, render } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { styleMap } from "lit/directives/style-map.js";
import { isFailure } from "../call.js";
import { counted } from "../format.js";
import { ListPanel, submitting, valueOf } from "../list_panel.js";
import { plan } from "./plan.js";

/** @typedef {ListTeamsResult["agents"][number]} Agent */
/** @typedef {ListTeamsResult["teams"][number]} Team */
/** @typedef {Team["tasks"][number]} Task */

const LEADER = "orchestrator";
const STATUSES = /** @type {Record<string, string>} */ ({
  waiting: "waits", running: "works", parked: "waits for others", done: "done", dead: "failed", cancelled: "cancelled",
});

/** @extends {ListPanel<ListTeamsResult>} */
export class TeamPanel extends ListPanel {
  /** @param {Actions} actions @param {{run: (id: string) => unknown, file: (path: string) => unknown}} to */
  constructor(actions, to) {
    super("team", { agents: [], teams: [] }, () => actions.listTeams());
    this.actions = actions;
    this.to = to;
  }

  draw() {
    const { agents, teams } = this.shown;
    render(html`${this.#form(agents)}
      <section aria-labelledby="team-agents-title"><h3 id="team-agents-title">Agents</h3>
        <ul class="team-agents">${repeat(agents, ({ name }) => name, (agent) => this.#agent(agent))}</ul></section>
      ${teams.length > 0 ? nothing : html`<p class="empty">No team has worked yet. Describe a task above: the orchestrator divides it
        among the agents.</p>`}
      ${repeat(teams, ({ id }) => id, (team) => this.#team(team))}`, this.body);
  }

  /** @param {Agent[]} agents */
  #form(agents) {
    const leaders = agents.filter(({ problem }) => problem === null).map(({ name }) => name);
    return html`<form class="team-form" aria-label="Start a team" @submit=${submitting((form) => void this.#start(form))}>
      <label>Task <textarea id="team-task" name="task" rows="3" required data-focus-first></textarea></label>
      <div class="team-options">
        <label>Leader <select name="agent">${leaders.map((name) => html`<option ?selected=${name === LEADER}>${name}</option>`)}</select></label>
        <label>Cost limit, $ <input name="cost" type="number" min="0.01" step="0.01" size="6"></label></div>
      <button type="submit" class="primary" data-action="start_team" ?disabled=${this.isBlocked}>Start team</button></form>`;
  }

  /** @param {Agent} agent */
  #agent({ name, role, model, color, path, problem, tokens, cost }) {
    const now = this.shown.teams.flatMap(({ tasks }) => tasks).filter((task) => task.agent === name && ["running", "parked"].includes(task.status));
    return html`<li class="team-agent" data-agent=${name}><span class="team-color" style=${styleMap({ background: color || "transparent" })}></span>
      <div><strong>${name}</strong> <span class="muted">${model ?? ""}</span>
        ${problem === null ? html`<p>${role}</p>` : html`<p class="problem">${problem}</p>`}
        ${now.map((task) => html`<p class="team-now">${STATUSES[task.status]}: ${firstLine(task.brief)}</p>`)}
        <p class="muted">${tokens === 0 ? "Nothing spent today" : `Today: ${counted(tokens, "token")}${price(cost)}`}</p></div>
      ${path === null ? nothing : html`<button type="button" class="quiet" data-action="edit_file" aria-label=${`Edit ${name}`}
        @click=${() => this.to.file(path)}>Edit</button>`}</li>`;
  }

  /** @param {Team} team */
  #team({ id, resumable, tasks }) {
    const [first] = tasks;
    const ended = ["done", "dead", "cancelled"].includes(first.status);
    return html`<section class="team" data-team=${id} data-status=${first.status} aria-label=${`Team: ${firstLine(first.brief)}`}>
      <h3>${firstLine(first.brief)}</h3>
      <p class="muted">${resumable ? "Cut off when its page closed." : `The team ${ended ? `is ${STATUSES[first.status]}` : "works"}.`}
        ${counted(tasks.reduce((sum, { tokens }) => sum + tokens, 0), "token")}${price(tasks.reduce((sum, { cost }) => sum + cost, 0))}</p>
      <div class="team-buttons">
        ${resumable ? html`<button type="button" class="primary" data-action="resume_team" ?disabled=${this.isBlocked}
          @click=${() => void this.act(() => this.actions.resumeTeam({ team: id }), "The team goes on.")}>Continue</button>` : nothing}
        ${ended ? nothing : html`<button type="button" data-action="cancel_team" ?disabled=${this.isBlocked}
          @click=${() => void this.act(() => this.actions.cancelTeam({ team: id }), "The team was cancelled.")}>Cancel</button>`}</div>
      <ol class="team-tasks">${repeat(plan(tasks), ({ task }) => task.id, ({ task, depth }) => this.#task(id, task, depth, tasks))}</ol></section>`;
  }

  /** @param {string} team @param {Task} task @param {number} depth @param {Task[]} tasks */
  #task(team, task, depth, tasks) {
    const before = task.after.map((id) => tasks.find((other) => other.id === id)).filter((other) => other !== undefined);
    const given = { team, task: task.id };
    return html`<li class="team-task" data-task=${task.id} data-status=${task.status} style=${styleMap({ "--depth": String(depth) })}>
      <details><summary><strong>${task.agent}</strong> <span class="team-status" data-status=${task.status}>${STATUSES[task.status]}</span>
          ${firstLine(task.brief)}</summary>
        ${task.status === "waiting" ? this.#editor(given, task) : html`<p class="team-brief">${task.brief}</p>`}
        ${task.expects === "" ? nothing : html`<p class="muted">Expected: ${task.expects}</p>`}
        ${task.result === null ? nothing : html`<p class="team-brief">${task.result}</p>`}
        ${[...task.files, ...task.urls].length === 0 ? nothing : html`<p class="muted">Sources: ${[...task.files, ...task.urls].join(", ")}</p>`}</details>
      ${before.length === 0 ? nothing : html`<p class="muted">After ${before.map((other) => `${other.agent}: ${firstLine(other.brief)}`).join("; ")}</p>`}
      ${task.blocked_by === null ? nothing : html`<p class="problem">Can't begin: a task before it isn't done.</p>`}
      ${task.reason === null ? nothing : html`<p class="problem">${task.reason}${task.failures > 0 ? ` (${counted(task.failures, "failure")})` : ""}</p>`}
      ${task.question === null ? nothing : this.#question(given, task.question)}
      <div class="team-buttons">
        ${task.run_id === null ? nothing : html`<button type="button" class="quiet" data-does="Shows the run" @click=${() => this.to.run(task.run_id ?? "")}>Run</button>`}
        ${task.status === "dead" || task.status === "cancelled" ? html`<button type="button" data-action="retry_task" ?disabled=${this.isBlocked}
          @click=${() => void this.act(() => this.actions.retryTask(given), "The task runs again.")}>Retry</button>` : nothing}
        ${["waiting", "running", "parked"].includes(task.status) && depth > 0 ? html`<button type="button" class="quiet" data-action="stop_task"
          ?disabled=${this.isBlocked} @click=${() => void this.act(() => this.actions.stopTask(given), "The task was cancelled.")}>Cancel</button>` : nothing}</div></li>`;
  }

  /** @param {{team: string, task: string}} given @param {Task} task */
  #editor(given, task) {
    const submit = submitting((form) => void this.act(() => this.actions.editTask({ ...given, brief: valueOf(form, "brief") }), "The brief was changed."));
    return html`<form class="team-form" aria-label="Change the brief" @submit=${submit}>
      <label>Brief <textarea name="brief" rows="3" required>${task.brief}</textarea></label>
      <button type="submit" data-action="edit_task" ?disabled=${this.isBlocked}>Change</button></form>`;
  }

  /** @param {{team: string, task: string}} given @param {string} question */
  #question(given, question) {
    const submit = submitting((form) => void this.act(() => this.actions.answerTask({ ...given, text: valueOf(form, "text") }), "Answered."));
    return html`<form class="team-form team-question" aria-label="Answer" @submit=${submit}>
      <label>${question} <input name="text" required autocomplete="off"></label>
      <button type="submit" class="primary" data-action="answer_task" ?disabled=${this.isBlocked}>Answer</button></form>`;
  }

  /** @param {HTMLFormElement} form */
  async #start(form) {
    const cost = valueOf(form, "cost");
    const done = await this.act(() => this.actions.startTeam({
      task: valueOf(form, "task"), agent: valueOf(form, "agent"), ...(cost ? { budget: { cost: Number(cost) } } : {}),
    }), "The team works.");
    if (done !== null && !isFailure(done)) form.reset();
  }
}

/** @param {string} text */
function firstLine(text) {
  const [line = ""] = text.trim().split("\n");
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

/** @param {number} cost in dollars */
function price(cost) {
  return cost > 0 ? `, $${cost.toFixed(2)}` : "";
}
