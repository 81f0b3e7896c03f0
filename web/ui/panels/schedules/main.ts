/** The Schedules panel: each schedule with its next time, its last result and what was missed. A separate bundle. */

import { html, nothing, render } from "lit";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { ListSchedulesResult } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { CompanionLink } from "../../companion/link.ts";
import { shown } from "../../consent/text.ts";
import { showProblem, focusIn } from "../../lib/elements.ts";
import { counted, firstLine, fullTime } from "../../lib/format.ts";
import { submitting, valueOf } from "../../lib/forms.ts";
import { ListPanel } from "../list_panel.ts";
import { isPressOf } from "../../lib/trusted.ts";
import type { State } from "../../state/types.ts";

type Schedule = ListSchedulesResult["schedules"][number];

type Slot = Schedule["slots"][number];

const STATUSES: Record<Slot["status"], string> = {
  running: "Running",
  done: "Done",
  dead: "Failed",
  cancelled: "Cancelled",
  skipped: "Skipped",
  missed: "Missed",
};
const RULES: [Schedule["catch_up"], string][] = [
  ["once", "Run the newest"],
  ["all", "Run all"],
  ["skip", "Run none"],
];
const PLAIN = "";

export class SchedulesPanel extends ListPanel<ListSchedulesResult> {
  returnTo = "li button, #schedule-when";
  /** The schedule whose form is open. */
  #edited: string | null = null;
  /** The companion's answer: whether it can wake this page, and may. */
  #waking: { possible: boolean; on: boolean } | null = null;
  actions: Actions;
  to: { run: (id: string) => unknown; link: CompanionLink };

  constructor(actions: Actions, to: { run: (id: string) => unknown; link: CompanionLink }) {
    super("schedules", { schedules: [], agents: [], zone: "" }, () => actions.listSchedules());
    this.actions = actions;
    this.to = to;
  }

  render(state: State) {
    if (state.companion.state !== "connected") this.#waking = null;
    else if (this.#waking === null) void this.#ask("clock/status", {});
    super.render(state);
  }

  draw() {
    const { schedules } = this.shown;
    const waiting = schedules.filter(({ approved }) => !approved);
    render(
      html`${schedules.length > 0 ? nothing : html`<p class="empty">Nothing is scheduled. Describe below what an agent should do, and when.</p>`}
      ${
        waiting.length === 0
          ? nothing
          : html`<section aria-labelledby="schedules-waiting-title">
        <h3 id="schedules-waiting-title">Waiting for you <span class="muted">${waiting.length}</span></h3>
        <p class="muted">Agents created these. None of them runs until you approve it.</p>
        <ul class="schedule-list">${repeatBy(waiting, "id", (row) => this.#schedule(row))}</ul></section>`
      }
      ${
        waiting.length === schedules.length
          ? nothing
          : html`<ul class="schedule-list" aria-label="Schedules">${repeatBy(
              schedules.filter(({ approved }) => approved),
              "id",
              (row) => this.#schedule(row),
            )}</ul>`
      }
      ${this.#form(null)}${this.#closed()}`,
      this.body,
    );
  }

  #schedule(row: Schedule) {
    if (this.#edited === row.id) return html`<li data-schedule=${row.id}>${this.#form(row)}</li>`;
    const about = firstLine(row.brief);
    const last = row.slots.find(({ status }) => status !== "missed" && status !== "skipped");
    return html`<li data-schedule=${row.id} data-approved=${row.approved}>
      <strong>${shown(about)}</strong>
      <p>${shown(row.when)}<span class="muted">, ${row.zone}, ${row.agent === null ? "no particular agent" : `by ${row.agent}`}</span></p>
      <p class="schedule-due">${nextTime(row)}</p>
      ${
        row.approved
          ? nothing
          : html`${row.brief.trim() === about ? nothing : html`<p class="schedule-brief">${shown(row.brief)}</p>`}
        <p class="muted">By ${row.source}. ${row.outside === null ? nothing : html`It may have text from outside: ${shown(row.outside)}. `}
          ${row.tools === null ? nothing : `Its runs have only these tools: ${row.tools.join(", ") || "none"}.`}</p>`
      }
      ${last === undefined ? nothing : this.#last(last)}
      ${row.missed.length === 0 ? nothing : this.#missed(row)}
      <div class="schedule-buttons">${this.#buttons(row, about)}</div></li>`;
  }

  #last({ slot, status, run_id: run, result, reason }: Slot) {
    const text = result ?? reason ?? "";
    return html`<p class="schedule-last"><span class="muted">${STATUSES[status]}, ${fullTime(slot)}${text === "" ? "" : ":"}</span> ${shown(text)}
      ${run === null ? nothing : html`<button type="button" class="quiet" data-does="Shows the run" @click=${() => this.to.run(run)}>Show run</button>`}</p>`;
  }

  #missed(row: Schedule) {
    const rule = RULES.find(([name]) => name === row.catch_up)?.[1].toLowerCase();
    return html`<div class="schedule-missed"><p>Missed, because nothing could run. The rule is: ${rule}${row.catch_up === "skip" ? "" : `, up to ${counted(row.oldest_days, "day")} old`}.</p>
      <ul>${row.missed.map(
        ({ slot }) => html`<li>${fullTime(slot)}
        <button type="button" data-action="run_schedule" aria-label=${`Run the slot of ${fullTime(slot)}`} ?disabled=${this.isBlocked}
          @click=${() => void this.act(() => this.actions.runSchedule({ schedule: row.id, slot }), "Started.")}>Run</button></li>`,
      )}</ul>
      <button type="button" class="quiet" data-action="skip_slots" aria-label=${`Skip all missed runs of: ${firstLine(row.brief)}`} ?disabled=${this.isBlocked}
        @click=${() => void this.act(() => this.actions.skipSlots({ schedule: row.id }), "Skipped.")}>Skip all</button></div>`;
  }

  #buttons({ id, approved, paused }: Schedule, about: string) {
    const button = (action: string, label: string, act: () => Promise<object | null>, success: string, style = "") =>
      html`<button type="button" class=${style} data-action=${action} aria-label=${`${label}: ${about}`} ?disabled=${this.isBlocked}
        @click=${() => void this.act(act, success)}>${label}</button>`;
    return html`${
      approved
        ? html`${button("run_schedule", "Run now", () => this.actions.runSchedule({ schedule: id }), "Started.")}
        ${
          paused
            ? button(
                "change_schedule",
                "Resume",
                () => this.actions.changeSchedule({ schedule: id, paused: false }),
                "Resumed.",
              )
            : button(
                "change_schedule",
                "Pause",
                () => this.actions.changeSchedule({ schedule: id, paused: true }),
                "Paused.",
              )
        }`
        : button(
            "approve_schedule",
            "Approve",
            () => this.actions.approveSchedule({ schedule: id }),
            "Approved.",
            "primary",
          )
    }
      <button type="button" class="quiet" data-does="Opens the form" aria-label=${`Edit: ${about}`} @click=${() => this.#edit(id)}>Edit</button>
      ${button("delete_schedule", "Delete", () => this.actions.deleteSchedule({ schedule: id }), "Deleted.", "quiet")}`;
  }

  /** The switch, or the note, for the time when the page is closed. */
  #closed() {
    if (!this.#waking?.possible) {
      return html`<p class="muted">Schedules run while this page is open, in any window. Missed runs are listed here.</p>`;
    }
    return html`<label class="schedule-waking"><input id="schedule-wake" type="checkbox" .checked=${this.#waking.on}
        @change=${(event: Event & { currentTarget: HTMLInputElement }) => {
          if (isPressOf(event)) void this.#ask("clock/allow", { on: event.currentTarget.checked });
        }}>
      While this page is closed, let the companion open it without a window when a schedule is due</label>
      <p class="muted">The companion must be running. What needs your permission waits in the Inbox.</p>`;
  }

  async #ask(method: string, params: object) {
    const answer = await this.to.link.ask<{ possible: boolean; on: boolean }>(method, params);
    if (isFailure(answer)) showProblem(this.problem, answer.error);
    else this.#waking = answer;
    this.redraw();
  }

  #edit(id: string | null) {
    this.#edited = id;
    this.redraw();
    focusIn(this.body, id === null ? "li button" : "li input[name=when]");
  }

  /** @param row - null for a new one */
  #form(row: Schedule | null) {
    const submit = submitting((form) => void this.#save(row, form));
    const agents = [...new Set([...this.shown.agents, ...(row?.agent ? [row.agent] : [])])];
    return html`<form class="schedule-form" aria-label=${row === null ? "Add a schedule" : "Change the schedule"} @submit=${submit}>
      <label>When <input id=${row === null ? "schedule-when" : nothing} name="when" required autocomplete="off" value=${row?.when ?? nothing}
        ?data-focus-first=${row === null} aria-describedby="schedule-hint"></label>
      ${row === null ? html`<p id="schedule-hint" class="muted">In words, such as “every weekday at 9” or “in 20 minutes”, or a cron expression.</p>` : nothing}
      <label>Task <textarea name="brief" rows="3" required .value=${row?.brief ?? ""}></textarea></label>
      <div class="schedule-options">
        <label>Agent <select name="agent"><option value=${PLAIN}>No particular agent</option>${agents.map(
          (agent) => html`<option ?selected=${agent === row?.agent}>${agent}</option>`,
        )}</select></label>
        <label>If it was missed <select name="catch_up">${RULES.map(
          ([rule, label]) => html`<option value=${rule} ?selected=${rule === row?.catch_up}>${label}</option>`,
        )}</select></label>
        <label>Skip runs missed by more than (days) <input name="oldest" type="number" min="0" max="366" step="any" required value=${row?.oldest_days ?? 7}></label>
        <label>Time zone <input name="zone" required value=${row?.zone ?? this.shown.zone} autocomplete="off"></label></div>
      <div class="schedule-buttons"><button type="submit" class="primary" data-action=${row === null ? "add_schedule" : "change_schedule"}
          ?disabled=${this.isBlocked}>${row === null ? "Add" : "Save"}</button>
        ${row === null ? nothing : html`<button type="button" class="quiet" data-does="Closes the form" @click=${() => this.#edit(null)}>Cancel</button>`}</div></form>`;
  }

  async #save(row: Schedule | null, form: HTMLFormElement) {
    const text = (name: string) => valueOf(form, name);
    const values = {
      when: text("when"),
      brief: text("brief"),
      zone: text("zone"),
      oldest_days: Number(text("oldest")),
      // The form offers no others.
      catch_up: text("catch_up") as Schedule["catch_up"],
    };
    const agent = text("agent");
    const done =
      row === null
        ? await this.act(() => this.actions.addSchedule({ ...values, ...(agent === PLAIN ? {} : { agent }) }), "Added.")
        : await this.act(
            () =>
              this.actions.changeSchedule({
                schedule: row.id,
                ...values,
                agent,
                ...(values.when === row.when && values.zone === row.zone ? { when: undefined, zone: undefined } : {}),
              }),
            "Changed.",
          );
    if (done === null || isFailure(done)) return;
    if (row === null) form.reset();
    else this.#edit(null);
  }
}

function nextTime({ approved, paused, due }: Schedule) {
  if (!approved) return "Waits for your approval.";
  if (paused) return "Paused.";
  return due === null ? "Not due again." : `Next: ${fullTime(due)}`;
}
