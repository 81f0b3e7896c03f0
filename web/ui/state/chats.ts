/** The chats in the page's state. Messages are read when a chat is opened; events until then wait for them. */

import type { ChatMessageRow, ChatPartRow, ChatRow, KernelEvent, OpenChatResult } from "../../generated/types.ts";
import type { ChatEvent, OpenChat } from "./types.ts";

/** @param chats - most recently changed first */
export function applyToChats(chats: ChatRow[], event: Extract<KernelEvent, { type: "chat_changed" | "chat_deleted" }>) {
  if (event.type === "chat_deleted") return chats.filter(({ id }) => id !== event.chat_id);
  return [event.chat, ...chats.filter(({ id }) => id !== event.chat.id)];
}

export function openingChat(id: string | null): OpenChat | null {
  return id === null ? null : { id, messages: [], seq: null, waiting: [] };
}

/** Mark the messages to be read again. */
export function forgetChat(chat: OpenChat | null): OpenChat | null {
  return chat && { ...chat, seq: null, waiting: [] };
}

export function openedChat(chat: OpenChat | null, { seq, chat: row, messages }: OpenChatResult): OpenChat | null {
  if (chat === null || chat.id !== row.id) return chat;
  const read: OpenChat = { id: chat.id, messages, seq, waiting: [] };
  return chat.waiting.filter((event) => event.seq > seq).reduce(apply, read);
}

export function applyToChat(chat: OpenChat | null, event: ChatEvent): OpenChat | null {
  if (chat === null || chat.id !== event.chat_id) return chat;
  if (chat.seq === null) return { ...chat, waiting: [...chat.waiting, event] };
  return event.seq <= chat.seq ? chat : apply(chat, event);
}

function apply(chat: OpenChat, event: ChatEvent): OpenChat {
  const id = event.type === "chat_streamed" ? event.message_id : event.message.id;
  const index = chat.messages.findIndex((message) => message.id === id);
  const before = chat.messages[index];
  if (event.type === "chat_message_changed") {
    const messages = before ? chat.messages.with(index, event.message) : [...chat.messages, event.message];
    return { ...chat, messages };
  }
  if (!before) return chat;
  return { ...chat, messages: chat.messages.with(index, { ...before, parts: extended(before.parts, event.text) }) };
}

function extended(parts: ChatPartRow[], text: string): ChatPartRow[] {
  const last = parts.at(-1);
  return last && !last.call ? parts.with(-1, { ...last, text: last.text + text }) : [...parts, { text, call: null }];
}

/** Return the messages from the first to the one with the id `end`. */
export function pathTo(messages: ChatMessageRow[], end: string | null) {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const path: ChatMessageRow[] = [];
  for (let at = end; at !== null; ) {
    const message = byId.get(at);
    if (!message) break;
    path.unshift(message);
    at = message.parent;
  }
  return path;
}
