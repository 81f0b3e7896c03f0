/**
 * The consent dialog: who asks, what exactly will happen, and the requests that wait. Only a person's own press
 * answers, and only one that `Guard` lets pass.
 *
 * @import { Approval, Decision, Wire } from "../types.js"
 * @import { Store } from "../store.js"
 */

import { html, nothing, render } from "lit";
import { byId } from "../elements.js";
import { clock, counted } from "../format.js";
import { whenChanged } from "../store.js";
import { Guard } from "./guard.js";
import { argumentList, callerName, EFFECTS, scope } from "./words.js";

/** @type {[Decision, string, string][]} in the order of the buttons */
const ANSWERS = [["refuse", "Refuse", ""], ["always", "Always allow", ""], ["once", "Allow once", "primary"]];

/** @typedef {(approval: Approval, decision: Decision) => Promise<void>} OnAnswer told before Python is */

class ApprovalDialog {
  #dialog = byId("approval", HTMLDialogElement);
  #guard = new Guard(this.#dialog, { onChange: () => this.#draw(), onCovered: () => this.#raise() });
  /** @type {Approval[]} */
  #waiting = [];
  /** @type {Approval | null} */
  #shown = null;
  #answering = false;
  /** Why the last press did not count. */
  #ignored = "";
  #problem = "";

  /** @param {Wire} connection @param {OnAnswer} onAnswer */
  constructor(connection, onAnswer) {
    this.connection = connection;
    this.onAnswer = onAnswer;
    this.#dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      void this.#answer(event, "refuse", null);
    });
    // Chromium closes a dialog on a second Escape whatever its cancel event says.
    this.#dialog.addEventListener("close", () => {
      if (this.#shown !== null && !this.#dialog.open) this.#open();
    });
  }

  /** @param {Approval[]} waiting */
  render(waiting) {
    this.#waiting = waiting;
    const shown = waiting.find(({ id }) => id === this.#shown?.id) ?? waiting[0] ?? null;
    if (shown === null) {
      this.#shown = null;
      this.#dialog.close();
    } else if (shown.id !== this.#shown?.id) {
      this.#show(shown);
    } else {
      this.#draw();
    }
  }

  /** @param {Approval} approval */
  #show(approval) {
    this.#shown = approval;
    this.#answering = false;
    this.#ignored = this.#problem = "";
    this.#guard.arm();
    if (!this.#dialog.open) this.#open();
    byId("approval-arguments", HTMLElement).scrollTop = 0;
    byId("approval-refuse", HTMLButtonElement).focus();
  }

  #open() {
    this.#dialog.showModal();
    this.#guard.arm();
    // What the browser focuses first is the list of requests.
    byId("approval-refuse", HTMLButtonElement).focus();
    this.#draw();
  }

  /** Something lies over the dialog: come to the front again, where the question has to be read anew. */
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
  async #answer(event, decision, button) {
    const approval = this.#shown;
    if (!event.isTrusted || approval === null || this.#answering) return;
    this.#ignored = this.#guard.refusal(event, button) ?? "";
    this.#answering = this.#ignored === "";
    this.#problem = "";
    this.#draw();
    if (this.#ignored !== "") return;
    try {
      await this.onAnswer(approval, decision);
      await this.connection.request("approval/answer", { approval_id: approval.id, decision });
    } catch (error) {
      if (this.#shown !== approval) return;
      this.#answering = false;
      this.#problem = `The answer did not arrive: ${String(error)}`;
      this.#draw();
    }
  }

  #draw() {
    if (this.#shown === null) return;
    const { tool, within, caller, effect, arguments: given } = this.#shown;
    render(html`
      <h2 id="approval-title">Your consent is needed</h2>
      ${this.#queue()}
      <p id="approval-question"><strong id="approval-who">${callerName(caller)}</strong> asks to
        ${within === null ? "call " : nothing}<strong id="approval-tool" class="mono">${tool}</strong>${
          within === null ? "" : html`, by <span class="mono">${within}</span>`}.</p>
      <p id="approval-effect">${EFFECTS[effect]}</p>
      <figure>
        <figcaption id="approval-caption">What the caller sent: its words, not this page's.</figcaption>
        <div id="approval-arguments" role="group" tabindex="0" aria-labelledby="approval-caption">${
          argumentList(given)}<p class="muted end">This is the end of what was sent.</p></div>
      </figure>
      <p id="approval-scope" class="muted">${scope(this.#shown)}</p>
      <p id="approval-problem" class="problem" role="alert" ?hidden=${this.#problem === ""}>${this.#problem}${
        this.#problem && html`<span class="hint">Try again.</span>`}</p>
      <p id="approval-ignored" class="ignored" role="status">${this.#ignored}</p>
      <div class="answers" data-guarded=${this.#guard.open ? nothing : ""}>${ANSWERS.map((each) => this.#button(each))}</div>
    `, this.#dialog);
  }

  /** @param {[Decision, string, string]} answer */
  #button([decision, label, look]) {
    // Not `disabled`, which would take the focus away, and with it what a screen reader reads.
    const counts = this.#guard.open && !this.#answering;
    return html`<button id="approval-${decision}" type="button" class=${look} aria-disabled=${counts ? nothing : "true"}
      @click=${(/** @type {MouseEvent & {currentTarget: HTMLElement}} */ event) =>
        this.#answer(event, decision, event.currentTarget)}>${label}</button>`;
  }

  #queue() {
    const more = this.#waiting.length - 1;
    const told = more > 0 ? `${counted(more, "more request")} ${more === 1 ? "waits" : "wait"} beside this one.` : "";
    return html`
      <p id="approval-queue" class="muted" aria-live="polite" ?hidden=${more < 1}>${told}</p>
      <ol id="approval-requests" aria-label="Requests that wait" ?hidden=${more < 1}>${
        more < 1 ? nothing : this.#waiting.map((each) => this.#request(each))}</ol>`;
  }

  /** @param {Approval} approval */
  #request(approval) {
    const { id, tool, caller, asked } = approval;
    return html`<li><button type="button" class="quiet" aria-current=${id === this.#shown?.id ? "true" : nothing}
      @click=${() => id !== this.#shown?.id && this.#show(approval)}>
        <span class="mono">${tool}</span> <span class="chip">${caller}</span>
        <span class="muted">since <time datetime=${asked}>${clock(asked)}</time></span></button></li>`;
  }
}

/**
 * @param {Store} store
 * @param {Wire} connection
 * @param {OnAnswer} onAnswer
 */
export function showApprovals(store, connection, onAnswer) {
  const dialog = new ApprovalDialog(connection, onAnswer);
  store.subscribe(whenChanged(({ approvals }) => [approvals], (state) => dialog.render(state.approvals)));
}
