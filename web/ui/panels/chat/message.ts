/** The view of one chat message. */

import { expect } from "../../lib/elements.ts";
import { html, nothing } from "lit";
import type { ChatAttachmentRow, ChatCallRow, ChatMessageRow } from "../../../generated/types.ts";
import { bytes, fullTime, when } from "../../lib/format.ts";
import { icon } from "../../lib/icons.ts";
import { MarkdownView } from "./markdown_view.ts";

interface Callbacks {
  retry: (message: ChatMessageRow) => void;
  copy: (message: ChatMessageRow) => void;
  /** starts or, with null, ends editing */
  edit: (id: string | null) => void;
  resend: (message: ChatMessageRow, text: string) => void;
  branch: (message: ChatMessageRow) => void;
}

interface Context {
  /** the branches, including the message */
  siblings: ChatMessageRow[];
  editing: boolean;
  /** whether an answer is being generated */
  busy: boolean;
}

const ENDED: Record<string, string> = { stopped: "Stopped", failed: "Failed" };

/** The text of drawn answers, which is extended piece by piece. */
export class Texts {
  #views = new Map<string, MarkdownView>();

  element(key: string, text: string, complete: boolean) {
    const view = this.#views.get(key) ?? new MarkdownView();
    this.#views.set(key, view);
    view.update(text, complete);
    return view.element;
  }

  clear() {
    this.#views.clear();
  }
}

export function messageView(message: ChatMessageRow, context: Context, callbacks: Callbacks, texts: Texts) {
  const mine = message.role === "user";
  const who = mine ? "You" : (message.model ?? "Model");
  return html`<article class="chat-message" data-role=${message.role} data-status=${message.status} data-message=${message.id}
    aria-label=${`${who}, ${when(message.created)}`}>
    <header><strong>${who}</strong>
      <time datetime=${message.created} title=${fullTime(message.created)}>${when(message.created)}</time></header>
    ${context.editing ? editor(message, callbacks) : mine ? ownText(message) : answer(message, texts)}
    ${context.editing ? nothing : bar(message, context, callbacks)}
  </article>`;
}

function ownText(message: ChatMessageRow) {
  const text = message.parts.map((part) => part.text).join("");
  return html`${text ? html`<p class="chat-own">${text}</p>` : nothing}${attachmentList(message.attachments)}`;
}

function answer(message: ChatMessageRow, texts: Texts) {
  const streaming = message.status === "streaming";
  const last = message.parts.length - 1;
  return html`
    ${message.thought ? html`<details class="chat-aside"><summary>Thinking</summary><pre tabindex="0">${message.thought}</pre></details>` : nothing}
    ${message.parts.map((part, index) =>
      part.call ? callView(part.call) : texts.element(`${message.id} ${index}`, part.text, !streaming || index < last),
    )}
    ${streaming && message.retry ? html`<p class="chat-retry muted" role="status">${message.retry}</p>` : nothing}
    ${streaming ? html`<p class="chat-coming muted" aria-hidden="true"><span></span>${last < 0 && !message.retry ? "Thinking…" : ""}</p>` : nothing}
    ${
      message.status in ENDED
        ? html`<p class="chat-ended">${ENDED[message.status]}${
            message.error
              ? html`: ${message.error.message}
      ${message.error.hint ? html`<span class="hint">${message.error.hint}</span>` : nothing}`
              : "."
          }</p>`
        : nothing
    }`;
}

function callView({ tool, arguments: given, result, failed }: ChatCallRow) {
  const state = result === null ? "running" : failed ? "failed" : "done";
  return html`<details class="chat-aside"><summary><code>${tool}</code> <span class="chip">${state}</span></summary>
    <pre tabindex="0">${given}</pre>${result === null ? nothing : html`<pre tabindex="0">${result}</pre>`}</details>`;
}

export function attachmentList(attachments: ChatAttachmentRow[], remove?: (id: string) => void) {
  if (attachments.length === 0) return nothing;
  return html`<ul class="chat-attachments" aria-label="Attachments">${attachments.map(
    (each) => html`<li>
    ${each.data ? html`<img src=${`data:${each.media_type};base64,${each.data}`} alt=${each.name}>` : nothing}
    <span>${each.name} <span class="muted">${bytes(each.bytes)}</span></span>
    ${remove ? html`<button type="button" class="quiet" aria-label=${`Remove ${each.name}`} @click=${() => remove(each.id)}>${icon("close")}</button>` : nothing}
  </li>`,
  )}</ul>`;
}

function editor(message: ChatMessageRow, callbacks: Callbacks) {
  const send = ({ currentTarget }: Event) => {
    const field = expect(currentTarget, HTMLElement).closest("form")?.querySelector("textarea");
    if (field) callbacks.resend(message, field.value);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") callbacks.edit(null);
    else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) send(event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`<form class="chat-edit" @submit=${(event: Event) => event.preventDefault()}>
    <textarea rows="3" aria-label="Your message" .value=${message.parts.map((part) => part.text).join("")} @keydown=${onKey}></textarea>
    <div class="answers"><button type="button" @click=${() => callbacks.edit(null)}>Cancel</button>
      <button type="button" class="primary" @click=${send}>Send</button></div>
  </form>`;
}

function bar(message: ChatMessageRow, { siblings, busy }: Context, callbacks: Callbacks) {
  if (message.status === "streaming") return nothing;
  const index = siblings.findIndex(({ id }) => id === message.id);
  const turn = (
    step: number,
    label: string,
    symbol: string,
  ) => html`<button type="button" class="quiet" aria-label=${label} ?disabled=${busy || !siblings[index + step]}
    @click=${() => callbacks.branch(siblings[index + step])}>${symbol}</button>`;
  const tokens = message.usage.input + message.usage.output;
  return html`<footer>
    ${
      siblings.length > 1
        ? html`<span class="chat-branches" role="group" aria-label="Branches">${turn(-1, "Previous branch", "‹")}
      <span>${index + 1}/${siblings.length}</span>${turn(1, "Next branch", "›")}</span>`
        : nothing
    }
    ${
      message.role === "user"
        ? html`<button type="button" class="quiet" ?disabled=${busy} @click=${() => callbacks.edit(message.id)}>Edit</button>`
        : html`<button type="button" class="quiet" ?disabled=${busy} @click=${() => callbacks.retry(message)}>Retry</button>`
    }
    <button type="button" class="quiet" @click=${() => callbacks.copy(message)}>Copy</button>
    ${tokens > 0 ? html`<span class="muted">${tokens.toLocaleString()} tokens</span>` : nothing}
  </footer>`;
}
