/** The Screen panel: a run's view next to its actions, live; and the user's shared screen. A separate bundle. */

import { html, nothing, render } from "lit";
import type { RunCallRow, RunRow, RunStepRow } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { byId, showProblem } from "../../lib/elements.ts";
import { duration, when } from "../../lib/format.ts";
import { isOver, statusLabel } from "../agents/labels.ts";
import { Screenshots } from "../agents/step_view.ts";
import type { State } from "../../state/types.ts";
import { sharing, watchSharing } from "./owner.ts";

export { ask } from "./owner.ts";

const MOST_RUNS = 20;
const MOST_STEPS = 12;
const BRIEF = 160;

export class ScreenPanel {
  #body = byId("screen-body", HTMLElement);
  #problem = byId("screen-problem", HTMLElement);
  #runs: RunRow[] = [];
  #ready = false;
  /** The id of the run that the user has chosen; empty for the newest. */
  #chosen = "";
  /** The run whose steps are loaded. */
  #of = "";
  #steps: RunStepRow[] = [];
  /** The state of the run that the steps were read for. */
  #readFor = "";
  #reading = false;
  actions: Actions;
  showRun: (id: string) => unknown;
  pictures: Screenshots;

  constructor(actions: Actions, showRun: (id: string) => unknown) {
    this.actions = actions;
    this.showRun = showRun;
    this.pictures = new Screenshots(actions, () => this.#draw());
    // Remove the loading note.
    this.#body.replaceChildren();
    watchSharing(() => this.#draw());
  }

  render({ runs, kernel }: State) {
    this.#runs = runs;
    this.#ready = kernel === "ready";
    this.#draw();
  }

  /** The run to show: the chosen one, or else the newest that still works, or else the newest. */
  get #run() {
    return (
      this.#runs.find(({ id }) => id === this.#chosen) ??
      this.#runs.findLast((run) => !isOver(run)) ??
      this.#runs.at(-1) ??
      null
    );
  }

  #draw() {
    const run = this.#run;
    if (run && this.#ready) void this.#read(run);
    render(
      html`${this.#shared()}
      ${
        run === null
          ? html`${this.#live()}<p class="empty">No runs yet. Start one in the Agent panel, and see here what the agent sees and does.</p>`
          : html`${this.#choice(run)}<div class="screen-columns">${this.#sees(run)}${this.#does(run)}</div>`
      }`,
      this.#body,
    );
  }

  #shared() {
    const shared = sharing();
    if (shared === null) return nothing;
    return html`<p class="screen-shared" role="status">You share ${shared.state.surface === "browser" ? "a tab" : shared.state.surface === "window" ? "a window" : "a screen"}
      with agents. <button type="button" id="screen-stop" @click=${() => shared.stop()}>Stop sharing</button></p>`;
  }

  /** Draw the shared screen, live, in a separate element: the owner's must continue when this one is removed. */
  #live() {
    const shared = sharing();
    if (shared === null) return nothing;
    const { count, at } = shared.taken;
    return html`<figure><video id="screen-live" aria-label="What you share" autoplay playsinline .muted=${true} .srcObject=${shared.stream}></video>
      <figcaption class="muted">What you share, live. ${
        count === 0
          ? "Agents have taken no picture of it so far."
          : `Agents have taken ${count === 1 ? "one picture" : `${count} pictures`} of it, ${count === 1 ? "" : "the last "}${when(at)}.`
      }</figcaption></figure>`;
  }

  #choice(shown: RunRow) {
    return html`<div class="screen-choice"><label>Run <select id="screen-run" @change=${({
      currentTarget,
    }: {
      currentTarget: HTMLSelectElement;
    }) => {
      this.#chosen = currentTarget.value;
      this.#draw();
    }}>${this.#runs
      .slice(-MOST_RUNS)
      .reverse()
      .map(
        (run) => html`<option value=${run.id} ?selected=${run.id === shown.id}>
      ${run.agent}: ${brief(run.task, 60)} (${statusLabel(run)})</option>`,
      )}</select></label>
      <button type="button" class="quiet" @click=${() => this.showRun(shown.id)}>Show the run</button></div>`;
  }

  #sees(run: RunRow) {
    const steps = this.#of === run.id ? this.#steps : [];
    const pictured = steps.findLast(({ before, after }) => (after ?? before) !== null);
    const picture = pictured ? this.pictures.get(pictured.after ?? pictured.before) : null;
    const seen = steps.findLast((step) => step.seen !== "");
    return html`<section aria-labelledby="screen-sees"><h3 id="screen-sees">What it sees</h3>
      ${this.#live()}
      ${picture ? html`<figure><img src=${picture} alt=${`The page at step ${pictured?.number}`}><figcaption class="muted">Step ${pictured?.number}</figcaption></figure>` : nothing}
      ${
        seen
          ? html`<details ?open=${!picture}><summary>Snapshot before step ${seen.number}</summary>
        <pre tabindex="0" aria-label="Snapshot">${seen.seen}</pre></details>`
          : nothing
      }
      ${picture || seen || sharing() !== null ? nothing : html`<p class="muted">It has looked at no page so far.</p>`}</section>`;
  }

  #does(run: RunRow) {
    const steps = this.#of === run.id ? this.#steps.slice(-MOST_STEPS) : [];
    const { stream, question } = run;
    return html`<section aria-labelledby="screen-does"><h3 id="screen-does">What it does</h3>
      <ol class="screen-steps" start=${steps[0]?.number ?? 1}>${steps.map(
        (step) =>
          html`<li>${
            step.calls.length === 0
              ? html`<span>${brief(step.text || step.thought, BRIEF)}</span>`
              : step.calls.map((call) => callLine(call))
          }</li>`,
      )}</ol>
      ${question === null ? nothing : html`<p class="agent-note">It asks: ${question}</p>`}
      ${isOver(run) || !stream || question !== null ? nothing : html`<p class="muted screen-now" aria-live="off">${brief(stream.calls || stream.text || stream.thought, BRIEF)}</p>`}
      ${isOver(run) ? html`<p><b>${statusLabel(run)}</b> ${run.reason ?? ""}</p>` : nothing}</section>`;
  }

  /** Read the steps that are new. */
  async #read(run: RunRow) {
    if (run.id !== this.#of) {
      this.#of = run.id;
      this.#steps = [];
      this.#readFor = "";
    }
    const wanted = `${run.steps} ${run.status}`;
    if (this.#reading || this.#readFor === wanted) return;
    this.#reading = true;
    const read = await this.actions.runSteps({ run_id: run.id, after: this.#steps.length });
    this.#reading = false;
    showProblem(this.#problem, isFailure(read) ? read.error : null);
    if (run.id === this.#of) {
      this.#readFor = wanted;
      if (!isFailure(read)) this.#steps = [...this.#steps, ...read.steps];
    }
    this.#draw();
  }
}

/** Return a text on one line, cut. */
function brief(text: string, most: number) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

function callLine({ tool, arguments: given, failed, refused, seconds }: RunCallRow) {
  return html`<div><code>${tool}</code> <span class="muted">${brief(given, BRIEF)}</span>
    <span class=${failed ? "agent-failed" : "muted"}>${refused ? "refused" : failed ? "failed" : duration(seconds * 1000)}</span></div>`;
}
