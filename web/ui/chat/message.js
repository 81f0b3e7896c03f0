/**
 * One message of a chat, as it is drawn.
 *
 * @import { ChatAttachment, ChatCall, ChatMessage } from "../types.js"
 */

import { html, nothing } from "lit";
import { bytes, fullTime, when } from "../format.js";
import { icon } from "../workbench/icons.js";
import { MarkdownView } from "./markdown_view.js";

/**
 * @typedef {object} Handlers
 * @property {(message: ChatMessage) => void} retry
 * @property {(message: ChatMessage) => void} copy
 * @property {(id: string | null) => void} edit begins or ends that
 * @property {(message: ChatMessage, text: string) => void} resend
 * @property {(message: ChatMessage) => void} branch
 *
 * @typedef {object} Around
 * @property {ChatMessage[]} siblings the branches that it is one of
 * @property {boolean} editing
 * @property {boolean} busy an answer is coming
 */

/** @type {Record<string, string>} */
const ENDED = { stopped: "Stopped", failed: "Failed" };

/** The texts of answers that were drawn, so that each is drawn piece by piece. */
export class Texts {
  /** @type {Map<string, MarkdownView>} */
  #views = new Map();

  /** @param {string} key @param {string} text @param {boolean} whole */
  element(key, text, whole) {
    const view = this.#views.get(key) ?? new MarkdownView();
    this.#views.set(key, view);
    view.update(text, whole);
    return view.element;
  }

  clear() {
    this.#views.clear();
  }
}

/** @param {ChatMessage} message @param {Around} around @param {Handlers} handlers @param {Texts} texts */
export function messageView(message, around, handlers, texts) {
  const mine = message.role === "user";
  const who = mine ? "You" : message.model ?? "Model";
  return html`<article class="chat-message" data-role=${message.role} data-status=${message.status} data-message=${message.id}
    aria-label=${`${who}, ${when(message.created)}`}>
    <header><strong>${who}</strong>
      <time datetime=${message.created} title=${fullTime(message.created)}>${when(message.created)}</time></header>
    ${around.editing ? editor(message, handlers) : mine ? ownText(message) : answer(message, texts)}
    ${around.editing ? nothing : bar(message, around, handlers)}
  </article>`;
}

/** @param {ChatMessage} message */
function ownText(message) {
  const text = message.parts.map((part) => part.text).join("");
  return html`${text ? html`<p class="chat-own">${text}</p>` : nothing}${attachmentList(message.attachments)}`;
}

/** @param {ChatMessage} message @param {Texts} texts */
function answer(message, texts) {
  const coming = message.status === "streaming";
  const last = message.parts.length - 1;
  return html`
    ${message.thought ? html`<details class="chat-aside"><summary>Thinking</summary><pre tabindex="0">${message.thought}</pre></details>` : nothing}
    ${message.parts.map((part, index) => part.call
      ? callView(part.call)
      : texts.element(`${message.id} ${index}`, part.text, !coming || index < last))}
    ${coming ? html`<p class="chat-coming muted" aria-hidden="true"><span></span>${last < 0 ? "Thinking…" : ""}</p>` : nothing}
    ${message.status in ENDED ? html`<p class="chat-ended">${ENDED[message.status]}${message.error ? html`: ${message.error.message}
      ${message.error.hint ? html`<span class="hint">${message.error.hint}</span>` : nothing}` : "."}</p>` : nothing}`;
}

/** @param {ChatCall} call */
function callView({ tool, arguments: given, result, failed }) {
  const state = result === null ? "runs" : failed ? "failed" : "done";
  return html`<details class="chat-aside"><summary><code>${tool}</code> <span class="chip">${state}</span></summary>
    <pre tabindex="0">${given}</pre>${result === null ? nothing : html`<pre tabindex="0">${result}</pre>`}</details>`;
}

/** @param {ChatAttachment[]} attachments @param {(id: string) => void} [remove] */
export function attachmentList(attachments, remove) {
  if (attachments.length === 0) return nothing;
  return html`<ul class="chat-attachments" aria-label="Attachments">${attachments.map((each) => html`<li>
    ${each.data ? html`<img src=${`data:${each.media_type};base64,${each.data}`} alt=${each.name}>` : nothing}
    <span>${each.name} <span class="muted">${bytes(each.bytes)}</span></span>
    ${remove ? html`<button type="button" class="quiet" aria-label=${`Remove ${each.name}`} @click=${() => remove(each.id)}>${icon("close")}</button>` : nothing}
  </li>`)}</ul>`;
}

/** @param {ChatMessage} message @param {Handlers} handlers */
function editor(message, handlers) {
  const send = (/** @type {Event} */ { currentTarget }) => {
    const field = /** @type {HTMLElement} */ (currentTarget).closest("form")?.querySelector("textarea");
    if (field) handlers.resend(message, field.value);
  };
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (event.key === "Escape") handlers.edit(null);
    else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) send(event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`<form class="chat-edit" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <textarea rows="3" aria-label="Your message" .value=${message.parts.map((part) => part.text).join("")} @keydown=${onKey}></textarea>
    <div class="answers"><button type="button" @click=${() => handlers.edit(null)}>Cancel</button>
      <button type="button" class="primary" @click=${send}>Send</button></div>
  </form>`;
}

/** @param {ChatMessage} message @param {Around} around @param {Handlers} handlers */
function bar(message, { siblings, busy }, handlers) {
  if (message.status === "streaming") return nothing;
  const index = siblings.findIndex(({ id }) => id === message.id);
  /** @param {number} step @param {string} label @param {string} sign */
  const turn = (step, label, sign) => html`<button type="button" class="quiet" aria-label=${label} ?disabled=${busy || !siblings[index + step]}
    @click=${() => handlers.branch(/** @type {ChatMessage} */ (siblings[index + step]))}>${sign}</button>`;
  const tokens = message.usage.input + message.usage.output;
  return html`<footer>
    ${siblings.length > 1 ? html`<span class="chat-branches" role="group" aria-label="Branches">${turn(-1, "Branch before", "‹")}
      <span>${index + 1}/${siblings.length}</span>${turn(1, "Branch after", "›")}</span>` : nothing}
    ${message.role === "user"
      ? html`<button type="button" class="quiet" ?disabled=${busy} @click=${() => handlers.edit(message.id)}>Edit</button>`
      : html`<button type="button" class="quiet" ?disabled=${busy} @click=${() => handlers.retry(message)}>Retry</button>`}
    <button type="button" class="quiet" @click=${() => handlers.copy(message)}>Copy</button>
    ${tokens > 0 ? html`<span class="muted">${tokens.toLocaleString()} tokens</span>` : nothing}
  </footer>`;
}
