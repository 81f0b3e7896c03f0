/**
 * The plan of a run: a checklist. Its remaining steps can be edited, one per line, while the run continues.
 *
 * @import { PlanStepRow, RunRow } from "../../generated/types.js"
 * @import { RunCallbacks } from "./run_view.js"
 */

import { html, nothing } from "lit";
import { isFailure } from "../call.js";
import { isOver } from "./labels.js";

export class PlanView {
  /** The waiting steps when editing started; null while not editing. @type {PlanStepRow[] | null} */
  #before = null;

  /** @param {RunCallbacks} callbacks */
  constructor(callbacks) {
    this.callbacks = callbacks;
  }

  /** Stop editing. */
  stopEditing() {
    this.#before = null;
  }

  /** @param {RunRow} run @param {PlanStepRow[] | null} plan */
  view(run, plan) {
    if (plan === null || (plan.length === 0 && isOver(run))) return nothing;
    const editable = plan.length > 0 && run.plan !== null && !isOver(run) && run.status !== "unfinished";
    return html`<section class="agent-plan" aria-labelledby="agent-plan-title">
      <h4 id="agent-plan-title">Plan</h4>
      ${plan.length === 0 ? html`<p class="empty">There is no plan yet.</p>` : html`<ol>${plan.map(row)}</ol>`}
      ${!editable ? nothing : this.#before === null ? this.#edit(plan) : this.#form(run, plan, this.#before)}</section>`;
  }

  /** @param {PlanStepRow[]} plan */
  #edit(plan) {
    return html`<p class="agent-buttons"><button type="button" id="agent-plan-edit" @click=${() => {
      this.#before = plan.filter(({ status }) => status === "waiting");
      this.callbacks.draw();
      document.getElementById("agent-plan-text")?.focus();
    }}>Edit remaining steps</button></p>`;
  }

  /** @param {RunRow} run @param {PlanStepRow[]} plan @param {PlanStepRow[]} before */
  #form(run, plan, before) {
    const stop = () => {
      this.#before = null;
      this.callbacks.draw();
      document.getElementById("agent-plan-edit")?.focus();
    };
    const save = async (/** @type {string} */ text) => {
      const answer = await this.callbacks.act(() => this.callbacks.actions.editPlan({ run_id: run.id, steps: changed(text, plan, before) }));
      if (!isFailure(answer)) stop();
    };
    return html`<form aria-label="Edit plan" @submit=${(/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      void save(String(new FormData(/** @type {HTMLFormElement} */ (event.currentTarget)).get("text") ?? ""));
    }} @keydown=${(/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      stop();
    }}>
      <label for="agent-plan-text">Remaining steps, one per line</label>
      <textarea id="agent-plan-text" name="text" rows="5" .defaultValue=${before.map(({ what }) => what).join("\n")}></textarea>
      <p class="agent-buttons"><button type="submit" class="primary">Save plan</button>
        <button type="button" @click=${stop}>Cancel</button></p></form>`;
  }
}

/** @param {PlanStepRow} step */
function row({ what, status, why }) {
  return html`<li data-status=${status}><span class="visually-hidden">${status}: </span>${what}${why
    ? html` <span class="muted">(${why})</span>` : nothing}</li>`;
}

/**
 * Return the steps of an edited text. Unchanged steps keep their tool and checks; steps started meanwhile are dropped.
 *
 * @param {string} text
 * @param {PlanStepRow[]} plan as it is now
 * @param {PlanStepRow[]} before the waiting steps when editing started
 * @returns {Partial<PlanStepRow>[]}
 */
function changed(text, plan, before) {
  const waiting = plan.filter(({ status }) => status === "waiting");
  const taken = new Set(before.map(({ what }) => what).filter((what) => !waiting.some((step) => step.what === what)));
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "" && !taken.has(line))
    .map((what) => waiting.find((step) => step.what === what) ?? { what });
}
