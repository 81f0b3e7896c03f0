/**
 * The consent dialog: the action in the page's words, Python's description, and the waiting questions. Only a person's
 * press answers, and only one that `Guard` accepts.
 *
 * @import { Answer } from "./kinds/kind.js"
 * @import { Consent, Decision, Question } from "./consent.js"
 */

import { html, nothing, render } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { byId } from "../elements.js";
import { clock, counted, when } from "../format.js";
import { listed } from "./consent.js";
import { Guard } from "./guard.js";
import { shown } from "./text.js";
import { wordsView } from "./words.js";

class ConsentDialog {
  #dialog = byId("approval", HTMLDialogElement);
  #guard = new Guard(this.#dialog, { onChange: () => this.#draw(), onCovered: () => this.#raise() });
  /** @type {readonly Question[]} */
  #waiting = [];
  /** @type {Question | null} */
  #shown = null;
  /** The reason that the last press did not count. */
  #ignored = "";

  /** @param {Consent} consent */
  constructor(consent) {
    this.consent = consent;
    this.#dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.#answer(event, "refuse", null);
    });
    this.#dialog.addEventListener("keydown", (event) => {
      const typed = event.target instanceof HTMLInputElement && event.key === "Enter" && !event.repeat;
      if (typed) this.#answer(event, "once", byId("approval-once", HTMLButtonElement));
    });
    // Chromium closes a dialog on a second Escape whatever its cancel event says.
    this.#dialog.addEventListener("close", () => {
      if (this.#shown !== null && !this.#dialog.open) this.#open();
    });
  }

  render() {
    this.#waiting = this.consent.waiting.filter(({ aside }) => !aside);
    const shown = this.#waiting.find((question) => question === this.#shown) ?? this.#waiting[0] ?? null;
    if (shown === null) {
      this.#shown = null;
      this.#dialog.close();
    } else if (shown !== this.#shown) {
      this.#show(shown);
    } else {
      this.#draw();
    }
  }

  /** @param {Question} question */
  #show(question) {
    this.#shown = question;
    if (!question.kind.savedByOwner) question.until = this.consent.inAnHour();
    this.#ignored = "";
    this.#guard.arm();
    if (!this.#dialog.open) this.#open();
    for (const scrolled of this.#dialog.querySelectorAll("#approval-question, #approval-words")) scrolled.scrollTop = 0;
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

  /** Bring the dialog to the front when something covers it; the person must read it again. */
  #raise() {
    if (!this.#dialog.open) return;
    const { activeElement } = document;
    this.#dialog.close();
    this.#dialog.showModal();
    if (activeElement instanceof HTMLElement) activeElement.focus();
    this.#guard.arm();
  }

  /**
   * @param {Event} event
   * @param {Decision} decision
   * @param {HTMLElement | null} button
   */
  #answer(event, decision, button) {
    const question = this.#shown;
    if (!event.isTrusted || question === null) return;
    this.#ignored = this.#guard.refusal(event, button) ?? "";
    const entered = this.#ignored === "" && decision !== "refuse" ? question.kind.enter?.(byId("approval-question", HTMLElement)) : undefined;
    if (typeof entered === "string") this.#ignored = entered;
    if (this.#ignored === "") this.consent.answer(question, decision, typeof entered === "string" ? undefined : entered);
    else this.#draw();
  }

  /** @param {Event} event */
  #putAside(event) {
    if (event.isTrusted && this.#shown !== null) this.consent.putAside(this.#shown);
  }

  #draw() {
    if (this.#shown === null) return;
    const { id, kind, facts, words } = this.#shown;
    render(html`
      <h2 id="approval-title">${kind.title?.(facts) ?? "Allow this action?"}</h2>
      ${this.#queue()}
      <div id="approval-question" role="group" tabindex="0" aria-labelledby="approval-title" data-id=${id}>${keyed(id, kind.question(facts))}</div>
      ${kind.title ? nothing : html`<figure>${wordsView(words)}</figure>`}
      ${this.#scope()}
      <p id="approval-ignored" class="ignored" role="status">${this.#ignored}</p>
      <div class="answers" data-guarded=${this.#guard.open ? nothing : ""}>${
        this.#button("refuse", kind.labels?.refuse ?? "Refuse", "")}${
        this.#choices().map(({ answer, label }) => this.#button(answer, label, answer === "once" ? "primary" : ""))}</div>
      ${words.run ? html`<p class="aside"><button id="approval-later" type="button" class="quiet" @click=${(/** @type {Event} */ event) =>
        this.#putAside(event)}>Later: the run waits, and the question is in the Inbox</button></p>` : nothing}
    `, this.#dialog);
  }

  /** Return the ways to agree, from broadest to narrowest: the last is the primary button. */
  #choices() {
    const { kind, answers, words, until } = /** @type {Question} */ (this.#shown);
    /** @type {Record<Answer, string>} */
    const labels = {
      once: "Allow once",
      run: words.run ? "Allow for this run" : "Allow for this session",
      program: "Allow this program",
      hour: `Allow until ${when(until)}`,
      always: "Always allow",
      ...kind.labels,
    };
    return [...answers].reverse().map((answer) => ({ answer, label: labels[answer] }));
  }

  /** List the scope of each answer beyond this request. */
  #scope() {
    const { kind, facts, words, answers, until } = /** @type {Question} */ (this.#shown);
    /** @type {Partial<Record<Answer, string>>} */
    const reach = {
      run: words.run ? "for this run, as Python names it" : "for this caller, as Python names it, until you restart Python",
      program: kind.savedByOwner ? `until ${when(until)}` : "until you revoke it in Settings",
      hour: `until ${when(until)}`,
      always: "until you revoke it in Settings",
    };
    const { taint } = this.consent;
    return html`
      <ul id="approval-scope" class="muted">${answers.filter((answer) => answer !== "once").map((answer) => html`
        <li>${this.#choices().find((choice) => choice.answer === answer)?.label}:
          <b>${shown(kind.subject(facts, answer, words))}</b>, ${reach[answer]}.</li>`)}</ul>
      <p id="approval-taint" class="muted" ?hidden=${taint === null || kind.outlastsText}>Untrusted text was read since you last restarted Python${
        taint === null ? "" : html` (first: <bdi class="mono">${shown(taint.origin)}</bdi>)`}. Until you restart it,
        only permissions for a run apply.</p>`;
  }

  /** @param {Decision} decision @param {string} label @param {string} style */
  #button(decision, label, style) {
    // `disabled` would move the focus, and interrupt a screen reader.
    return html`<button id="approval-${decision}" type="button" class=${style} aria-disabled=${this.#guard.open ? nothing : "true"}
      @click=${(/** @type {MouseEvent & {currentTarget: HTMLElement}} */ event) =>
        this.#answer(event, decision, event.currentTarget)}>${label}</button>`;
  }

  #queue() {
    const more = this.#waiting.length - 1;
    const text = more > 0 ? `${counted(more, "more request")} ${more === 1 ? "is" : "are"} waiting.` : "";
    return html`
      <p id="approval-queue" class="muted" aria-live="polite" ?hidden=${more < 1}>${text}</p>
      <ol id="approval-requests" aria-label="Waiting requests" ?hidden=${more < 1}>${
        more < 1 ? nothing : this.#waiting.map((each) => this.#request(each))}</ol>`;
  }

  /** @param {Question} question */
  #request(question) {
    const { words, asked } = question;
    return html`<li><button type="button" class="quiet" aria-current=${question === this.#shown ? "true" : nothing}
      @click=${() => question !== this.#shown && this.#show(question)}>
        <span>${shown(listed(question))}</span>
        <span class="chip">${shown(words.caller ?? "")}</span>
        <span class="muted">since <time datetime=${asked}>${clock(asked)}</time></span></button></li>`;
  }
}

/** @param {Consent} consent */
export function showConsent(consent) {
  const dialog = new ConsentDialog(consent);
  consent.subscribe(() => dialog.render());
}
