/**
 * The plan of a run: a list that ticks off. What waits can be changed, a line a step, while the run goes on.
 *
 * @import { PlanStep, RunRow } from "../types.js"
 * @import { RunWays } from "./run_view.js"
 */

import { html, nothing } from "lit";
import { isFailure } from "../call.js";
import { isOver } from "./words.js";

export class PlanView {
  /** What waited when the person began to edit; null where nobody edits. @type {PlanStep[] | null} */
  #before = null;

  /** @param {RunWays} ways */
  constructor(ways) {
    this.ways = ways;
  }

  /** Edits no longer. */
  leave() {
    this.#before = null;
  }

  /** @param {RunRow} run @param {PlanStep[] | null} plan */
  view(run, plan) {
    if (plan === null || (plan.length === 0 && isOver(run))) return nothing;
    const editable = plan.length > 0 && run.plan !== null && !isOver(run) && run.status !== "unfinished";
    return html`<section class="agent-plan" aria-labelledby="agent-plan-title">
      <h4 id="agent-plan-title">Plan</h4>
      ${plan.length === 0 ? html`<p class="empty">There is no plan yet.</p>` : html`<ol>${plan.map(row)}</ol>`}
      ${!editable ? nothing : this.#before === null ? this.#edit(plan) : this.#form(run, plan, this.#before)}</section>`;
  }

  /** @param {PlanStep[]} plan */
  #edit(plan) {
    return html`<p class="agent-buttons"><button type="button" id="agent-plan-edit" @click=${() => {
      this.#before = plan.filter(({ status }) => status === "waiting");
      this.ways.draw();
      document.getElementById("agent-plan-text")?.focus();
    }}>Edit remaining steps</button></p>`;
  }

  /** @param {RunRow} run @param {PlanStep[]} plan @param {PlanStep[]} before */
  #form(run, plan, before) {
    const stop = () => {
      this.#before = null;
      this.ways.draw();
      document.getElementById("agent-plan-edit")?.focus();
    };
    const save = async (/** @type {string} */ text) => {
      const answer = await this.ways.act(() => this.ways.actions.editPlan({ run_id: run.id, steps: changed(text, plan, before) }));
      if (!isFailure(answer)) stop();
    };
    return html`<form aria-label="Change the plan" @submit=${(/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      void save(String(new FormData(/** @type {HTMLFormElement} */ (event.currentTarget)).get("text") ?? ""));
    }} @keydown=${(/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      stop();
    }}>
      <label for="agent-plan-text">Remaining steps, one per line</label>
      <textarea id="agent-plan-text" name="text" rows="5" .defaultValue=${before.map(({ what }) => what).join("\n")}></textarea>
      <p class="agent-buttons"><button type="submit" class="primary">Save the plan</button>
        <button type="button" @click=${stop}>Cancel</button></p></form>`;
  }
}

/** @param {PlanStep} step */
function row({ what, status, why }) {
  return html`<li data-status=${status}><span class="visually-hidden">${status}: </span>${what}${why
    ? html` <span class="muted">(${why})</span>` : nothing}</li>`;
}

/**
 * The steps of a text. One that stays as it is keeps its tool and its checks; one that was taken meanwhile doesn't come again.
 *
 * @param {string} text
 * @param {PlanStep[]} plan as it is now
 * @param {PlanStep[]} before what waited when the text was first shown
 * @returns {Partial<PlanStep>[]}
 */
export function changed(text, plan, before) {
  const waiting = plan.filter(({ status }) => status === "waiting");
  const taken = new Set(before.map(({ what }) => what).filter((what) => !waiting.some((step) => step.what === what)));
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "" && !taken.has(line))
    .map((what) => waiting.find((step) => step.what === what) ?? { what });
}
