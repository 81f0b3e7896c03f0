/** The message field of a chat, with file attachments by drop, paste or button. */

import { expect } from "../../lib/elements.ts";
import { html } from "lit";
import { ref } from "lit/directives/ref.js";
import type { ChatAttachmentRow } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { acceptDrops } from "../files/drop_target.ts";
import { mentionsIn } from "../mentions.ts";
import { attachmentList } from "./message.ts";

const MOST_ROWS = 10;

interface Callbacks {
  /** returns the answer or a failure */
  send: (text: string, attachments: string[], tools: boolean) => Promise<unknown>;
  stop: () => void;
  /** of the open chat */
  switchTools: (on: boolean) => void;
  /** requests a redraw */
  onChange: () => void;
  /** shows a failure, or clears the previous one */
  showResult: (answer: unknown) => unknown;
}

export class Composer {
  #panel: HTMLElement;
  #text = "";
  #attachments: ChatAttachmentRow[] = [];
  /** True if a new chat may use tools. */
  #tools = true;
  #sending = false;
  #mentions: (field: Element | undefined) => void;
  actions: Actions;
  callbacks: Callbacks;

  constructor(panel: HTMLElement, actions: Actions, callbacks: Callbacks) {
    this.#panel = panel;
    this.actions = actions;
    this.callbacks = callbacks;
    this.#mentions = mentionsIn(actions, (text) => this.put(text));
    acceptDrops(panel, (load) => void load.then(({ files }) => this.#attach(files.map(({ file }) => file))));
  }

  focus() {
    this.#field?.focus();
  }

  put(text: string) {
    this.#text = text;
    this.callbacks.onChange();
  }

  get #field() {
    return this.#panel.querySelector<HTMLTextAreaElement>("textarea#chat-input");
  }

  /** @param chat - `tools` is undefined for a new chat */
  view({ busy, ready, tools = this.#tools }: { busy: boolean; ready: boolean; tools: boolean | undefined }) {
    const rows = Math.min(MOST_ROWS, this.#text.split("\n").length);
    return html`<div class="chat-composer">
      ${attachmentList(this.#attachments, (id) => this.#remove(id))}
      <textarea id="chat-input" rows=${rows} aria-label="Message" aria-describedby="chat-keys" placeholder="Ask a question"
        data-focus-first ${ref(this.#mentions)} .value=${this.#text} @input=${(event: Event) => this.#onInput(event)}
        @keydown=${(event: KeyboardEvent) => this.#onKey(event, busy, ready, tools)}
        @paste=${(event: ClipboardEvent) => this.#onPaste(event)}></textarea>
      <p id="chat-keys" class="visually-hidden">Enter sends the message, Shift+Enter starts a new line, @ mentions an agent, a file or a tab.</p>
      <div class="chat-buttons">
        <button type="button" class="quiet" aria-label="Attach files" ?disabled=${!ready} @click=${() => this.#pick()}>Attach</button>
        <input id="chat-files" type="file" multiple aria-label="Files to attach" hidden @change=${(event: Event) => this.#onPicked(event)}>
        <button type="button" class="quiet" aria-pressed=${tools} title="Let the model call tools of this page" ?disabled=${busy}
          @click=${() => this.#switchTools(tools)}>Tools</button>
        <span class="chat-gap"></span>
        ${
          busy
            ? html`<button id="chat-stop" type="button" data-action="stop_chat" @click=${() => this.callbacks.stop()}>Stop</button>`
            : html`<button id="chat-send" type="button" data-action="send_chat" class="primary" ?disabled=${!ready || this.#isEmpty || this.#sending}
              @click=${() => void this.#send(tools)}>Send</button>`
        }
      </div>
    </div>`;
  }

  get #isEmpty() {
    return this.#text.trim() === "" && this.#attachments.length === 0;
  }

  #onInput({ currentTarget }: Event) {
    this.#text = expect(currentTarget, HTMLTextAreaElement).value;
    this.callbacks.onChange();
  }

  #onKey(event: KeyboardEvent, busy: boolean, ready: boolean, tools: boolean) {
    if (event.isComposing) return;
    if (event.key === "Escape" && busy) this.callbacks.stop();
    else if (event.key !== "Enter" || event.shiftKey) return;
    else if (!busy && ready && !this.#isEmpty && !this.#sending) void this.#send(tools);
    event.preventDefault();
  }

  async #send(tools: boolean) {
    const [text, sent] = [this.#text, this.#attachments];
    this.#sending = true;
    const answer = await this.callbacks.send(
      text,
      sent.map(({ id }) => id),
      tools,
    );
    this.#sending = false;
    if (!isFailure(answer)) {
      // Text typed meanwhile stays.
      if (this.#text === text) this.#text = "";
      this.#attachments = this.#attachments.filter((each) => !sent.includes(each));
    }
    this.callbacks.onChange();
    this.focus();
  }

  #switchTools(on: boolean) {
    this.#tools = !on;
    this.callbacks.switchTools(!on);
    this.callbacks.onChange();
  }

  #pick() {
    const picker = this.#panel.querySelector("#chat-files");
    if (picker instanceof HTMLInputElement) picker.showPicker();
  }

  #onPicked({ currentTarget }: Event) {
    const picker = expect(currentTarget, HTMLInputElement);
    const files = [...(picker.files ?? [])];
    // Allows picking the same file again.
    picker.value = "";
    void this.#attach(files);
  }

  #onPaste(event: ClipboardEvent) {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void this.#attach(files);
  }

  async #attach(files: File[]) {
    if (files.length === 0) return;
    const answer = await this.actions.attachChat({ files: files.map((file) => ({ path: file.name, file })) });
    this.callbacks.showResult(answer);
    if (!isFailure(answer)) this.#attachments = [...this.#attachments, ...answer];
    this.callbacks.onChange();
    this.focus();
  }

  #remove(id: string) {
    this.#attachments = this.#attachments.filter((each) => each.id !== id);
    this.callbacks.onChange();
    this.focus();
  }
}
