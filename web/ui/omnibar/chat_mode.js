/**
 * Chats: a question for the model, or a chat that is there.
 *
 * @import { ChatDoor } from "../chat/door.js"
 * @import { Store } from "../store.js"
 * @import { Mode } from "./mode.js"
 */

import { when } from "../format.js";
import { fuzzy } from "./fuzzy.js";
import { plain } from "./mode.js";

const MOST = 8;

/**
 * @param {Store} store
 * @param {Pick<ChatDoor, "open" | "start">} chat
 * @returns {Mode}
 */
export function chatMode(store, chat) {
  return {
    id: "chat",
    label: "Chat",
    placeholder: "Ask the model",
    wait: 0,
    suggest(text) {
      const asked = text.trim();
      const first = asked === ""
        ? { kind: "new", title: plain("New chat"), run: () => chat.open(null) }
        : { kind: "ask", title: plain(asked), run: () => chat.start(asked) };
      const chats = store.state.chats.flatMap(({ id, title, updated }) => {
        const pieces = asked === "" ? plain(title) : fuzzy(asked, title)?.pieces;
        return pieces ? [{ kind: "chat", title: pieces, hint: when(updated), run: () => chat.open(id) }] : [];
      });
      return { items: [first, ...chats.slice(0, MOST)], note: asked === "" ? "Type a question; Enter sends it." : undefined };
    },
  };
}
