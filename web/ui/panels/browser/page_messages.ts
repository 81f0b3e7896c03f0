/** The messages of a page's console, for people. All about them is the page's own: it may send anything, at any rate. */

import { isGone } from "../../../shared/document_link.ts";
import type { TabRow } from "../../../generated/types.ts";
import type { Frames } from "./frames.ts";

/** `source`: `url:line`, if known */
export type Message = { level: string; text: string; source: string | null; time: string };

const LEVELS = ["debug", "log", "info", "warn", "error"];
const LONGEST = 2_000;
// Between two reads.
const PAUSE_MS = 250;

/** Reads the messages of the tab in front when it has another page, and at each report of new ones. */
export class PageMessages {
  #tab: TabRow | null = null;
  #soon: ReturnType<typeof setTimeout> | undefined;
  /** the `next` of the answer up to which they were cleared */
  #since: number | null = null;
  #next: number | null = null;
  frames: Frames;
  /** oldest first */
  messages: Message[] = [];
  onChange: () => void;
  isRead: (tab: TabRow) => boolean;

  /** @param isRead - whether the messages of a tab are read */
  constructor(frames: Frames, onChange: () => void, isRead: (tab: TabRow) => boolean) {
    this.frames = frames;
    this.onChange = onChange;
    this.isRead = isRead;
    frames.messageListeners.add((tab) => {
      if (tab === this.#tab?.id) this.#soon ??= setTimeout(() => this.#readSoon(), PAUSE_MS);
    });
  }

  get tab() {
    return this.#tab;
  }

  /** @param tab - the one in front */
  follow(tab: TabRow | null) {
    const before = this.#tab;
    this.#tab = tab;
    if (tab !== null && before?.id === tab.id && before.url === tab.url && before.loading === tab.loading) return;
    this.#since = null;
    this.messages = [];
    this.onChange();
    if (tab !== null && !tab.loading) void this.read();
  }

  /** Forget the messages until now. Agents still read them. */
  clear() {
    this.#since = this.#next;
    this.messages = [];
    this.onChange();
  }

  async #readSoon() {
    try {
      await this.read();
    } finally {
      // Only now may another report wait.
      this.#soon = undefined;
    }
  }

  async read() {
    const tab = this.#tab;
    if (tab === null || !tab.readable || !this.isRead(tab)) return;
    try {
      const since = this.#since;
      const answer = await this.frames.ask<Read | null>(tab.id, "console", { since });
      if (this.#tab?.id !== tab.id || this.#since !== since) return;
      this.messages = messagesIn(answer);
      this.#next = typeof answer?.next === "number" ? answer.next : null;
    } catch (error) {
      // Another document has replaced this one, and is read when it has loaded.
      if (!isGone(error)) throw error;
    }
    this.onChange();
  }

  /** Return the file and line of a message's source, in a page made of files. */
  fileOf({ source }: Message): { path: string; line: number } | null {
    const site = this.#tab && this.frames.sites.of(this.#tab.id);
    const [, url, line] = /^(.*):(\d+)$/.exec(source ?? "") ?? [];
    if (!site?.root.startsWith("/") || !url?.startsWith(site.url)) return null;
    try {
      return { path: `/${decodeURIComponent(url.slice(site.url.length).split(/[?#]/, 1)[0])}`, line: Number(line) };
    } catch (error) {
      if (error instanceof URIError) return null;
      throw error;
    }
  }
}

type Read = { messages?: unknown; next?: unknown };

/** @param answer - of a page's script */
function messagesIn(answer: Read | null): Message[] {
  const messages: Partial<Message>[] = Array.isArray(answer?.messages) ? answer.messages : [];
  return messages
    .filter((each) => typeof each?.text === "string" && LEVELS.includes(String(each.level)))
    .map(({ level = "", text = "", source, time }) => ({
      level,
      text: text.slice(0, LONGEST),
      source: typeof source === "string" ? source : null,
      time: typeof time === "string" ? time : "",
    }));
}
