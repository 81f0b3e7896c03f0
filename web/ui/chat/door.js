/**
 * The way into the chat panel, which is loaded when it is first seen.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 */

import { commands } from "../commands.js";
import { byId, showProblem } from "../elements.js";
import { loadPart } from "../parts.js";

/** @typedef {typeof import("./main.js")} Part */
/** @typedef {InstanceType<Part["ChatPanel"]>} ChatPanel */

export class ChatDoor {
  #place = byId("chat", HTMLElement);
  /** @type {Promise<ChatPanel> | null} */
  #panel = null;

  /**
   * @param {Store} store
   * @param {Actions} actions
   * @param {(id: string) => void} openPanel
   * @param {() => void} settings opens those of language models
   */
  constructor(store, actions, openPanel, settings) {
    this.store = store;
    this.actions = actions;
    this.openPanel = openPanel;
    this.settings = settings;
    const seen = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void this.#load();
    });
    seen.observe(this.#place);
    commands.add({ id: "new-chat", title: "New chat", keywords: "ask model assistant", run: () => this.open(null) });
  }

  /** Shows a chat; null is a new one. @param {string | null} id */
  async open(id) {
    this.openPanel("chat");
    (await this.#load())?.open(id);
  }

  /** Sends a text as the first of a new chat. @param {string} text */
  async start(text) {
    this.openPanel("chat");
    return (await this.#load())?.start(text);
  }

  async #load() {
    this.#panel ??= loadPart("ui-chat.js").then((/** @type {Part} */ { ChatPanel }) =>
      new ChatPanel(this.store, this.actions, this.settings));
    const problem = byId("chat-problem", HTMLElement);
    try {
      return await this.#panel;
    } catch (error) {
      this.#panel = null;
      const message = `The chat could not be loaded: ${error instanceof Error ? error.message : error}`;
      showProblem(problem, { message, hint: "Look whether you are online, then open it again." });
      return null;
    }
  }
}
