/** The plan of a run: a checklist. Its remaining steps can be edited, one per line, while the run continues. */

import { submitting, valueOf } from "../../lib/forms.ts";
import { html, nothing } from "lit";
import type { PlanStepRow, RunRow } from "../../../generated/types.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { isOver } from "./labels.ts";
import type { RunCallbacks } from "./run_view.ts";

export class PlanView {
  /** The waiting steps when editing started; null while not editing. */
  #before: PlanStepRow[] | null = null;
  callbacks: RunCallbacks;

  constructor(callbacks: RunCallbacks) {
    this.callbacks = callbacks;
  }

  /** Stop editing. */
  stopEditing() {
    this.#before = null;
  }

  view(run: RunRow, plan: PlanStepRow[] | null) {
    if (plan === null || (plan.length === 0 && isOver(run))) return nothing;
    const editable = plan.length > 0 && run.plan !== null && !isOver(run) && run.status !== "unfinished";
    return html`<section class="agent-plan" aria-labelledby="agent-plan-title">
      <h4 id="agent-plan-title">Plan</h4>
      ${plan.length === 0 ? html`<p class="empty">There is no plan yet.</p>` : html`<ol>${plan.map(row)}</ol>`}
      ${!editable ? nothing : this.#before === null ? this.#edit(plan) : this.#form(run, plan, this.#before)}</section>`;
  }

  #edit(plan: PlanStepRow[]) {
    return html`<p class="agent-buttons"><button type="button" id="agent-plan-edit" @click=${() => {
      this.#before = plan.filter(({ status }) => status === "waiting");
      this.callbacks.draw();
      document.getElementById("agent-plan-text")?.focus();
    }}>Edit remaining steps</button></p>`;
  }

  #form(run: RunRow, plan: PlanStepRow[], before: PlanStepRow[]) {
    const stop = () => {
      this.#before = null;
      this.callbacks.draw();
      document.getElementById("agent-plan-edit")?.focus();
    };
    const save = async (text: string) => {
      const answer = await this.callbacks.act(() =>
        this.callbacks.actions.editPlan({ run_id: run.id, steps: changed(text, plan, before) }),
      );
      if (!isFailure(answer)) stop();
    };
    return html`<form aria-label="Edit plan" @submit=${submitting((form) => save(valueOf(form, "text")))} @keydown=${(
      event: KeyboardEvent,
    ) => {
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

function row({ what, status, why }: PlanStepRow) {
  return html`<li data-status=${status}><span class="visually-hidden">${status}: </span>${what}${
    why ? html` <span class="muted">(${why})</span>` : nothing
  }</li>`;
}

/**
 * Return the steps of an edited text. Unchanged steps keep their tool and checks; steps started meanwhile are dropped.
 *
 * @param plan - as it is now
 * @param before - the waiting steps when editing started
 */
function changed(text: string, plan: PlanStepRow[], before: PlanStepRow[]): Partial<PlanStepRow>[] {
  const waiting = plan.filter(({ status }) => status === "waiting");
  const taken = new Set(before.map(({ what }) => what).filter((what) => !waiting.some((step) => step.what === what)));
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !taken.has(line))
    .map((what) => waiting.find((step) => step.what === what) ?? { what });
}
