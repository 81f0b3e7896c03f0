/**
 * The Inbox panel: all that waits for the person, with the answer in place. A separate bundle.
 *
 * Consent is answered only in the dialog of the power's owner, which this panel brings back.
 *
 * @import { Actions } from "../actions.js"
 * @import { Consent, Question } from "../consent/consent.js"
 * @import { Failure, State } from "../types.js"
 * @import { ListInboxResult } from "../../generated/types.js"
 * @import { Notifications } from "./notifications.js"
 */

import { html, nothing, render } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { isFailure } from "../call.js";
import { listed } from "../consent/consent.js";
import { shown } from "../consent/text.js";
import { byId, showProblem } from "../elements.js";
import { when } from "../format.js";

/** @typedef {ListInboxResult["asked"][number]} Asked */

export class InboxPanel {
  #body = byId("inbox-body", HTMLElement);
  #problem = byId("inbox-problem", HTMLElement);
  #announcer = byId("inbox-announcement", HTMLElement);
  /** @type {ListInboxResult} */
  #shown = { asked: [], cut_off: [], memories: [], schedules: [], missed: [] };
  #ready = false;
  #busy = false;
  /** True while the list is loaded, and if it has changed meanwhile. */
  #loading = false;
  #stale = false;

  /**
   * @param {Actions} actions
   * @param {{consent: Consent, notifications: Notifications, run: (id: string) => unknown, schedules: () => unknown}} to
   */
  constructor(actions, to) {
    this.actions = actions;
    this.to = to;
    // Remove the loading note.
    this.#body.replaceChildren();
  }

  /** @param {State} state */
  render({ kernel }) {
    this.#ready = kernel === "ready";
    if (this.#ready) void this.#load();
    else this.draw();
  }

  async #load() {
    this.#stale = true;
    if (this.#loading) return;
    this.#loading = true;
    while (this.#stale) {
      this.#stale = false;
      const found = await this.actions.listInbox();
      showProblem(this.#problem, isFailure(found) ? found.error : null);
      if (!isFailure(found)) this.#shown = found;
    }
    this.#loading = false;
    this.draw();
  }

  draw() {
    const { asked, cut_off: cutOff, memories, schedules, missed } = this.#shown;
    const consent = this.to.consent.waiting;
    const count = asked.length + cutOff.length + memories.length + schedules.length + missed.length + consent.length;
    const had = this.#body.contains(document.activeElement);
    render(html`${count > 0 ? nothing : html`<p class="empty">Nothing waits for you. Agents' questions, permissions, and what they
        want to remember or schedule appear here.</p>`}
      ${this.#section("permissions", "Permissions", [...consent.map((question) => this.#question(question)), ...cutOff.map((row) => this.#cutOff(row))])}
      ${this.#section("questions", "Questions", repeat(asked, ({ run_id: run, question }) => `${run} ${question}`, (row) => this.#asked(row)), asked.length)}
      ${this.#section("memories", "To remember", repeat(memories, ({ id }) => id, (row) => this.#memory(row)), memories.length)}
      ${this.#section("schedules", "To schedule", [...schedules.map((row) => this.#schedule(row)), ...missed.map((row) => this.#missed(row))])}
      ${this.#notifications()}`, this.#body);
    // If the focused button was removed, keep the focus in the panel.
    if (had && !this.#busy && !this.#body.contains(document.activeElement)) this.#focus();
  }

  #focus() {
    const next = this.#body.querySelector("li button, li input, #inbox-notify");
    if (next instanceof HTMLElement) next.focus();
  }

  /** @param {string} name @param {string} title @param {any} items @param {number} [count] */
  #section(name, title, items, count = items.length) {
    return count === 0 ? nothing : html`<section aria-labelledby=${`inbox-${name}-title`} data-kind=${name}>
      <h3 id=${`inbox-${name}-title`}>${title} <span class="muted">${count}</span></h3><ul class="schedule-list">${items}</ul></section>`;
  }

  /** @param {Question} question */
  #question(question) {
    return html`<li><p>${shown(listed(question))}</p><p class="muted">${shown(question.words.caller ?? "")}, since ${when(question.asked)}</p>
      <div class="schedule-buttons"><button type="button" class="primary" data-does="Shows the question" @click=${() => this.to.consent.bringBack(question)}>Answer</button>
        ${this.#runButton(question.words.run ?? null)}</div></li>`;
  }

  /** @param {ListInboxResult["cut_off"][number]} row */
  #cutOff({ run_id: run, text, at }) {
    return html`<li data-run=${run}><p>${shown(text)}</p>
      <p class="muted">Since ${when(at)}. The page was closed before you answered. If the run goes on, it asks again.</p>
      <div class="schedule-buttons"><button type="button" class="primary" data-action="go_on" aria-label=${`Go on: ${text}`} ?disabled=${this.#isBlocked}
          @click=${() => void this.#act(() => this.actions.goOn({ run_id: run }), "The run goes on.")}>Go on</button>
        ${this.#runButton(run)}
        <button type="button" class="quiet" data-action="control_run" aria-label=${`Cancel the run: ${text}`} ?disabled=${this.#isBlocked}
          @click=${() => void this.#act(() => this.actions.controlRun({ run_id: run, action: "cancel" }), "Cancelled.")}>Cancel the run</button></div></li>`;
  }

  /** @param {Asked} row */
  #asked(row) {
    const { agent, about, question, run_id: run } = row;
    const submit = (/** @type {SubmitEvent & {currentTarget: HTMLFormElement}} */ event) => {
      event.preventDefault();
      void this.#answer(row, String(new FormData(event.currentTarget).get("text") ?? ""));
    };
    return html`<li data-run=${run ?? nothing}><p class="muted">${agent}: ${shown(firstLine(about))}</p>
      <form class="schedule-form" aria-label="Answer" @submit=${submit}>
        <label>${shown(question)} <input name="text" required autocomplete="off"></label>
        <div class="schedule-buttons"><button type="submit" class="primary" data-action="answer_task" ?disabled=${this.#isBlocked}>Answer</button>
          ${this.#runButton(run)}</div></form></li>`;
  }

  /** @param {ListInboxResult["memories"][number]} row */
  #memory({ id, agent, text, source }) {
    return html`<li data-memory=${id}><p>${shown(text)}</p><p class="muted">For ${agent}, by ${source}</p>
      <div class="schedule-buttons"><button type="button" class="primary" data-action="approve_memory" aria-label=${`Approve: ${text}`} ?disabled=${this.#isBlocked}
          @click=${() => void this.#act(() => this.actions.approveMemory({ memory: id }), "Approved.")}>Approve</button>
        <button type="button" class="quiet" data-action="forget_memory" aria-label=${`Forget: ${text}`} ?disabled=${this.#isBlocked}
          @click=${() => void this.#act(() => this.actions.forgetMemory({ memory: id }), "Forgotten.")}>Forget</button></div></li>`;
  }

  /** @param {ListInboxResult["schedules"][number]} row */
  #schedule({ id, when: time, zone, agent, brief, source, outside, tools }) {
    return html`<li data-schedule=${id}><p>${shown(time)}<span class="muted">, ${zone}, by ${agent ?? "a plain run"}</span></p>
      <p class="schedule-brief">${shown(brief)}</p>
      <p class="muted">By ${source}. ${outside === null ? nothing : html`It may have text from outside: ${shown(outside)}. `}
        ${tools === null ? nothing : `Its runs have only these tools: ${tools.join(", ") || "none"}.`}</p>
      <div class="schedule-buttons"><button type="button" class="primary" data-action="approve_schedule" aria-label=${`Approve: ${firstLine(brief)}`}
          ?disabled=${this.#isBlocked} @click=${() => void this.#act(() => this.actions.approveSchedule({ schedule: id }), "Approved.")}>Approve</button>
        <button type="button" class="quiet" data-action="delete_schedule" aria-label=${`Delete: ${firstLine(brief)}`} ?disabled=${this.#isBlocked}
          @click=${() => void this.#act(() => this.actions.deleteSchedule({ schedule: id }), "Deleted.")}>Delete</button></div></li>`;
  }

  /** @param {ListInboxResult["missed"][number]} row */
  #missed({ brief, missed }) {
    return html`<li><p>${shown(firstLine(brief))}</p><p class="muted">${missed.length === 1 ? "One slot was" : `${missed.length} slots were`} missed.</p>
      <div class="schedule-buttons"><button type="button" data-does="Opens Schedules" @click=${() => this.to.schedules()}>Run or skip</button></div></li>`;
  }

  /** @param {string | null} run */
  #runButton(run) {
    return run === null ? nothing : html`<button type="button" class="quiet" data-does="Shows the run" @click=${() => this.to.run(run)}>Run</button>`;
  }

  #notifications() {
    const { isOn, isDenied } = this.to.notifications;
    return html`<label class="inbox-notify"><input id="inbox-notify" type="checkbox" .checked=${isOn} ?disabled=${isDenied}
        @change=${(/** @type {Event & {currentTarget: HTMLInputElement}} */ event) => void this.#notify(event.currentTarget.checked)}>
      Notify me when a question waits or a scheduled run has ended</label>
      ${isDenied ? html`<p class="muted">This browser refuses notifications of this page. Its site settings change that.</p>` : nothing}`;
  }

  /** @param {boolean} on */
  async #notify(on) {
    await this.to.notifications.turn(on);
    this.#announcer.textContent = this.to.notifications.isOn ? "Notifications are on." : "Notifications are off.";
    this.draw();
  }

  get #isBlocked() {
    return this.#busy || !this.#ready;
  }

  /** @param {Asked} row @param {string} text */
  #answer({ kind, team, task, run_id: run }, text) {
    return this.#act(async () => {
      if (kind === "run") return this.actions.answerRun({ run_id: run ?? "", text });
      const done = await this.actions.answerTask({ team: team ?? "", task: task ?? "", text });
      // A team that was cut off goes on with the answer.
      if (!isFailure(done)) await this.actions.resumeTeam({ team: team ?? "" });
      return done;
    }, "Answered.");
  }

  /**
   * Run an action, and show its error or announce its success. Returns null while another action runs.
   *
   * @template Result
   * @param {() => Promise<Result | Failure>} action
   * @param {string} success
   */
  async #act(action, success) {
    if (this.#busy) return null;
    this.#busy = true;
    const done = await action();
    this.#busy = false;
    await this.#load();
    if (isFailure(done)) showProblem(this.#problem, done.error);
    else this.#announcer.textContent = success;
    return done;
  }
}

/** @param {string} text */
function firstLine(text) {
  const [line = ""] = text.trim().split("\n");
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
