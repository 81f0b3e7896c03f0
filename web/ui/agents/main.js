/**
 * What draws the panel of agents' runs: the list with a form to start one, or one run. A bundle of its own.
 *
 * @import { Actions, Strategy } from "../actions.js"
 * @import { Failure, RunRow, State } from "../types.js"
 */

import { html, nothing, render } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { isFailure } from "../call.js";
import { byId, showProblem } from "../elements.js";
import { counted, duration } from "../format.js";
import { loadSaved, save } from "../saved.js";
import { loadingView } from "../models/loading.js";
import { AGENT, allowance } from "../models/tickets.js";
import { isFollowed, RunView } from "./run_view.js";
import { isOver, money, statusWords } from "./words.js";

const KEY = "agents.run";
/** @type {Record<string, string>} */
const STRATEGIES = { react: "Step by step", plan: "With a plan" };
const STEPS = 30;

/** @typedef {{settings: () => void}} Elsewhere */

export class RunsPanel {
  #body = byId("agent-body", HTMLElement);
  #problem = byId("agent-problem", HTMLElement);
  #said = byId("agent-said", HTMLElement);
  /** @type {State | null} */
  #state = null;
  /** The id of the run that is shown; empty where the list is. */
  #chosen = loadSaved(KEY, "");
  /** What was said last of the run that is shown. */
  #told = "";
  #starting = false;

  /** @param {Actions} actions @param {Elsewhere} elsewhere */
  constructor(actions, elsewhere) {
    this.actions = actions;
    this.elsewhere = elsewhere;
    // What stood there while this was loading.
    this.#body.replaceChildren();
    this.view = new RunView({
      actions,
      act: (doing) => this.#act(doing),
      back: () => this.#choose(""),
      show: (id) => this.#choose(id),
      draw: () => this.#draw(),
    });
  }

  /** @param {State} state */
  render(state) {
    this.#state = state;
    this.#draw();
    this.#tell();
  }

  /** @param {string} id */
  show(id) {
    this.#choose(id);
  }

  /** @param {string} id */
  #choose(id) {
    this.#chosen = id;
    this.#told = "";
    save(KEY, id);
    showProblem(this.#problem, null);
    this.#draw();
    const target = id === "" ? "#agent-task" : "#agent-run-title";
    const element = this.#body.querySelector(target);
    if (element instanceof HTMLElement) element.focus();
  }

  get #run() {
    return this.#state?.runs.find(({ id }) => id === this.#chosen) ?? null;
  }

  #draw() {
    if (this.#state === null) return;
    const run = this.#run;
    const ready = this.#state.kernel === "ready";
    const had = this.#body.contains(document.activeElement);
    const bottom = this.#body.scrollHeight - this.#body.scrollTop - this.#body.clientHeight < 40;
    const shown = run ? this.view.view(run, this.#state.runs, ready) : this.#list(ready);
    render(html`${loadingView(this.#state.models)}${shown}`, this.#body);
    if (run && bottom && isFollowed(run)) this.#body.scrollTop = this.#body.scrollHeight;
    // Where what had the keyboard is gone, the panel keeps it.
    if (had && !this.#body.contains(document.activeElement)) {
      const title = this.#body.querySelector("#agent-run-title");
      if (title instanceof HTMLElement) title.focus();
    }
  }

  /** Says how the run that is shown is now: its status and its questions, not every word of it. */
  #tell() {
    const run = this.#run;
    if (run === null) return;
    const told = run.question !== null ? `The agent asks: ${run.question}` : `The run is ${statusWords(run)}.`;
    if (told === this.#told) return;
    if (this.#told !== "" || run.question !== null) this.#said.textContent = told;
    this.#told = told;
  }

  /** @param {boolean} ready */
  #list(ready) {
    const runs = this.#state?.runs ?? [];
    const hasModel = Boolean(this.#state?.models.chosen);
    return html`<div class="agent-list">
      ${hasModel ? nothing : this.#withoutModel(ready)}
      ${this.#form(ready)}
      <h3 id="agent-runs">Runs</h3>
      ${runs.length === 0 ? html`<p class="empty">No agent has worked here yet. Give one a task above, or see the demo.</p>`
        : html`<ul class="agent-runs" aria-labelledby="agent-runs">${repeat(runs.toReversed(), ({ id }) => id, (run) => this.#row(run))}</ul>`}
    </div>`;
  }

  /** @param {boolean} ready */
  #withoutModel(ready) {
    return html`<section class="agent-note" aria-label="No language model">
      <p>No language model is set up. ${this.#state?.models.why}</p>
      <p class="agent-buttons">
        <button type="button" id="agent-settings" @click=${() => this.elsewhere.settings()}>Open the settings</button>
        <button type="button" id="agent-demo" ?disabled=${!ready} @click=${() => void this.#start(() => this.actions.startDemo())}>
          See a demo</button></p>
      <p class="muted">In the demo a script plays the model; the tools that it calls are real.</p>
    </section>`;
  }

  /** @param {boolean} ready */
  #form(ready) {
    return html`<form class="agent-form" aria-label="New run" @submit=${(/** @type {SubmitEvent} */ event) => this.#onSubmit(event)}
        @keydown=${submitByKeys}>
      <label for="agent-task">Task</label>
      <textarea id="agent-task" name="task" rows="3" required data-focus-first placeholder="Describe the task"></textarea>
      <div class="agent-choices">
        <label>How <select name="strategy">${Object.entries(STRATEGIES).map(([value, label]) =>
          html`<option value=${value}>${label}</option>`)}</select></label>
        ${this.#models()}
        <label>Max steps <input name="steps" type="number" min="1" max="500" value=${STEPS}></label>
      </div>
      <details class="agent-more"><summary>Tools and limits</summary>
        <label>Tools or groups, separated by spaces <input name="tools" autocomplete="off" spellcheck="false" placeholder="all"></label>
        <div class="agent-choices">
          <label>Max tokens <input name="tokens" type="number" min="1"></label>
          <label>Max cost in dollars <input name="cost" type="number" min="0" step="any"></label>
          <label>Max minutes <input name="minutes" type="number" min="0" step="any"></label>
        </div>
      </details>
      <button type="submit" class="primary" ?disabled=${!ready || this.#starting}>Start</button>
      ${this.#allowance()}
    </form>`;
  }

  /** What a press on Start allows, unless another model is chosen. */
  #allowance() {
    const told = allowance(this.#state?.models, AGENT);
    return told === null ? nothing : html`<p class="muted" id="agent-allowance">Start allows ${told}</p>`;
  }

  /** A choice, where there is one. */
  #models() {
    const { choices = [], default: usual } = this.#state?.models ?? {};
    if (choices.length < 2) return nothing;
    return html`<label>Model <select name="model"><option value="">the default</option>${choices.filter(({ id }) => id !== usual)
      .map(({ id, label, ready }) => html`<option value=${id}>${label}${ready ? "" : " (not ready)"}</option>`)}</select></label>`;
  }

  /** @param {SubmitEvent} event */
  #onSubmit(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const given = new FormData(form);
    const text = (/** @type {string} */ name) => String(given.get(name) ?? "").trim();
    const budget = Object.fromEntries(["steps", "tokens", "cost", "minutes"]
      .filter((name) => text(name) !== "").map((name) => [name, Number(text(name))]));
    const tools = text("tools").split(/[\s,]+/).filter(Boolean);
    void this.#start(async () => {
      const more = { budget, ...(tools.length > 0 && { tools }), ...(text("model") && { model: text("model") }) };
      const started = await this.actions.startRun({ task: text("task"), strategy: /** @type {Strategy} */ (text("strategy")), ...more });
      if (!isFailure(started)) form.reset();
      return started;
    });
  }

  /** @param {() => Promise<{run_id: string} | Failure>} starting */
  async #start(starting) {
    if (this.#starting) return;
    this.#starting = true;
    this.#draw();
    const started = await this.#act(starting);
    this.#starting = false;
    if (isFailure(started)) this.#draw();
    else this.#choose(started.run_id);
  }

  /**
   * Does something, and shows what went wrong.
   *
   * @template Value
   * @param {() => Promise<Value>} doing
   * @returns {Promise<Value>}
   */
  async #act(doing) {
    const answer = await doing();
    showProblem(this.#problem, isFailure(answer) ? answer.error : null);
    return answer;
  }

  /** @param {RunRow} run */
  #row(run) {
    const { id, task, demo, steps, seconds, cost } = run;
    const facts = [counted(steps, "step"), isOver(run) ? duration(seconds * 1000) : null, money(cost)].filter((fact) => fact !== null);
    return html`<li><button type="button" class="quiet agent-row" data-run=${id} data-status=${run.status} @click=${() => this.#choose(id)}>
      <span class="agent-row-task">${task}</span>
      <span class="agent-facts"><span class="chip agent-status" data-status=${run.status}>${statusWords(run)}</span>
        ${demo ? html`<span class="chip">demo</span>` : nothing} ${facts.join(" · ")}</span></button></li>`;
  }
}

/** Enter with Ctrl or Cmd sends what is typed in several lines. @param {KeyboardEvent} event */
function submitByKeys(event) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
  event.preventDefault();
  if (event.currentTarget instanceof HTMLFormElement) event.currentTarget.requestSubmit();
}

/** @param {Actions} actions @param {Elsewhere} elsewhere */
export function showRuns(actions, elsewhere) {
  return new RunsPanel(actions, elsewhere);
}
