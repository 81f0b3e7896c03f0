/** One run: its task, status, question, plan, steps, and controls. */

import { submitting, valueOf } from "../../lib/forms.ts";
import { html, nothing } from "lit";
import { guard } from "lit/directives/guard.js";
import { keyed } from "lit/directives/keyed.js";
import { ref } from "lit/directives/ref.js";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { ControlRunGiven, RunRow, RunStepRow, RunStepsResult, TabRow } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { toggleChanges } from "../changes/section.ts";
import type { State } from "../../state/types.ts";
import { download } from "../../lib/download.ts";
import { counted, duration, when } from "../../lib/format.ts";
import { mentionsIn } from "../mentions.ts";
import { markdown } from "./markdown.ts";
import { PlanView } from "./plan_view.ts";
import { followPage, ownTask } from "./demo_view.ts";
import { sentence } from "../call_view.ts";
import { Screenshots, stepView } from "./step_view.ts";
import { isOver, money, statusLabel } from "./labels.ts";

export interface RunCallbacks {
  actions: Actions;
  /** shows errors */
  act: <Value>(doing: () => Promise<Value>) => Promise<Value>;
  /** shows the list */
  back: () => void;
  show: (id: string) => void;
  /** shows a tab */
  showTab: (tab: string) => void;
  /** opens a file in the editor */
  showFile: (path: string) => unknown;
  draw: () => void;
  /** starts a run */
  start: (task: string) => unknown;
  /** connects a model, for a task */
  connect: (task: string) => unknown;
  /** how clients of other programs connect; null if there is no such command */
  otherClient: () => { title: string; run: () => unknown } | null;
}

const EXPORTS: ["markdown" | "json" | "html", string, string][] = [
  ["markdown", "Markdown", "Export as Markdown"],
  ["json", "JSON", "Export as JSON"],
  ["html", "Page", "Export as one page to share, with pictures and without scripts"],
];

export class RunView {
  /** The id of the run whose steps are loaded. */
  #id = "";
  #steps: RunStepRow[] = [];
  #read: RunStepsResult | null = null;
  #reading = false;
  /** The run's version that the steps were read for. */
  #readFor = "";
  /** True once it is known whether the run, which is over, has changed files. */
  #isListed = false;
  /** True if it has: they are shown, each with its way back. */
  #hasChanges = false;
  /** Steps that the user opened (true) or closed (false), by number. */
  #open = new Map<number, boolean>();
  callbacks: RunCallbacks;
  screenshots: Screenshots;
  plan: PlanView;
  mentions: (field: Element | undefined) => void;

  constructor(callbacks: RunCallbacks) {
    this.callbacks = callbacks;
    this.screenshots = new Screenshots(callbacks.actions, callbacks.draw);
    this.plan = new PlanView(callbacks);
    this.mentions = mentionsIn(callbacks.actions);
  }

  view(run: RunRow, { runs, tabs, models }: Pick<State, "runs" | "tabs" | "models">, ready: boolean) {
    if (run.id !== this.#id) this.#turnTo(run.id);
    const tab = tabs.findLast(({ owner }) => owner?.run === run.id);
    if (run.demo && tab && !isOver(run)) followPage(run.id, tab.id, this.callbacks.showTab);
    if (ready) void this.#readSteps(run);
    if (ready && isOver(run)) void this.#lookForChanges(run);
    const before = runs.find(({ id }) => id === run.continues);
    const step = (row: RunStepRow) => html`<li>${this.#step(row, isOver(run))}</li>`;
    return html`${keyed(
      run.id,
      html`<article class="agent-run" data-run=${run.id} data-status=${run.status} aria-labelledby="agent-run-title">
      <div class="agent-bar agent-buttons"><button type="button" class="quiet" id="agent-back" @click=${() => this.callbacks.back()}>← All runs</button>
        ${isOver(run) ? this.#links(tab, before) : this.#controls(run, ready)}</div>
      <h3 id="agent-run-title" tabindex="-1">${run.task}</h3>
      ${
        run.demo
          ? html`<p class="agent-note" id="agent-demo-label"><b>Demo.</b> A script plays the model. The tools, files and tabs
        are real.</p>`
          : nothing
      }
      ${this.#facts(run)}
      ${run.status === "unfinished" ? html`<p class="agent-note">This run was interrupted when its page was closed. It can continue after its last step.</p>` : nothing}
      ${isOver(run) ? nothing : this.#links(tab, before)}
      ${
        run.taken_over
          ? html`<p class="agent-note">You have taken over: use terminals, files and tabs as you like. When you give
        back control, the agent looks at the page again and learns what you did.</p>`
          : nothing
      }
      ${
        run.away_since === null
          ? nothing
          : html`<p class="agent-note" id="agent-away">The model needs the companion, which has been away
        since ${when(new Date(run.away_since * 1000).toISOString())}. Start the companion, and the run continues automatically; or cancel it.</p>`
      }
      ${this.plan.view(run, run.plan ?? this.#read?.plan ?? null)}
      <h4 id="agent-steps-title">Steps</h4>
      <ol class="agent-steps" aria-labelledby="agent-steps-title">${repeatBy(this.#steps, "number", step)}</ol>
      ${this.#steps.length === 0 && !run.stream ? html`<p class="empty">No steps yet.</p>` : nothing}
      ${this.#stream(run)}
      ${this.#question(run, ready)}
      ${this.#outcome(run)}
      ${
        run.demo && isOver(run)
          ? ownTask({
              hasModel: Boolean(models.chosen),
              start: this.callbacks.start,
              connect: this.callbacks.connect,
              otherClient: this.callbacks.otherClient(),
            })
          : nothing
      }
      <details class="changes" id="agent-changes" ?open=${this.#hasChanges} @toggle=${({
        currentTarget,
      }: {
        currentTarget: HTMLDetailsElement;
      }) => void toggleChanges(currentTarget, this.callbacks.actions, run.id)}>
        <summary>File changes</summary><div class="changes-place"></div></details>
      ${isOver(run) ? this.#afterwards(run, ready) : nothing}
    </article>`,
    )}`;
  }

  /**
   * In the bar once there are no controls: before, it would move them.
   *
   * @param tab - the run's last one
   * @param before - the run that this one continues
   */
  #links(tab: TabRow | undefined, before: RunRow | undefined) {
    if (!tab && !before) return nothing;
    const { showTab, show } = this.callbacks;
    return html`<p class="agent-buttons">
      ${tab ? html`<button type="button" class="quiet" id="agent-tab" @click=${() => showTab(tab.id)}>Show the agent’s tab</button>` : nothing}
      ${before ? html`<button type="button" class="quiet" @click=${() => show(before.id)}>Previous run</button>` : nothing}</p>`;
  }

  #turnTo(id: string) {
    this.#id = id;
    this.#steps = [];
    this.#read = null;
    this.#readFor = "";
    this.#isListed = this.#hasChanges = false;
    this.#open.clear();
    this.plan.stopEditing();
  }

  async #lookForChanges(run: RunRow) {
    if (this.#isListed) return;
    this.#isListed = true;
    const found = await this.callbacks.actions.listChanges({ checkpoint: run.id });
    // A run that changed nothing has no checkpoint.
    if (run.id !== this.#id || isFailure(found) || found.length === 0) return;
    this.#hasChanges = true;
    this.callbacks.draw();
  }

  /** Read the steps that are new. */
  async #readSteps(run: RunRow) {
    const wanted = `${run.steps} ${run.status}`;
    if (this.#reading || this.#readFor === wanted) return;
    this.#reading = true;
    const read = await this.callbacks.actions.runSteps({ run_id: run.id, after: this.#steps.length });
    this.#reading = false;
    if (run.id !== this.#id) return this.callbacks.draw();
    this.#readFor = wanted;
    if (!isFailure(read)) {
      this.#read = read;
      this.#steps = [...this.#steps, ...read.steps];
    }
    this.callbacks.draw();
  }

  #facts(run: RunRow) {
    const { strategy, model, steps, tokens, cost, seconds, stream } = run;
    const facts = [
      strategy === "plan" ? "plan first" : "step by step",
      model,
      counted(steps, "step"),
      counted(tokens + (stream?.tokens ?? 0), "token"),
      money(cost),
      seconds > 0 ? duration(seconds * 1000) : null,
    ];
    return html`<p class="agent-facts"><span class="chip agent-status" id="agent-status" data-status=${run.status}>${statusLabel(run)}</span>
      ${facts.filter((fact) => fact).join(" · ")}</p>`;
  }

  /** Keep the same buttons for all states of an active run, so that the focus stays. */
  #controls(run: RunRow, ready: boolean) {
    if (run.status === "unfinished") return this.#interrupted(run, ready);
    const act = (action: ControlRunGiven["action"]) =>
      void this.callbacks.act(() => this.callbacks.actions.controlRun({ run_id: run.id, action }));
    const { taken_over: taken, status, busy } = run;
    const held = run.held && !taken;
    const canStep = held && status === "paused" && !busy;
    // In the demo, the first press stops it at the next step.
    const step = () => act(canStep ? "step" : "pause");
    return html`<div class="agent-buttons" role="group" aria-label="Run controls">
      ${button("agent-pause", held ? (run.demo ? "Play" : "Resume") : "Pause", ready && !taken, () => act(held ? "resume" : "pause"))}
      ${button("agent-step", "Step", ready && (canStep || (run.demo && !held)), step)}
      ${button("agent-take", taken ? "Give back control" : "Take over", ready, () => act(taken ? "give_back" : "take_over"))}
      ${button("agent-cancel", "Cancel", ready, () => act("cancel"))}</div>`;
  }

  /** The controls of an interrupted run, in view wherever its steps were scrolled to. */
  #interrupted(run: RunRow, ready: boolean) {
    const { act, actions } = this.callbacks;
    return html`<div class="agent-buttons" role="group" aria-label="Run controls">
      <button type="button" class="primary" id="agent-go-on" ?disabled=${!ready}
        @click=${() => void act(() => actions.goOn({ run_id: run.id }))}>Continue</button>
      <button type="button" id="agent-cancel" ?disabled=${!ready}
        @click=${() => void act(() => actions.controlRun({ run_id: run.id, action: "cancel" }))}>Discard run</button></div>`;
  }

  /** @param over - whether the run has ended */
  #step(step: RunStepRow, over: boolean) {
    const { number } = step;
    // The last step of an ended run repeats its result.
    const open = this.#open.get(number) ?? (!over && number === this.#steps.at(-1)?.number);
    const isAnswer = step.calls.length === 0 && step.text !== "" && step.text === this.#read?.result;
    const [before, after] = open ? [this.screenshots.get(step.before), this.screenshots.get(step.after)] : [null, null];
    const toggle = (now: boolean) => {
      if (now === open) return;
      this.#open.set(number, now);
      this.callbacks.draw();
    };
    const showTerminal = (id: string) =>
      this.callbacks.act(() => this.callbacks.actions.focusTerminal({ terminal_id: id }));
    return guard([step, open, before, after, isAnswer], () =>
      stepView(step, open, { before, after, isAnswer }, { toggle, showTerminal }),
    );
  }

  #stream({ stream, question }: RunRow) {
    if (!stream) return nothing;
    const { thought, text, retry } = stream;
    // The question stands in its form, so not in the call that asks it.
    const doing = question === null ? stream.doing : null;
    if (thought === "" && text === "" && doing === null && retry === "") return nothing;
    return html`<section class="agent-stream" aria-label="Model output">
      ${retry === "" ? nothing : html`<p class="muted" id="agent-retry">${retry}</p>`}
      ${thought === "" ? nothing : html`<p class="agent-thought">${thought}</p>`}
      ${text === "" ? nothing : html`<p class="agent-text">${text}</p>`}
      ${doing === null ? nothing : html`<p class="agent-doing">${sentence(doing)}…</p>`}</section>`;
  }

  #question(run: RunRow, ready: boolean) {
    if (run.question === null) return nothing;
    // The demo would answer soon.
    const wait = () =>
      run.demo && !run.held
        ? void this.callbacks.act(() => this.callbacks.actions.controlRun({ run_id: run.id, action: "pause" }))
        : undefined;
    return html`<form class="agent-question" aria-label="The agent asks" @input=${wait}
      @submit=${withText((text) => this.#answer(run, text))}>
      <label for="agent-answer">${run.question}</label>
      <div class="agent-line"><input id="agent-answer" name="text" autocomplete="off" required ${ref(this.mentions)}>
        <button type="submit" class="primary" ?disabled=${!ready}>Answer</button></div>
    </form>`;
  }

  async #answer(run: RunRow, text: string) {
    const { act, actions } = this.callbacks;
    const answered = await act(() => actions.answerRun({ run_id: run.id, text }));
    // It was held while the user wrote.
    if (run.demo && !isFailure(answered)) await act(() => actions.controlRun({ run_id: run.id, action: "resume" }));
  }

  #outcome(run: RunRow) {
    if (!isOver(run)) return nothing;
    const result = this.#read?.result ?? run.result;
    return html`<section class="agent-outcome" data-status=${run.status} aria-label="Outcome">
      ${run.reason ? html`<p><b>${statusLabel(run)}:</b> ${run.reason}</p>` : nothing}
      ${result ? html`<div id="agent-result">${markdown(result)}</div>` : nothing}</section>`;
  }

  #retry(run: RunRow, ready: boolean) {
    if (run.status === "done" || run.demo || run.team !== null) return nothing;
    const retry = async () => {
      const started = await this.callbacks.act(() => this.callbacks.actions.retryRun({ run_id: run.id }));
      if (!isFailure(started)) this.callbacks.show(started.run_id);
    };
    return html`<p class="agent-buttons"><button type="button" id="agent-retry-run" data-action="retry_run"
      title="Start the same task again" ?disabled=${!ready} @click=${() => void retry()}>Retry</button></p>`;
  }

  #afterwards(run: RunRow, ready: boolean) {
    const followUp = async (task: string) => {
      const started = await this.callbacks.act(() => this.callbacks.actions.followUp({ run_id: run.id, task }));
      if (!isFailure(started)) this.callbacks.show(started.run_id);
    };
    const forget = async () => {
      const done = await this.callbacks.act(() => this.callbacks.actions.forgetRun({ run_id: run.id }));
      if (!isFailure(done)) this.callbacks.back();
    };
    const save = async (format: "markdown" | "json" | "html") => {
      const answer = await this.callbacks.act(() => this.callbacks.actions.exportRun({ run_id: run.id, format }));
      if (!isFailure(answer)) download(answer.blob, answer.name);
    };
    return html`${this.#retry(run, ready)}
    ${run.demo ? nothing : this.#followUp(followUp, ready)}
    ${run.steps > 0 ? this.#saving(run, ready) : nothing}
    <p class="agent-buttons" role="group" aria-label="Export"><span class="muted">Export as</span>${EXPORTS.map(
      ([format, label, title]) => html`<button type="button" class="quiet"
      data-action="export_run" data-format=${format} title=${title} ?disabled=${!ready} @click=${() => void save(format)}>${label}</button>`,
    )}</p>
    <p class="agent-buttons"><button type="button" class="quiet" id="agent-forget" ?disabled=${!ready} @click=${() => void forget()}>
      Delete this run</button></p>`;
  }

  #followUp(followUp: (task: string) => unknown, ready: boolean) {
    return html`<form class="agent-follow" aria-label="Follow up" @submit=${withText(followUp)}>
      <label for="agent-follow">Follow-up task</label>
      <div class="agent-line"><input id="agent-follow" name="text" autocomplete="off" required placeholder="What to do next" ${ref(this.mentions)}>
        <button type="submit" ?disabled=${!ready}>Follow up</button></div>
    </form>`;
  }

  #saving(run: RunRow, ready: boolean) {
    const saveAs = async (name: string) => {
      const saved = await this.callbacks.act(() => this.callbacks.actions.saveAutomation({ run_id: run.id, name }));
      if (!isFailure(saved)) this.callbacks.showFile(saved.path);
    };
    return html`<form class="agent-save" aria-label="Save as automation" @submit=${withText(saveAs)}>
      <label for="agent-save">Save this run as an automation, which repeats it without a model</label>
      <div class="agent-line"><input id="agent-save" name="text" autocomplete="off" required placeholder="Name, such as order-tea">
        <button type="submit" data-action="save_automation" ?disabled=${!ready}>Save</button></div>
    </form>`;
  }
}

/** Return a listener of `submit` that acts with the form's text, if there is one. */
function withText(act: (text: string) => unknown) {
  return submitting((form) => {
    const text = valueOf(form, "text").trim();
    if (text !== "") act(text);
  });
}

/** Return a button that keeps the focus while it is disabled. */
function button(id: string, label: string, usable: boolean, act: () => void) {
  return html`<button type="button" id=${id} aria-disabled=${usable ? "false" : "true"} @click=${() => usable && act()}>${label}</button>`;
}
