/**
 * The view of one chat message.
 *
 * @import { ChatAttachmentRow, ChatCallRow, ChatMessageRow } from "../../generated/types.js"
 */

import { html, nothing } from "lit";
import { bytes, fullTime, when } from "../format.js";
import { icon } from "../workbench/icons.js";
import { MarkdownView } from "./markdown_view.js";

/**
 * @typedef {object} Callbacks
 * @property {(message: ChatMessageRow) => void} retry
 * @property {(message: ChatMessageRow) => void} copy
 * @property {(id: string | null) => void} edit starts or, with null, ends editing
 * @property {(message: ChatMessageRow, text: string) => void} resend
 * @property {(message: ChatMessageRow) => void} branch
 *
 * @typedef {object} Context
 * @property {ChatMessageRow[]} siblings the branches, including the message
 * @property {boolean} editing
 * @property {boolean} busy whether an answer is being generated
 */

/** @type {Record<string, string>} */
const ENDED = { stopped: "Stopped", failed: "Failed" };

/** The texts of drawn answers, which are extended piece by piece. */
export class Texts {
  /** @type {Map<string, MarkdownView>} */
  #views = new Map();

  /** @param {string} key @param {string} text @param {boolean} complete */
  element(key, text, complete) {
    const view = this.#views.get(key) ?? new MarkdownView();
    this.#views.set(key, view);
    view.update(text, complete);
    return view.element;
  }

  clear() {
    this.#views.clear();
  }
}

/** @param {ChatMessageRow} message @param {Context} context @param {Callbacks} callbacks @param {Texts} texts */
export function messageView(message, context, callbacks, texts) {
  const mine = message.role === "user";
  const who = mine ? "You" : message.model ?? "Model";
  return html`<article class="chat-message" data-role=${message.role} data-status=${message.status} data-message=${message.id}
    aria-label=${`${who}, ${when(message.created)}`}>
    <header><strong>${who}</strong>
      <time datetime=${message.created} title=${fullTime(message.created)}>${when(message.created)}</time></header>
    ${context.editing ? editor(message, callbacks) : mine ? ownText(message) : answer(message, texts)}
    ${context.editing ? nothing : bar(message, context, callbacks)}
  </article>`;
}

/** @param {ChatMessageRow} message */
function ownText(message) {
  const text = message.parts.map((part) => part.text).join("");
  return html`${text ? html`<p class="chat-own">${text}</p>` : nothing}${attachmentList(message.attachments)}`;
}

/** @param {ChatMessageRow} message @param {Texts} texts */
function answer(message, texts) {
  const streaming = message.status === "streaming";
  const last = message.parts.length - 1;
  return html`
    ${message.thought ? html`<details class="chat-aside"><summary>Thinking</summary><pre tabindex="0">${message.thought}</pre></details>` : nothing}
    ${message.parts.map((part, index) => part.call
      ? callView(part.call)
      : texts.element(`${message.id} ${index}`, part.text, !streaming || index < last))}
    ${streaming ? html`<p class="chat-coming muted" aria-hidden="true"><span></span>${last < 0 ? "Thinking…" : ""}</p>` : nothing}
    ${message.status in ENDED ? html`<p class="chat-ended">${ENDED[message.status]}${message.error ? html`: ${message.error.message}
      ${message.error.hint ? html`<span class="hint">${message.error.hint}</span>` : nothing}` : "."}</p>` : nothing}`;
}

/** @param {ChatCallRow} call */
function callView({ tool, arguments: given, result, failed }) {
  const state = result === null ? "running" : failed ? "failed" : "done";
  return html`<details class="chat-aside"><summary><code>${tool}</code> <span class="chip">${state}</span></summary>
    <pre tabindex="0">${given}</pre>${result === null ? nothing : html`<pre tabindex="0">${result}</pre>`}</details>`;
}

/** @param {ChatAttachmentRow[]} attachments @param {(id: string) => void} [remove] */
export function attachmentList(attachments, remove) {
  if (attachments.length === 0) return nothing;
  return html`<ul class="chat-attachments" aria-label="Attachments">${attachments.map((each) => html`<li>
    ${each.data ? html`<img src=${`data:${each.media_type};base64,${each.data}`} alt=${each.name}>` : nothing}
    <span>${each.name} <span class="muted">${bytes(each.bytes)}</span></span>
    ${remove ? html`<button type="button" class="quiet" aria-label=${`Remove ${each.name}`} @click=${() => remove(each.id)}>${icon("close")}</button>` : nothing}
  </li>`)}</ul>`;
}

/** @param {ChatMessageRow} message @param {Callbacks} callbacks */
function editor(message, callbacks) {
  const send = (/** @type {Event} */ { currentTarget }) => {
    const field = /** @type {HTMLElement} */ (currentTarget).closest("form")?.querySelector("textarea");
    if (field) callbacks.resend(message, field.value);
  };
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (event.key === "Escape") callbacks.edit(null);
    else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) send(event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`<form class="chat-edit" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <textarea rows="3" aria-label="Your message" .value=${message.parts.map((part) => part.text).join("")} @keydown=${onKey}></textarea>
    <div class="answers"><button type="button" @click=${() => callbacks.edit(null)}>Cancel</button>
      <button type="button" class="primary" @click=${send}>Send</button></div>
  </form>`;
}

/** @param {ChatMessageRow} message @param {Context} context @param {Callbacks} callbacks */
function bar(message, { siblings, busy }, callbacks) {
  if (message.status === "streaming") return nothing;
  const index = siblings.findIndex(({ id }) => id === message.id);
  /** @param {number} step @param {string} label @param {string} symbol */
  const turn = (step, label, symbol) => html`<button type="button" class="quiet" aria-label=${label} ?disabled=${busy || !siblings[index + step]}
    @click=${() => callbacks.branch(/** @type {ChatMessageRow} */ (siblings[index + step]))}>${symbol}</button>`;
  const tokens = message.usage.input + message.usage.output;
  return html`<footer>
    ${siblings.length > 1 ? html`<span class="chat-branches" role="group" aria-label="Branches">${turn(-1, "Previous branch", "‹")}
      <span>${index + 1}/${siblings.length}</span>${turn(1, "Next branch", "›")}</span>` : nothing}
    ${message.role === "user"
      ? html`<button type="button" class="quiet" ?disabled=${busy} @click=${() => callbacks.edit(message.id)}>Edit</button>`
      : html`<button type="button" class="quiet" ?disabled=${busy} @click=${() => callbacks.retry(message)}>Retry</button>`}
    <button type="button" class="quiet" @click=${() => callbacks.copy(message)}>Copy</button>
    ${tokens > 0 ? html`<span class="muted">${tokens.toLocaleString()} tokens</span>` : nothing}
  </footer>`;
}
