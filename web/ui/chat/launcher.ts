/**
 * Opens the chat panel, whose bundle loads when it is first visible.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 */

import { commands } from "../commands.js";
import { byId } from "../elements.js";
import { LazyView } from "../parts.js";

/** @typedef {typeof import("./main.js")} Part */
/** @typedef {InstanceType<Part["ChatPanel"]>} ChatPanel */

export class ChatLauncher {
  /** @type {LazyView<ChatPanel>} */
  #view;

  /**
   * @param {Store} store
   * @param {Actions} actions
   * @param {(id: string) => void} openPanel
   * @param {(then: () => unknown) => unknown} connectModel opens the dialog that connects a model
   */
  constructor(store, actions, openPanel, connectModel) {
    this.openPanel = openPanel;
    this.#view = new LazyView({
      part: "ui-chat.js",
      place: byId("chat", HTMLElement),
      problem: byId("chat-problem", HTMLElement),
      create: (/** @type {Part} */ { ChatPanel }) => new ChatPanel(store, actions, connectModel),
    });
    commands.add({ id: "new-chat", title: "New chat", keywords: "ask model assistant", run: () => this.open(null) });
  }

  /** Show a chat. @param {string | null} id null: a new one */
  async open(id) {
    this.openPanel("chat");
    (await this.#view.get())?.open(id);
  }

  /** Send a text as the first message of a new chat. @param {string} text */
  async start(text) {
    this.openPanel("chat");
    return (await this.#view.get())?.start(text);
  }
}
