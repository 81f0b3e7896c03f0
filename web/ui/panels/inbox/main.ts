/**
 * The Inbox panel: all that waits for the user, with the answer in place. A separate bundle.
 *
 * Consent is answered only in the dialog of the power's owner, which this panel brings back.
 */

import { html, nothing, render } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { ListInboxResult } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { Consent, Question } from "../../consent/consent.ts";
import { listed } from "../../consent/keys.ts";
import { shown } from "../../consent/text.ts";
import { counted, firstLine, when } from "../../lib/format.ts";
import { submitting, valueOf } from "../../lib/forms.ts";
import { ListPanel } from "../list_panel.ts";
import type { Notifications } from "./notifications.ts";

type Asked = ListInboxResult["asked"][number];

const keyOf = ({ run_id: run, question }: Asked) => `${run} ${question}`;

export class InboxPanel extends ListPanel<ListInboxResult> {
  returnTo = "li button, li input, #inbox-notify";
  actions: Actions;
  to: { consent: Consent; notifications: Notifications; run: (id: string) => unknown; schedules: () => unknown };

  constructor(
    actions: Actions,
    to: { consent: Consent; notifications: Notifications; run: (id: string) => unknown; schedules: () => unknown },
  ) {
    super("inbox", { asked: [], away: [], cut_off: [], memories: [], schedules: [], missed: [] }, () =>
      actions.listInbox(),
    );
    this.actions = actions;
    this.to = to;
  }

  draw() {
    const { asked, away, cut_off: cutOff, memories, schedules, missed } = this.shown;
    const consent = this.to.consent.waiting;
    const own = asked.filter(({ leader }) => leader === null);
    const led = asked.filter(({ leader }) => leader !== null);
    const count =
      own.length + away.length + cutOff.length + memories.length + schedules.length + missed.length + consent.length;
    render(
      html`${
        count > 0
          ? nothing
          : html`<p class="empty">Nothing waits for you. Agents' questions, permissions, and what they
        want to remember or schedule appear here.</p>`
      }
      ${this.#section("permissions", "Permissions", [...consent.map((question) => this.#question(question)), ...cutOff.map((row) => this.#cutOff(row))], consent.length + cutOff.length)}
      ${this.#section(
        "questions",
        "Questions",
        repeat(own, keyOf, (row) => this.#asked(row)),
        own.length,
      )}
      ${this.#section(
        "away",
        "Waiting for the companion",
        repeatBy(away, "run_id", (row) => this.#away(row)),
        away.length,
      )}
      ${this.#section(
        "memories",
        "To remember",
        repeatBy(memories, "id", (row) => this.#memory(row)),
        memories.length,
      )}
      ${this.#section("schedules", "Schedules", [...schedules.map((row) => this.#schedule(row)), ...missed.map((row) => this.#missed(row))], schedules.length + missed.length)}
      ${this.#section(
        "led",
        "Questions to team leaders",
        repeat(led, keyOf, (row) => this.#led(row)),
        led.length,
      )}
      ${this.#notifications()}`,
      this.body,
    );
  }

  #section(name: string, title: string, items: unknown, count: number) {
    return count === 0
      ? nothing
      : html`<section aria-labelledby=${`inbox-${name}-title`} data-kind=${name}>
      <h3 id=${`inbox-${name}-title`}>${title} <span class="muted">${count}</span></h3><ul class="schedule-list">${items}</ul></section>`;
  }

  #question(question: Question) {
    return html`<li><p>${shown(listed(question))}</p><p class="muted">${shown(question.words.caller ?? question.words.for ?? "Python")}, since ${when(question.asked)}</p>
      <div class="schedule-buttons"><button type="button" class="primary" data-does="Shows the question" @click=${() => this.to.consent.bringBack(question)}>Answer</button>
        ${this.#runButton(question.words.run ?? null)}</div></li>`;
  }

  #cutOff({ run_id: run, text, at }: ListInboxResult["cut_off"][number]) {
    return html`<li data-run=${run}><p>${shown(text)}</p>
      <p class="muted">Since ${when(at)}. The page was closed before you answered. If you continue the run, it asks again.</p>
      <div class="schedule-buttons"><button type="button" class="primary" data-action="go_on" aria-label=${`Continue: ${text}`} ?disabled=${this.isBlocked}
          @click=${() => void this.act(() => this.actions.goOn({ run_id: run }), "The run continues.")}>Continue</button>
        ${this.#runButton(run)}
        ${this.#cancelButton(run, text)}</div></li>`;
  }

  #away({ run_id: run, agent, about, since }: ListInboxResult["away"][number]) {
    return html`<li data-run=${run}><p class="muted">${agent}: ${shown(firstLine(about))}</p>
      <p>Its model needs the companion, which has been away since ${when(since)}. Start the companion, and the run continues; it may ask for your permission again.</p>
      <div class="schedule-buttons">${this.#runButton(run)}${this.#cancelButton(run, about)}</div></li>`;
  }

  #asked(row: Asked) {
    const { agent, about, run_id: run } = row;
    return html`<li data-run=${run ?? nothing}><p class="muted">${agent}: ${shown(firstLine(about))}</p>${this.#answerForm(row)}</li>`;
  }

  /** A question that the user may answer, but needn't. */
  #led(row: Asked) {
    const { agent, question, leader, run_id: run } = row;
    return html`<li data-run=${run ?? nothing}><p>${shown(question)}</p>
      <p class="muted">Asked by ${agent}. The ${leader} answers it, or asks you.</p>
      <details><summary>Answer it yourself</summary>${this.#answerForm(row)}</details></li>`;
  }

  #answerForm(row: Asked) {
    const { question, run_id: run } = row;
    const submit = submitting((form) => void this.#answer(row, valueOf(form, "text")));
    return html`<form class="schedule-form" aria-label="Answer" @submit=${submit}>
        <label>${shown(question)} <input name="text" required autocomplete="off"></label>
        <div class="schedule-buttons"><button type="submit" class="primary" data-action="answer_task" ?disabled=${this.isBlocked}>Answer</button>
          ${this.#runButton(run)}</div></form>`;
  }

  #memory({ id, agent, text, source }: ListInboxResult["memories"][number]) {
    return html`<li data-memory=${id}><p>${shown(text)}</p><p class="muted">For ${agent}, by ${source}</p>
      <div class="schedule-buttons"><button type="button" class="primary" data-action="approve_memory" aria-label=${`Approve: ${text}`} ?disabled=${this.isBlocked}
          @click=${() => void this.act(() => this.actions.approveMemory({ memory: id }), "Approved.")}>Approve</button>
        <button type="button" class="quiet" data-action="forget_memory" aria-label=${`Forget: ${text}`} ?disabled=${this.isBlocked}
          @click=${() => void this.act(() => this.actions.forgetMemory({ memory: id }), "Forgotten.")}>Forget</button></div></li>`;
  }

  #schedule({ id, when: time, zone, agent, brief, source, outside, tools }: ListInboxResult["schedules"][number]) {
    return html`<li data-schedule=${id}><p>${shown(time)}<span class="muted">, ${zone}, ${agent === null ? "no particular agent" : `by ${agent}`}</span></p>
      <p class="schedule-brief">${shown(brief)}</p>
      <p class="muted">By ${source}. ${outside === null ? nothing : html`It may have text from outside: ${shown(outside)}. `}
        ${tools === null ? nothing : `Its runs have only these tools: ${tools.join(", ") || "none"}.`}</p>
      <div class="schedule-buttons"><button type="button" class="primary" data-action="approve_schedule" aria-label=${`Approve: ${firstLine(brief)}`}
          ?disabled=${this.isBlocked} @click=${() => void this.act(() => this.actions.approveSchedule({ schedule: id }), "Approved.")}>Approve</button>
        <button type="button" class="quiet" data-action="delete_schedule" aria-label=${`Delete: ${firstLine(brief)}`} ?disabled=${this.isBlocked}
          @click=${() => void this.act(() => this.actions.deleteSchedule({ schedule: id }), "Deleted.")}>Delete</button></div></li>`;
  }

  #missed({ brief, missed }: ListInboxResult["missed"][number]) {
    return html`<li><p>${shown(firstLine(brief))}</p><p class="muted">${counted(missed.length, "run")} missed.</p>
      <div class="schedule-buttons"><button type="button" data-does="Opens Schedules" @click=${() => this.to.schedules()}>Run or skip</button></div></li>`;
  }

  #cancelButton(run: string, about: string) {
    return html`<button type="button" class="quiet" data-action="control_run" aria-label=${`Cancel the run: ${firstLine(about)}`} ?disabled=${this.isBlocked}
      @click=${() => void this.act(() => this.actions.controlRun({ run_id: run, action: "cancel" }), "Cancelled.")}>Cancel the run</button>`;
  }

  #runButton(run: string | null) {
    return run === null
      ? nothing
      : html`<button type="button" class="quiet" data-does="Shows the run" @click=${() => this.to.run(run)}>Show run</button>`;
  }

  #notifications() {
    const { isOn, isDenied } = this.to.notifications;
    return html`<label class="inbox-notify"><input id="inbox-notify" type="checkbox" .checked=${isOn} ?disabled=${isDenied}
        @change=${(event: Event & { currentTarget: HTMLInputElement }) => void this.#notify(event.currentTarget.checked)}>
      <span>Notify me when a question or a run waits for me, and when a scheduled run has ended</span></label>
      ${isDenied ? html`<p class="muted">This browser blocks notifications from this page. You can allow them in its site settings.</p>` : nothing}`;
  }

  async #notify(on: boolean) {
    await this.to.notifications.turn(on);
    this.announcer.textContent = this.to.notifications.isOn ? "Notifications are on." : "Notifications are off.";
    this.redraw();
  }

  #answer({ kind, team, task, run_id: run }: Asked, text: string) {
    return this.act(async () => {
      if (kind === "run") return this.actions.answerRun({ run_id: run ?? "", text });
      const done = await this.actions.answerTask({ team: team ?? "", task: task ?? "", text });
      // A team that was cut off continues with the answer.
      if (!isFailure(done)) await this.actions.resumeTeam({ team: team ?? "" });
      return done;
    }, "Answered.");
  }
}
