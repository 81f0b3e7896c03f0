/**
 * The message field of a chat, with file attachments by drop, paste or button.
 *
 * @import { Actions } from "../actions.js"
 * @import { ChatAttachmentRow } from "../../generated/types.js"
 */

import { html } from "lit";
import { ref } from "lit/directives/ref.js";
import { isFailure } from "../call.js";
import { acceptDrops } from "../files/drop_target.js";
import { mentionsIn } from "../mentions.js";
import { attachmentList } from "./message.js";

const MOST_ROWS = 10;

/**
 * @typedef {object} Callbacks
 * @property {(text: string, attachments: string[], tools: boolean) => Promise<unknown>} send returns the answer or a failure
 * @property {() => void} stop
 * @property {(on: boolean) => void} switchTools of the open chat
 * @property {() => void} onChange requests a redraw
 * @property {(answer: unknown) => unknown} showResult shows a failure, or clears the previous one
 */

export class Composer {
  #panel;
  #text = "";
  /** @type {ChatAttachmentRow[]} */
  #attachments = [];
  /** True if a new chat may use tools. */
  #tools = true;
  #sending = false;
  #mentions;

  /** @param {HTMLElement} panel @param {Actions} actions @param {Callbacks} callbacks */
  constructor(panel, actions, callbacks) {
    this.#panel = panel;
    this.actions = actions;
    this.callbacks = callbacks;
    this.#mentions = mentionsIn(actions, (text) => this.put(text));
    acceptDrops(panel, (load) => void load.then(({ files }) => this.#attach(files.map(({ file }) => file))));
  }

  focus() {
    this.#field?.focus();
  }

  /** @param {string} text */
  put(text) {
    this.#text = text;
    this.callbacks.onChange();
  }

  get #field() {
    return this.#panel.querySelector("textarea#chat-input") instanceof HTMLTextAreaElement
      ? /** @type {HTMLTextAreaElement} */ (this.#panel.querySelector("textarea#chat-input")) : null;
  }

  /** @param {{busy: boolean, ready: boolean, tools: boolean | undefined}} chat `tools` is undefined for a new chat */
  view({ busy, ready, tools = this.#tools }) {
    const rows = Math.min(MOST_ROWS, this.#text.split("\n").length);
    return html`<div class="chat-composer">
      ${attachmentList(this.#attachments, (id) => this.#remove(id))}
      <textarea id="chat-input" rows=${rows} aria-label="Message" aria-describedby="chat-keys" placeholder="Ask a question"
        data-focus-first ${ref(this.#mentions)} .value=${this.#text} @input=${(/** @type {Event} */ event) => this.#onInput(event)}
        @keydown=${(/** @type {KeyboardEvent} */ event) => this.#onKey(event, busy, ready, tools)}
        @paste=${(/** @type {ClipboardEvent} */ event) => this.#onPaste(event)}></textarea>
      <p id="chat-keys" class="visually-hidden">Enter sends the message, Shift+Enter starts a new line, @ mentions an agent, a file or a tab.</p>
      <div class="chat-buttons">
        <button type="button" class="quiet" aria-label="Attach files" ?disabled=${!ready} @click=${() => this.#pick()}>Attach</button>
        <input id="chat-files" type="file" multiple aria-label="Files to attach" hidden @change=${(/** @type {Event} */ event) => this.#onPicked(event)}>
        <button type="button" class="quiet" aria-pressed=${tools} title="Let the model call tools of this page" ?disabled=${busy}
          @click=${() => this.#switchTools(tools)}>Tools</button>
        <span class="chat-gap"></span>
        ${busy
          ? html`<button id="chat-stop" type="button" data-action="stop_chat" @click=${() => this.callbacks.stop()}>Stop</button>`
          : html`<button id="chat-send" type="button" data-action="send_chat" class="primary" ?disabled=${!ready || this.#isEmpty || this.#sending}
              @click=${() => void this.#send(tools)}>Send</button>`}
      </div>
    </div>`;
  }

  get #isEmpty() {
    return this.#text.trim() === "" && this.#attachments.length === 0;
  }

  /** @param {Event} event */
  #onInput({ currentTarget }) {
    this.#text = /** @type {HTMLTextAreaElement} */ (currentTarget).value;
    this.callbacks.onChange();
  }

  /** @param {KeyboardEvent} event @param {boolean} busy @param {boolean} ready @param {boolean} tools */
  #onKey(event, busy, ready, tools) {
    if (event.isComposing) return;
    if (event.key === "Escape" && busy) this.callbacks.stop();
    else if (event.key !== "Enter" || event.shiftKey) return;
    else if (!busy && ready && !this.#isEmpty && !this.#sending) void this.#send(tools);
    event.preventDefault();
  }

  /** @param {boolean} tools */
  async #send(tools) {
    const [text, sent] = [this.#text, this.#attachments];
    this.#sending = true;
    const answer = await this.callbacks.send(text, sent.map(({ id }) => id), tools);
    this.#sending = false;
    if (!isFailure(answer)) {
      // Text typed meanwhile stays.
      if (this.#text === text) this.#text = "";
      this.#attachments = this.#attachments.filter((each) => !sent.includes(each));
    }
    this.callbacks.onChange();
    this.focus();
  }

  /** @param {boolean} on */
  #switchTools(on) {
    this.#tools = !on;
    this.callbacks.switchTools(!on);
    this.callbacks.onChange();
  }

  #pick() {
    const picker = this.#panel.querySelector("#chat-files");
    if (picker instanceof HTMLInputElement) picker.showPicker();
  }

  /** @param {Event} event */
  #onPicked({ currentTarget }) {
    const picker = /** @type {HTMLInputElement} */ (currentTarget);
    const files = [...(picker.files ?? [])];
    // Allows picking the same file again.
    picker.value = "";
    void this.#attach(files);
  }

  /** @param {ClipboardEvent} event */
  #onPaste(event) {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void this.#attach(files);
  }

  /** @param {File[]} files */
  async #attach(files) {
    if (files.length === 0) return;
    const answer = await this.actions.attachChat({ files: files.map((file) => ({ path: file.name, file })) });
    this.callbacks.showResult(answer);
    if (!isFailure(answer)) this.#attachments = [...this.#attachments, ...answer];
    this.callbacks.onChange();
    this.focus();
  }

  /** @param {string} id */
  #remove(id) {
    this.#attachments = this.#attachments.filter((each) => each.id !== id);
    this.callbacks.onChange();
    this.focus();
  }
}
