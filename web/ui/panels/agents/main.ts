/** The Agent panel: the list of runs with a form to start one, or one run. A separate bundle. */

import { html, nothing, render } from "lit";
import { ref } from "lit/directives/ref.js";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { RunRow } from "../../../generated/types.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { toggleChanges } from "../changes/section.ts";
import { byId, focusIn, showProblem } from "../../lib/elements.ts";
import { submitting, valueOf } from "../../lib/forms.ts";
import { counted, duration } from "../../lib/format.ts";
import { loadSaved, save } from "../../../shared/local_state.ts";
import type { Actions, Strategy } from "../../state/actions.ts";
import { mentionsIn } from "../mentions.ts";
import { loadingView } from "../models/loading.ts";
import { AGENT, allowance } from "../../state/model_tickets.ts";
import type { Failure, State } from "../../state/types.ts";
import { startDemo } from "./demo_view.ts";
import { FollowUpChoice } from "./follow_up_choice.ts";
import { FollowingScroll } from "./following_scroll.ts";
import { RunView } from "./run_view.ts";
import { isOver, money, statusLabel } from "./labels.ts";

const KEY = "agents.run";
const STRATEGIES: Record<string, string> = { react: "Step by step", plan: "Plan first", code: "Write code" };
// The agent of a run without a file.
const PLAIN = "agent";
const STEPS = 30;

/** `connectModel` opens the dialog that connects a model */
interface Callbacks {
  connectModel: (then: () => unknown) => unknown;
  tab: (tab: string) => void;
  file: (path: string) => unknown;
  otherClient: () => { title: string; run: () => unknown } | null;
}

export class RunsPanel {
  #body = byId("agent-body", HTMLElement);
  #problem = byId("agent-problem", HTMLElement);
  #announcer = byId("agent-announcement", HTMLElement);
  #state: State | null = null;
  /** The id of the run shown; empty for the list. */
  #shown = loadSaved(KEY, "");
  /** The last announcement about the run shown. */
  #announced = "";
  #starting = false;
  actions: Actions;
  callbacks: Callbacks;
  mentions: (field: Element | undefined) => void;
  choice: FollowUpChoice;
  scroll: FollowingScroll;
  view: RunView;

  constructor(actions: Actions, callbacks: Callbacks) {
    this.actions = actions;
    this.callbacks = callbacks;
    this.mentions = mentionsIn(actions);
    this.choice = new FollowUpChoice(
      actions,
      () => this.#state?.models,
      () => this.#draw(),
    );
    this.scroll = new FollowingScroll(this.#body);
    // Remove the loading note.
    this.#body.replaceChildren();
    this.view = new RunView({
      actions,
      act: (doing) => this.#act(doing),
      back: () => this.#choose(""),
      show: (id) => this.#choose(id),
      showTab: callbacks.tab,
      showFile: callbacks.file,
      draw: () => this.#draw(),
      start: (task) => void this.#start(() => this.actions.startRun({ task })),
      connect: (task) => callbacks.connectModel(() => this.compose(task)),
      otherClient: callbacks.otherClient,
    });
  }

  render(state: State) {
    this.#state = state;
    this.#draw();
    this.#announce();
  }

  show(id: string) {
    this.#choose(id);
  }

  /** Show the file changes of the run in front, or else of the newest, and focus the first that can be reverted. */
  async showChanges() {
    if (this.#run === null) this.#choose(this.#state?.runs.at(-1)?.id ?? "");
    const section = this.#body.querySelector("#agent-changes");
    if (!(section instanceof HTMLDetailsElement)) return;
    section.open = true;
    await toggleChanges(section, this.actions, this.#shown);
    const target = section.querySelector(".changes-file > button:enabled") ?? section.querySelector("summary");
    if (target instanceof HTMLElement) target.focus();
  }

  /** Put a task into the form of a new run. */
  compose(task: string) {
    this.#choose("");
    const field = this.#body.querySelector("#agent-task");
    if (!(field instanceof HTMLTextAreaElement)) return;
    field.value = task;
    field.focus();
    this.choice.update(task);
  }

  #choose(id: string) {
    this.#shown = id;
    this.#announced = "";
    save(KEY, id);
    showProblem(this.#problem, null);
    this.#draw();
    focusIn(this.#body, id === "" ? "#agent-task" : "#agent-run-title");
  }

  get #run() {
    return this.#state?.runs.find(({ id }) => id === this.#shown) ?? null;
  }

  #draw() {
    if (this.#state === null) return;
    const run = this.#run;
    const ready = this.#state.kernel === "ready";
    const had = this.#body.contains(document.activeElement);
    const shown = run ? this.view.view(run, this.#state, ready) : this.#list(ready);
    render(html`${loadingView(this.#state.models)}${shown}`, this.#body);
    this.scroll.follow(run);
    // If the focused element was removed, keep the focus in the panel.
    if (had && !this.#body.contains(document.activeElement)) focusIn(this.#body, "#agent-run-title");
  }

  /** Announce the run's status and questions to screen readers, but not every word of it. */
  #announce() {
    const run = this.#run;
    if (run === null) return;
    const text = run.question !== null ? `The agent asks: ${run.question}` : `Run: ${statusLabel(run)}.`;
    if (text === this.#announced) return;
    if (this.#announced !== "" || run.question !== null) this.#announcer.textContent = text;
    this.#announced = text;
  }

  #list(ready: boolean) {
    const runs = this.#state?.runs ?? [];
    const hasModel = Boolean(this.#state?.models.chosen);
    return html`<div class="agent-list">
      ${hasModel ? nothing : this.#withoutModel(ready)}
      ${this.#form(ready)}
      <h3 id="agent-runs">Runs</h3>
      ${
        runs.length === 0
          ? html`<p class="empty">No runs yet. Describe a task above, or see the demo.</p>`
          : html`<ul class="agent-runs"
              aria-labelledby="agent-runs">${repeatBy(runs.toReversed(), "id", (run) => this.#row(run))}</ul>`
      }
    </div>`;
  }

  #withoutModel(ready: boolean) {
    return html`<section class="agent-note" aria-label="No language model">
      <p>No language model is connected. ${this.#state?.models.why}</p>
      <p class="agent-buttons">
        <button type="button" class="primary" id="agent-connect" @click=${() => this.callbacks.connectModel(() => this.#choose(""))}>Connect a model</button>
        <button type="button" id="agent-demo" data-action="start_demo" ?disabled=${!ready} @click=${() => void this.#start(() => startDemo(this.actions))}>
          Watch the demo</button></p>
      <p class="muted">In the demo a script plays the model. The tools that it calls are real.</p>
    </section>`;
  }

  #form(ready: boolean) {
    return html`<form class="agent-form" aria-label="New run" @submit=${submitting((form) => this.#submit(form))}
        @keydown=${submitByKeys} @input=${() => this.#draw()}>
      <label for="agent-task">Task</label>
      <textarea id="agent-task" name="task" rows="3" required data-focus-first placeholder="Describe the task. @ mentions agents, files and tabs"
        @input=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => this.choice.update(currentTarget.value)}
        ${ref(this.mentions)}></textarea>
      ${this.choice.view(this.#isLimited())}
      <div class="agent-choices">
        <label>Strategy <select name="strategy">${Object.entries(STRATEGIES).map(
          ([value, label]) => html`<option value=${value}>${label}</option>`,
        )}</select></label>
        ${this.#models()}
        <label>Max steps <input name="steps" type="number" min="1" max="500" value=${STEPS}></label>
      </div>
      <details class="agent-more"><summary>Tools and limits</summary>
        <label>Tools or groups, separated by spaces <input name="tools" autocomplete="off" spellcheck="false" placeholder="All"></label>
        <div class="agent-choices">
          <label>Max tokens <input name="tokens" type="number" min="1"></label>
          <label>Max cost in dollars <input name="cost" type="number" min="0" step="any"></label>
          <label>Max minutes <input name="minutes" type="number" min="0" step="any"></label>
        </div>
      </details>
      <button type="submit" class="primary" data-action="start_run" ?disabled=${!ready || this.#starting}>Start</button>
      ${this.#allowance()}
    </form>`;
  }

  /** Return whether the user has chosen a model, tools or limits in the form. */
  #isLimited() {
    const form = this.#body.querySelector(".agent-form");
    if (!(form instanceof HTMLFormElement)) return false;
    const given = new FormData(form);
    return (
      ["tools", "model", "tokens", "cost", "minutes"].some((name) => String(given.get(name) ?? "").trim() !== "") ||
      Number(given.get("steps")) !== STEPS ||
      given.get("strategy") !== "react"
    );
  }

  /** Describe the limits that Start allows for the default model. */
  #allowance() {
    const limits = allowance(this.#state?.models, AGENT);
    return limits === null ? nothing : html`<p class="muted" id="agent-allowance">Starting may cost ${limits}</p>`;
  }

  /** Return a model menu if there are several models. */
  #models() {
    const { choices = [], default: defaultId } = this.#state?.models ?? {};
    if (choices.length < 2) return nothing;
    return html`<label>Model <select name="model"><option value="">Default</option>${choices
      .filter(({ id }) => id !== defaultId)
      .map(
        ({ id, label, ready }) => html`<option value=${id}>${label}${ready ? "" : " (not ready)"}</option>`,
      )}</select></label>`;
  }

  #submit(form: HTMLFormElement) {
    const text = (name: string) => valueOf(form, name).trim();
    const budget = Object.fromEntries(
      ["steps", "tokens", "cost", "minutes"]
        .filter((name) => text(name) !== "")
        .map((name) => [name, Number(text(name))]),
    );
    const tools = text("tools")
      .split(/[\s,]+/)
      .filter(Boolean);
    const run = this.#isLimited() ? null : this.choice.run;
    void this.#start(async () => {
      if (run !== null) return this.#sent(form, await this.actions.followUp({ run_id: run, task: text("task") }));
      const more = { budget, ...(tools.length > 0 && { tools }), ...(text("model") && { model: text("model") }) };
      return this.#sent(
        form,
        // The form offers only strategies.
        await this.actions.startRun({ task: text("task"), strategy: text("strategy") as Strategy, ...more }),
      );
    });
  }

  /** Empty the form once its task was taken. */
  #sent(form: HTMLFormElement, started: { run_id: string } | Failure) {
    if (!isFailure(started)) {
      form.reset();
      this.choice.update("");
    }
    return started;
  }

  async #start(starting: () => Promise<{ run_id: string } | Failure>) {
    if (this.#starting) return;
    this.#starting = true;
    this.#draw();
    const started = await this.#act(starting);
    this.#starting = false;
    if (isFailure(started)) this.#draw();
    else this.#choose(started.run_id);
  }

  /** Run an action and show its error. */
  async #act<Value>(doing: () => Promise<Value>): Promise<Value> {
    const answer = await doing();
    showProblem(this.#problem, isFailure(answer) ? answer.error : null);
    return answer;
  }

  #row(run: RunRow) {
    const { id, agent, task, demo, steps, seconds, cost } = run;
    const facts = [
      agent === PLAIN ? null : agent,
      counted(steps, "step"),
      isOver(run) ? duration(seconds * 1000) : null,
      money(cost),
    ].filter((fact) => fact !== null);
    return html`<li><button type="button" class="quiet agent-row" data-run=${id} data-status=${run.status} @click=${() => this.#choose(id)}>
      <span class="agent-row-task">${task}</span>
      <span class="agent-facts"><span class="chip agent-status" data-status=${run.status}>${statusLabel(run)}</span>
        ${demo ? html`<span class="chip">demo</span>` : nothing} ${facts.join(" · ")}</span></button></li>`;
  }
}

/** Submit the form on Ctrl+Enter or Cmd+Enter. */
function submitByKeys(event: KeyboardEvent) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
  event.preventDefault();
  if (event.currentTarget instanceof HTMLFormElement) event.currentTarget.requestSubmit();
}

export function showRuns(actions: Actions, callbacks: Callbacks) {
  return new RunsPanel(actions, callbacks);
}
