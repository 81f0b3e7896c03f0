/** Chat mode: a question for the model, or an existing chat. */

import type { ChatLauncher } from "../panels/chat/launcher.ts";
import { when } from "../lib/format.ts";
import type { Store } from "../state/store.ts";
import { fuzzyMatch } from "./fuzzy.ts";
import { plain, type Mode } from "./mode.ts";

const MAX_CHATS = 8;

export function chatMode(store: Store, chat: Pick<ChatLauncher, "open" | "start">): Mode {
  return {
    id: "chat",
    label: "Chat",
    placeholder: "Ask the model",
    wait: 0,
    suggest(text) {
      const question = text.trim();
      const first =
        question === ""
          ? { kind: "new", title: plain("New chat"), run: () => chat.open(null) }
          : { kind: "ask", title: plain(question), run: () => chat.start(question) };
      const chats = store.state.chats.flatMap(({ id, title, updated }) => {
        const pieces = question === "" ? plain(title) : fuzzyMatch(question, title)?.pieces;
        return pieces ? [{ kind: "chat", title: pieces, hint: when(updated), run: () => chat.open(id) }] : [];
      });
      return {
        items: [first, ...chats.slice(0, MAX_CHATS)],
        note: question === "" ? "Type a question and press Enter." : undefined,
      };
    },
  };
}
