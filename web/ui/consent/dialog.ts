/**
 * The consent dialog: the action in the page's words, Python's description, and the waiting questions. Only a user's
 * press answers, and only one that `Guard` accepts.
 */

import { html, nothing, render } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { ALT, commands } from "../lib/commands.ts";
import { byId } from "../lib/elements.ts";
import { clock, counted, when } from "../lib/format.ts";
import { isPressOf } from "../lib/trusted.ts";
import { nameOf } from "./callers.ts";
import type { Consent, Decision, Question } from "./consent.ts";
import { listed } from "./keys.ts";
import { GUARD_MS, Guard, REPLACED_MS } from "./guard.ts";
import type { Answer } from "./kinds/kind.ts";
import { Reading } from "./reading.ts";
import { exact, shown } from "./text.ts";
import { FOR_COMMAND, typedScope, typedView } from "./typed_view.ts";
import { wordsView } from "./words.ts";

/** stops what a caller does, and Python */
type WaysOut = { stop: (caller: string) => void; restart: () => void };

// What decides, and what Python says.
const FACTS = "#approval-facts";
const WORDS = "#approval-words";
// With Alt, the digits from 1 are the answers'; alone they would answer who is typing. Each is the same in all questions.
const KEYS: readonly Answer[] = ["once", "run", "program", "hour", "always"];
// A question that comes so soon after another may be taken for it.
const REPLACING_MS = 3000;

class ConsentDialog {
  #dialog = byId("approval", HTMLDialogElement);
  #guard = new Guard(this.#dialog, { onChange: () => this.#draw(), onCovered: () => this.#raise() });
  #reading = new Reading(this.#dialog, () => this.#draw());
  #waiting: readonly Question[] = [];
  #shown: Question | null = null;
  /** The reason that the last press did not count. */
  #ignored = "";

  /** True if the question took the place of another. */
  #another = false;
  /** The question before this one, and when it went. */
  #before: { question: Question | null; at: number } = { question: null, at: -Infinity };
  /** The time from which the ways out of a flood count, on the clock of events. */
  #outFrom: number | null = null;
  consent: Consent;
  ways: WaysOut;

  constructor(consent: Consent, ways: WaysOut) {
    this.consent = consent;
    this.ways = ways;
    this.#dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.#answer(event, "refuse", null);
    });
    this.#dialog.addEventListener("keydown", (event) => this.#onKey(event));
    commands.addKeys({
      where: "A question for consent",
      does: [
        [`${ALT}1 – ${ALT}5`, "Give the answer with this key"],
        ["Esc", "Refuse"],
      ],
    });
    // Chromium closes a dialog on a second Escape whatever its cancel event says.
    this.#dialog.addEventListener("close", () => {
      if (this.#shown !== null && !this.#dialog.open) this.#open();
    });
  }

  render() {
    this.#waiting = this.consent.waiting.filter(({ aside }) => !aside);
    const shown = this.#waiting.find((question) => question === this.#shown) ?? this.#waiting[0] ?? null;
    if (this.#shown !== null && shown !== this.#shown) this.#before = { question: this.#shown, at: this.consent.now() };
    if (shown === null) {
      this.#shown = null;
      this.#dialog.close();
    } else if (shown !== this.#shown) {
      this.#show(shown);
    } else {
      this.#draw();
    }
  }

  /** @param chosen - whether the user has chosen it from the list */
  #show(question: Question, chosen = false) {
    this.#another = !chosen && this.consent.now() - this.#before.at < REPLACING_MS;
    this.#shown = question;
    // Questions that come and go must not keep the user from the ways out.
    if (!this.#another && !chosen) this.#outFrom = null;
    if (!question.kind.savedByOwner) question.until = this.consent.inAnHour();
    this.#ignored = "";
    // Measured below, without the line that says how much is out of sight.
    this.#reading.start([]);
    this.#guard.arm(this.#another ? REPLACED_MS : GUARD_MS);
    if (!this.#dialog.open) this.#open();
    for (const scrolled of this.#dialog.querySelectorAll(`${FACTS}, ${WORDS}`)) scrolled.scrollTop = 0;
    this.#reading.start(question.kind.isInWords ? [FACTS, WORDS] : [FACTS]);
    this.#draw();
    this.#focus();
  }

  #focus() {
    byId(`approval-${this.#shown?.kind.preferred ?? "refuse"}`, HTMLButtonElement).focus();
  }

  #open() {
    this.#dialog.showModal();
    this.#guard.arm();
    this.#draw();
    // The browser would focus the list of questions.
    this.#focus();
  }

  /** Bring the dialog to the front when something covers it; the user must read it again. */
  #raise() {
    if (!this.#dialog.open) return;
    const { activeElement } = document;
    this.#dialog.close();
    this.#dialog.showModal();
    if (activeElement instanceof HTMLElement) activeElement.focus();
    this.#guard.arm();
  }

  #answer(event: Event, decision: Decision, button: HTMLElement | null) {
    const question = this.#shown;
    // Escape refuses wherever the focus is.
    const pressed = decision === "refuse" ? event.isTrusted : isPressOf(event);
    if (!pressed || question === null) return;
    this.#ignored = this.#guard.refusal(event, button) ?? "";
    if (this.#ignored === "" && decision !== "refuse" && !this.#reading.done)
      this.#ignored = `Ignored: ${this.#more()} Then answer.`;
    const entered =
      this.#ignored === "" && decision !== "refuse"
        ? question.kind.enter?.(byId("approval-question", HTMLElement))
        : undefined;
    if (typeof entered === "string") this.#ignored = entered;
    if (this.#ignored === "")
      this.consent.answer(question, decision, typeof entered === "string" ? undefined : entered);
    else this.#draw();
  }

  #onKey(event: KeyboardEvent) {
    const typed = event.target instanceof HTMLInputElement && event.key === "Enter" && !event.repeat;
    const decision = typed ? "once" : answerOf(event);
    const button = decision && document.getElementById(`approval-${decision}`);
    if (!button) return;
    event.preventDefault();
    this.#answer(event, decision, button);
  }

  #putAside(event: Event) {
    if (isPressOf(event) && this.#shown !== null) this.consent.putAside(this.#shown);
  }

  #draw() {
    if (this.#shown === null) return;
    const { id, kind, facts, words, typed } = this.#shown;
    render(
      html`
      <h2 id="approval-title">${this.#another ? "Another request: " : nothing}${kind.title?.(facts) ?? (this.#another ? "allow this action?" : "Allow this action?")}</h2>
      ${this.#queue()}
      ${this.#flood()}
      <div id="approval-facts" role="group" tabindex="0" aria-labelledby="approval-title">
        ${typedView(typed)}
        <div id="approval-question" data-id=${id}>${keyed(id, kind.question(facts, this.#earlierFacts()))}</div>
        ${this.#scope()}
        <div class="question-end" data-end></div></div>
      ${
        this.#reading.done
          ? nothing
          : html`<p id="approval-more" class="more"><span>${this.#more()}</span>
        <button id="approval-read-on" type="button" @click=${(event: Event) => isPressOf(event) && this.#reading.readOn()}>Read on</button></p>`
      }
      ${kind.title ? nothing : html`<figure>${wordsView(words)}</figure>`}
      <p id="approval-ignored" class="ignored" role="status">${this.#ignored}</p>
      <div class="answers" data-guarded=${this.#guard.open ? nothing : ""} data-another=${this.#another ? "" : nothing}>${this.#button(
        "refuse",
        kind.labels?.refuse ?? "Refuse",
        "",
      )}${this.#choices().map(({ answer, label }) =>
        this.#button(answer, label, answer === "once" ? "primary" : ""),
      )}</div>
      ${
        words.run
          ? html`<p class="aside"><button id="approval-later" type="button" class="quiet" @click=${(event: Event) =>
              this.#putAside(event)}>Later: the run waits, and the question is in the Inbox</button></p>`
          : nothing
      }
    `,
      this.#dialog,
    );
  }

  /** @throws {TypeError} nothing is asked */
  get #question() {
    if (!this.#shown) throw new TypeError("No question is shown.");
    return this.#shown;
  }

  /** Return the ways to agree, from broadest to narrowest: the last is the primary button. */
  #choices() {
    const { kind, answers, words, until, typed } = this.#question;
    const labels: Record<Answer, string> = {
      once: typed?.covers ? FOR_COMMAND : "Allow once",
      run: words.run ? "Allow for this run" : "Allow for this session",
      program: "Allow this program",
      hour: `Allow until ${when(until)}`,
      always: typed?.installs ? "Remember package indexes" : "Always allow",
      ...kind.labels,
    };
    return [...answers].reverse().map((answer) => ({ answer, label: labels[answer] }));
  }

  /** List the scope of each answer beyond this request. */
  #scope() {
    const { kind, facts, words, answers, until, typed } = this.#question;
    const reach: Partial<Record<Answer, string>> = {
      run: words.run
        ? "for what Python says is this run, until you restart Python"
        : words.caller
          ? "for what Python says is the same caller, until you restart Python"
          : "for commands and other code, until you restart Python",
      program: kind.savedByOwner ? `until ${when(until)}` : "until you revoke it in Settings",
      hour: `until ${when(until)}`,
      always: "until you revoke it in Settings",
      ...kind.reach,
    };
    const { taint } = this.consent;
    return html`
      <ul id="approval-scope" class="muted">${typedScope(typed, exact)}${answers
        .filter((answer) => answer !== "once")
        .map(
          (answer) => html`
        <li>${this.#choices().find((choice) => choice.answer === answer)?.label}:
          <b>${exact((kind.scope ?? kind.subject)(facts, answer, words))}</b>, ${reach[answer]}.</li>`,
        )}</ul>
      <p id="approval-taint" class="muted" ?hidden=${taint === null || kind.outlastsText}>An agent may have read text from outside${
        taint === null ? "" : html` (first: <bdi class="mono">${shown(taint.origin)}</bdi>)`
      }, so saved permissions
        are paused until you restart Python.</p>`;
  }

  /** The facts of the question that this one replaced, if both are of a kind: differences are marked. */
  #earlierFacts() {
    const { question } = this.#before;
    return this.#another && question?.name === this.#shown?.name ? question?.facts : undefined;
  }

  /** The ways out, if a caller asks more than a user answers one by one. */
  #flood() {
    const question = this.#question;
    if (this.#outFrom === null && !this.consent.isFlooded(question)) return nothing;
    this.#outFrom ??= performance.now() + GUARD_MS;
    const { caller } = question;
    return html`<div id="approval-flood" class="more" role="group" aria-label="Many requests">
      <span>Many requests from ${shown(nameOf(caller))}.</span>
      <span class="out">${this.#wayOut("refuse-all", "Refuse all from this caller", () => this.consent.refuseCaller(question))}
        ${this.#wayOut("stop", "Stop it", () => this.#stop(question))}
        ${this.#wayOut("restart", "Restart Python", () => this.#restart())}</span></div>`;
  }

  #wayOut(id: string, label: string, act: () => void) {
    return html`<button id="approval-${id}" type="button" @click=${(
      event: MouseEvent & { currentTarget: HTMLElement },
    ) => {
      if (!isPressOf(event)) return;
      // Questions that replace each other must not keep the user from them.
      this.#ignored = this.#guard.refusal(event, event.currentTarget, this.#outFrom ?? Infinity) ?? "";
      if (this.#ignored === "") act();
      else this.#draw();
    }}>${label}</button>`;
  }

  #stop(question: Question) {
    this.consent.refuseCaller(question);
    this.ways.stop(question.caller);
  }

  #restart() {
    this.consent.refuseWaiting();
    this.ways.restart();
  }

  /** Return how much isn't read yet, and what to do. */
  #more() {
    return `${counted(this.#reading.more, "more line")}. Read to the end to allow.`;
  }

  #button(decision: Decision, label: string, style: string) {
    const isRead = decision === "refuse" || this.#reading.done;
    const key = decision === "refuse" ? null : KEYS.indexOf(decision) + 1;
    // `disabled` would move the focus. A button that only waits isn't disabled: screen readers and drivers would name its
    // state, or wait; an early press is ignored, with the reason.
    return html`<button id="approval-${decision}" type="button" class=${style} aria-disabled=${isRead ? nothing : "true"}
      data-key=${key === null ? nothing : ALT + key} aria-keyshortcuts=${key === null ? nothing : `Alt+${key}`}
      aria-describedby=${isRead ? nothing : "approval-more"}
      @click=${(event: MouseEvent & { currentTarget: HTMLElement }) =>
        this.#answer(event, decision, event.currentTarget)}>${label}</button>`;
  }

  #queue() {
    const more = this.#waiting.length - 1;
    const text = more > 0 ? `${counted(more, "more request")} ${more === 1 ? "is" : "are"} waiting.` : "";
    return html`
      <p id="approval-queue" class="muted" aria-live="polite" ?hidden=${more < 1}>${text}</p>
      <ol id="approval-requests" aria-label="Waiting requests" ?hidden=${more < 1}>${
        more < 1 ? nothing : this.#waiting.map((each) => this.#request(each))
      }</ol>`;
  }

  #request(question: Question) {
    const { asked } = question;
    return html`<li><button type="button" class="quiet" aria-current=${question === this.#shown ? "true" : nothing}
      @click=${(event: Event) => isPressOf(event) && question !== this.#shown && this.#show(question, true)}>
        <span>${shown(listed(question))}</span>
        <span class="chip">${shown(nameOf(question.caller))}</span>
        <span class="muted">since <time datetime=${asked}>${clock(asked)}</time></span></button></li>`;
  }
}

/** Return the answer whose key was pressed. */
function answerOf({ code, altKey, ctrlKey, metaKey, shiftKey, repeat }: KeyboardEvent): Answer | null {
  if (!altKey || ctrlKey || metaKey || shiftKey || repeat) return null;
  // By its place: with Alt, a digit's key types something else on some systems.
  return KEYS[Number(/^Digit([1-9])$/.exec(code)?.[1] ?? 0) - 1] ?? null;
}

export function showConsent(consent: Consent, ways: WaysOut) {
  const dialog = new ConsentDialog(consent, ways);
  consent.subscribe(() => dialog.render());
}
