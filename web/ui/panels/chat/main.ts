/** The chat panel. A separate bundle that loads when the panel is first visible. */

import { html, nothing, render } from "lit";
import { guard } from "lit/directives/guard.js";
import { live } from "lit/directives/live.js";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { ChatMessageRow, ChatRow } from "../../../generated/types.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { copyText } from "../../lib/copying.ts";
import { download } from "../../lib/download.ts";
import { byId, focusIn, showProblem } from "../../lib/elements.ts";
import { submitting } from "../../lib/forms.ts";
import { FollowingEnd } from "../../lib/following_end.ts";
import { loadSaved, save } from "../../../shared/local_state.ts";
import type { Actions } from "../../state/actions.ts";
import { loadingView } from "../models/loading.ts";
import { allowance, CHAT } from "../../state/model_tickets.ts";
import { agrees } from "../../lib/question.ts";
import type { Store } from "../../state/store.ts";
import type { State } from "../../state/types.ts";
import type { CodeActions } from "./code_block.ts";
import { Composer } from "./composer.ts";
import { messageView, Texts } from "./message.ts";
import { pathTo } from "../../state/chats.ts";

const LAST = "chat.open";
const ANNOUNCED_CHARS = 1_000;

export { MarkdownView } from "./markdown_view.ts";

export class ChatPanel {
  #place = byId("chat-body", HTMLElement);
  #problem = byId("chat-problem", HTMLElement);
  #texts: Texts;
  #state: State | null = null;
  /** the id of the message being edited */
  #editing: string | null = null;
  #renaming = false;
  #reading = false;
  /** True once a chat, or a new one, was opened in this page. */
  #opened = false;
  #announcement = "";
  /** the id of the answer being generated */
  #pending: string | null = null;
  #composer: Composer;
  #end: FollowingEnd | null = null;
  store: Store;
  actions: Actions;
  connectModel: (then: () => unknown) => unknown;

  /**
   * @param connectModel - opens the dialog that connects a model
   * @param code - where the code of answers goes
   */
  constructor(store: Store, actions: Actions, connectModel: (then: () => unknown) => unknown, code: CodeActions) {
    this.#texts = new Texts(code);
    this.store = store;
    this.actions = actions;
    this.connectModel = connectModel;
    this.#composer = new Composer(byId("chat", HTMLElement), actions, {
      send: (text, attachments, tools) => this.#send(text, attachments, tools),
      stop: () => void this.#stop(),
      switchTools: (on) => void this.#change({ tools: on }),
      onChange: () => this.#draw(),
      showResult: (answer) => this.#showResult(answer),
    });
    const parts = ({ chats, chat, models, kernel, seq }: State) => [chats, chat, models, kernel, seq === null];
    store.follow(parts, (state) => this.render(state));
  }

  render(state: State) {
    this.#state = state;
    if (!this.#opened && state.seq !== null) this.#openLast(state);
    if (state.kernel === "ready" && state.chat?.seq === null) void this.#read(state.chat.id);
    this.#announce();
    this.#draw();
  }

  /** Show the chat of the last visit. */
  #openLast({ chats }: State) {
    this.#opened = true;
    const last = loadSaved(LAST, "");
    if (chats.some(({ id }) => id === last)) this.store.dispatch({ type: "chat_opening", id: last });
  }

  /**
   * Show a chat.
   * @param id - null: a new one
   * @param options - whether to focus the message field
   */
  open(id: string | null, { focus = true }: { focus?: boolean } = {}) {
    this.#opened = true;
    this.#follow();
    this.#texts.clear();
    this.#editing = null;
    this.#renaming = false;
    this.#pending = null;
    save(LAST, id ?? "");
    showProblem(this.#problem, null);
    this.store.dispatch({ type: "chat_opening", id });
    if (focus) this.#composer.focus();
  }

  /** Send a text as the first message of a new chat. */
  async start(text: string) {
    this.open(null);
    const answer = await this.#send(text, [], true, null);
    // Keep the text after a failure.
    if (isFailure(answer)) this.#composer.put(text);
    return answer;
  }

  get #row(): ChatRow | null {
    return this.#state?.chats.find(({ id }) => id === this.#state?.chat?.id) ?? null;
  }

  get #path() {
    return pathTo(this.#state?.chat?.messages ?? [], this.#row?.current ?? null);
  }

  async #read(asked: string): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    const answer = await this.actions.openChat({ chat_id: asked });
    this.#reading = false;
    if (isFailure(answer)) {
      if (answer.error.type === "ChatMissing") this.store.dispatch({ type: "chat_opening", id: null });
      this.#showResult(answer);
      return;
    }
    this.store.dispatch({ type: "chat_opened", opened: answer });
    // Another chat may have been opened meanwhile.
    const { chat } = this.store.state;
    if (chat?.seq === null && chat.id !== asked) void this.#read(chat.id);
    this.#draw();
  }

  async #send(text: string, attachments: string[], tools: boolean, chat = this.#state?.chat?.id ?? null) {
    const answer = await this.actions.sendChat({ chat_id: chat, text, attachments, tools });
    if (isFailure(answer)) return this.#showResult(answer);
    showProblem(this.#problem, null);
    if (chat === null) this.open(answer.chat_id);
    this.#follow();
    return answer;
  }

  async #stop() {
    if (this.#row) this.#showResult(await this.actions.stopChat({ chat_id: this.#row.id }));
  }

  async #change(change: { title?: string; tools?: boolean }) {
    if (this.#row) this.#showResult(await this.actions.changeChat({ chat_id: this.#row.id, ...change }));
  }

  async #delete() {
    const row = this.#row;
    if (!row) return;
    const text = `“${row.title}” and all its branches are deleted permanently.`;
    if (!(await agrees("Delete this chat?", text, { value: "delete", label: "Delete" }))) return;
    this.open(null);
    this.#showResult(await this.actions.deleteChat({ chat_id: row.id }));
  }

  async #export(format: "markdown" | "json") {
    if (!this.#row) return;
    const answer = await this.actions.exportChat({ chat_id: this.#row.id, format });
    if (!isFailure(answer)) download(answer.blob, answer.name);
    this.#showResult(answer);
  }

  #showResult<Answer>(answer: Answer) {
    showProblem(this.#problem, isFailure(answer) ? answer.error : null);
    return answer;
  }

  /** Announce an answer to screen readers once it is complete. */
  #announce() {
    const last = this.#path.at(-1);
    if (last?.status === "streaming") this.#pending = last.id;
    else if (last && last.id === this.#pending) {
      this.#pending = null;
      this.#announcement = `${last.status === "done" ? "Answer" : `Answer, ${last.status}`}: ${textOf(last).slice(0, ANNOUNCED_CHARS)}`;
    }
  }

  #draw() {
    const path = this.#path;
    const busy = this.#row?.busy ?? false;
    render(
      html`${this.#heading()}
      <div id="chat-scroll" class="scroll" tabindex="0" role="region" aria-label="Messages">
        ${path.length === 0 ? this.#empty() : nothing}
        ${repeatBy(path, "id", (message) => this.#message(message, busy))}
      </div>
      ${loadingView(this.#state?.models)}
      ${this.#composer.view({ busy, ready: this.#state?.kernel === "ready", tools: this.#row?.tools })}
      <p class="visually-hidden" role="status">${this.#announcement}</p>`,
      this.#place,
    );
    this.#end ??= new FollowingEnd(byId("chat-scroll", HTMLElement), () => this.#end?.toEnd());
    this.#end.toEnd();
  }

  /** Follow the end again. */
  #follow() {
    if (!this.#end) return;
    this.#end.follows = true;
    this.#end.toEnd();
  }

  #heading() {
    const row = this.#row;
    const chats = this.#state?.chats ?? [];
    if (row && this.#renaming) return this.#renamer(row);
    const pick = ({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
      this.open(currentTarget.value || null, { focus: false });
    const button = (label: string, act: () => void, name: string = label) =>
      html`<button type="button" class="quiet" aria-label=${name} @click=${act}>${label}</button>`;
    return html`<div class="bar chat-bar">
      <select id="chat-select" aria-label="Chat" @change=${pick}>
        <option value="" .selected=${!row}>New chat</option>
        ${repeatBy(
          chats,
          "id",
          ({ id, title, busy }) =>
            html`<option value=${id} .selected=${id === row?.id}>${title}${busy ? " …" : ""}</option>`,
        )}
      </select>
      <button id="chat-new" type="button" aria-label="New chat" @click=${() => this.open(null)}>New</button>
      ${this.#models()}
      <div class="chat-actions" ?hidden=${!row}>
        ${button("Rename", () => this.#rename(true))}
        ${button("Export Markdown", () => void this.#export("markdown"))}
        ${button("Export JSON", () => void this.#export("json"), "Export JSON, with all branches")}
        ${button("Delete", () => void this.#delete())}
      </div>
    </div>`;
  }

  /** The model that answers, and the choice of another. */
  #models() {
    const models = this.#state?.models;
    if (!models || models.choices.length === 0) return nothing;
    const used = models.agents[CHAT] ?? models.default;
    const choose = async ({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
      this.#showResult(await this.actions.chooseModel({ id: currentTarget.value, agent: CHAT }));
    return html`<select id="chat-model" aria-label="Model" @change=${choose}>${models.choices.map(
      ({ id, label }) => html`<option value=${id} .selected=${live(id === used)}>${label}</option>`,
    )}</select>`;
  }

  #renamer(row: ChatRow) {
    const done = submitting(async (form) => {
      const field = form.querySelector("input");
      const answer = await this.actions.changeChat({ chat_id: row.id, ...{ title: field?.value ?? "" } });
      if (!isFailure(this.#showResult(answer))) this.#rename(false);
    });
    const leave = (event: KeyboardEvent) => event.key === "Escape" && this.#rename(false);
    return html`<form class="bar chat-bar" @submit=${done} @keydown=${leave}>
      <input id="chat-name" type="text" aria-label="Chat name" .value=${row.title}>
      <button type="submit" class="primary">Rename</button>
      <button type="button" @click=${() => this.#rename(false)}>Cancel</button>
    </form>`;
  }

  #rename(on: boolean) {
    this.#renaming = on;
    this.#draw();
    focusIn(this.#place, on ? "#chat-name" : "#chat-select");
  }

  #empty() {
    if (this.#state?.kernel !== "ready") return nothing;
    const { chosen, why, choices, agents } = this.#state.models;
    if (chosen !== null) {
      const limits = allowance(this.#state.models, CHAT);
      const label = choices.find(({ id }) => id === (agents[CHAT] ?? chosen))?.label ?? chosen;
      return html`<p class="empty">Ask ${label} a question below. Drop files here to attach them.
        ${limits === null ? nothing : html`<span id="chat-allowance">Sending may cost ${limits}</span>`}</p>`;
    }
    return html`<div class="empty chat-empty"><p>No language model is connected. ${why}</p>
      <p><button type="button" class="primary" id="chat-connect" @click=${() => this.connectModel(() => this.#composer.focus())}>Connect a model</button></p></div>`;
  }

  #message(message: ChatMessageRow, busy: boolean) {
    const all = this.#state?.chat?.messages ?? [];
    const siblings = all.filter(({ parent }) => parent === message.parent);
    const editing = this.#editing === message.id;
    return guard([message, editing, busy, siblings.length], () =>
      messageView(
        message,
        { siblings, editing, busy },
        {
          retry: (of) => void this.#again(of, (chat) => this.actions.retryChat({ chat_id: chat, message_id: of.id })),
          resend: (of, text) =>
            void this.#again(of, (chat) => this.actions.editChat({ chat_id: chat, message_id: of.id, text })),
          branch: (of) => void this.#branch(of),
          edit: (id) => this.#edit(id, message.id),
          copy: (of) => void this.#copy(of),
        },
        this.#texts,
      ),
    );
  }

  /**
   * @param id - null ends editing
   * @param from - the message that is focused afterwards
   */
  #edit(id: string | null, from: string) {
    this.#editing = id;
    this.#draw();
    const place = this.#place.querySelector(`[data-message="${CSS.escape(from)}"]`);
    const field = place?.querySelector(id === null ? "footer button:last-of-type" : "textarea");
    if (field instanceof HTMLElement) field.focus();
  }

  async #again(message: ChatMessageRow, act: (chat: string) => Promise<unknown>) {
    if (!this.#row) return;
    const answer = this.#showResult(await act(this.#row.id));
    if (isFailure(answer)) return;
    if (this.#editing === message.id) this.#editing = null;
    this.#draw();
    this.#composer.focus();
    this.#follow();
  }

  async #branch(message: ChatMessageRow) {
    if (
      !this.#row ||
      isFailure(this.#showResult(await this.actions.branchChat({ chat_id: this.#row.id, message_id: message.id })))
    )
      return;
    const place = this.#place.querySelector(
      `[data-message="${CSS.escape(message.id)}"] .chat-branches button:not(:disabled)`,
    );
    if (place instanceof HTMLElement) place.focus();
    else this.#composer.focus();
  }

  async #copy(message: ChatMessageRow) {
    const problem = await copyText(textOf(message), "export the chat");
    showProblem(this.#problem, problem);
    if (!problem) this.#announcement = "Message copied.";
    this.#draw();
  }
}

function textOf(message: ChatMessageRow) {
  return message.parts
    .map(({ text }) => text)
    .filter((text) => text !== "")
    .join("\n\n");
}
