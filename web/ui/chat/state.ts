/**
 * The chats in the page's state. Messages are read when a chat is opened; events until then wait for them.
 *
 * @import { ChatEvent, OpenChat } from "../types.js"
 * @import { ChatMessageRow, ChatPartRow, ChatRow, KernelEvent, OpenChatResult } from "../../generated/types.js"
 */

/**
 * @param {ChatRow[]} chats most recently changed first
 * @param {Extract<KernelEvent, {type: "chat_changed" | "chat_deleted"}>} event
 */
export function applyToChats(chats, event) {
  if (event.type === "chat_deleted") return chats.filter(({ id }) => id !== event.chat_id);
  return [event.chat, ...chats.filter(({ id }) => id !== event.chat.id)];
}

/** @param {string | null} id @returns {OpenChat | null} */
export function openingChat(id) {
  return id === null ? null : { id, messages: [], seq: null, waiting: [] };
}

/** Mark the messages to be read again. @param {OpenChat | null} chat @returns {OpenChat | null} */
export function forgetChat(chat) {
  return chat && { ...chat, seq: null, waiting: [] };
}

/** @param {OpenChat | null} chat @param {OpenChatResult} opened @returns {OpenChat | null} */
export function openedChat(chat, { seq, chat: row, messages }) {
  if (chat === null || chat.id !== row.id) return chat;
  /** @type {OpenChat} */
  const read = { id: chat.id, messages, seq, waiting: [] };
  return chat.waiting.filter((event) => event.seq > seq).reduce(apply, read);
}

/** @param {OpenChat | null} chat @param {ChatEvent} event @returns {OpenChat | null} */
export function applyToChat(chat, event) {
  if (chat === null || chat.id !== event.chat_id) return chat;
  if (chat.seq === null) return { ...chat, waiting: [...chat.waiting, event] };
  return event.seq <= chat.seq ? chat : apply(chat, event);
}

/** @param {OpenChat} chat @param {ChatEvent} event @returns {OpenChat} */
function apply(chat, event) {
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

/** @param {ChatPartRow[]} parts @param {string} text @returns {ChatPartRow[]} */
function extended(parts, text) {
  const last = parts.at(-1);
  return last && !last.call ? parts.with(-1, { ...last, text: last.text + text }) : [...parts, { text, call: null }];
}

/** Return the messages from the first to the one with the id `end`. @param {ChatMessageRow[]} messages @param {string | null} end */
export function pathTo(messages, end) {
  const byId = new Map(messages.map((message) => [message.id, message]));
  /** @type {ChatMessageRow[]} */
  const path = [];
  for (let at = end; at !== null;) {
    const message = byId.get(at);
    if (!message) break;
    path.unshift(message);
    at = message.parent;
  }
  return path;
}
