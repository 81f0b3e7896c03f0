/**
 * Chat mode: a question for the model, or an existing chat.
 *
 * @import { ChatLauncher } from "../chat/launcher.js"
 * @import { Store } from "../store.js"
 * @import { Mode } from "./mode.js"
 */

import { when } from "../format.js";
import { fuzzyMatch } from "./fuzzy.js";
import { plain } from "./mode.js";

const MAX_CHATS = 8;

/**
 * @param {Store} store
 * @param {Pick<ChatLauncher, "open" | "start">} chat
 * @returns {Mode}
 */
export function chatMode(store, chat) {
  return {
    id: "chat",
    label: "Chat",
    placeholder: "Ask the model",
    wait: 0,
    suggest(text) {
      const question = text.trim();
      const first = question === ""
        ? { kind: "new", title: plain("New chat"), run: () => chat.open(null) }
        : { kind: "ask", title: plain(question), run: () => chat.start(question) };
      const chats = store.state.chats.flatMap(({ id, title, updated }) => {
        const pieces = question === "" ? plain(title) : fuzzyMatch(question, title)?.pieces;
        return pieces ? [{ kind: "chat", title: pieces, hint: when(updated), run: () => chat.open(id) }] : [];
      });
      return { items: [first, ...chats.slice(0, MAX_CHATS)], note: question === "" ? "Type a question and press Enter." : undefined };
    },
  };
}
