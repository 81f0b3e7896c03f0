/** The errors of the page in front, below it. All about them is the page's own: it may send anything, at any rate. */

import { isGone } from "../../../shared/document_link.ts";
import { html, nothing, render } from "lit";
import type { TabRow } from "../../../generated/types.ts";
import { byId } from "../../lib/elements.ts";
import { counted } from "../../lib/format.ts";
import type { Frames } from "./frames.ts";

type Message = { level: string; text: string; source: string | null };

const MOST_SHOWN = 20;
const LONGEST = 500;
// Between two reads.
const PAUSE_MS = 250;

export class PageErrors {
  #place = byId("browser-errors", HTMLElement);
  #tab: TabRow | null = null;
  #errors: Message[] = [];
  #soon: ReturnType<typeof setTimeout> | undefined;
  frames: Frames;
  to: { openFile: (path: string, line: number) => void; fix: (task: string) => void };

  /** @param to.fix - hands a task to the agents' panel */
  constructor(frames: Frames, to: { openFile: (path: string, line: number) => void; fix: (task: string) => void }) {
    this.frames = frames;
    this.to = to;
    frames.onError = (tab) => {
      if (tab === this.#tab?.id) this.#soon ??= setTimeout(() => this.#readNow(), PAUSE_MS);
    };
  }

  /** @param tab - the one in front */
  follow(tab: TabRow | null) {
    const before = this.#tab;
    this.#tab = tab;
    if (tab !== null && before?.id === tab.id && before.url === tab.url && before.loading === tab.loading) return;
    this.#errors = [];
    this.#draw();
    if (tab !== null && !tab.loading) void this.#read();
  }

  async #readNow() {
    try {
      await this.#read();
    } finally {
      // Only now may another report wait.
      this.#soon = undefined;
    }
  }

  /** Read the errors of a page of files, or of a server in the page. */
  async #read() {
    const tab = this.#tab;
    if (tab === null || !tab.readable || this.frames.sites.of(tab.id) === null) return;
    try {
      const answer = await this.frames.ask<{ messages?: unknown } | null>(tab.id, "console", {});
      if (this.#tab?.id !== tab.id) return;
      this.#errors = errorsIn(answer);
    } catch (error) {
      // Another document has replaced this one, and is read when it has loaded.
      if (!isGone(error)) throw error;
    }
    this.#draw();
  }

  #draw() {
    const errors = this.#errors;
    this.#place.hidden = errors.length === 0;
    const [first, ...others] = errors;
    // A single row leaves the page its room.
    render(
      first === undefined
        ? nothing
        : html`
      <div class="bar"><h3>${counted(errors.length, "error")}</h3>
        <p title=${first.text}>${first.text}</p>${this.#source(first)}
        <button type="button" id="browser-fix" @click=${() => this.to.fix(this.#task())}>Fix with agent</button></div>
      ${others.length === 0 ? nothing : html`<ul>${others.map((error) => html`<li>${error.text} ${this.#source(error)}</li>`)}</ul>`}`,
      this.#place,
    );
  }

  #source(error: Message) {
    const found = this.#fileOf(error);
    if (found === null) return nothing;
    const { path, line } = found;
    return html`<button type="button" class="link" @click=${() => this.to.openFile(path, line)}>${path.slice(path.lastIndexOf("/") + 1)}:${line}</button>`;
  }

  /** Return the file and line of an error in a page made of files. */
  #fileOf({ source }: Message) {
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

  #task() {
    const { id = "" } = this.#tab ?? {};
    const site = this.frames.sites.of(id);
    // Not the errors' text, nor the address as the page has changed it: an agent would take them for the user's words.
    const [opened] = this.frames.openedIn(id).split(/[?#]/, 1);
    const page =
      site?.root.startsWith("/") && opened.startsWith(site.url) ? `/${opened.slice(site.url.length)}` : opened;
    return `Fix the errors of the page ${page}. Its console in tab ${id} has them.`;
  }
}

/** @param answer - of a page's script */
function errorsIn(answer: { messages?: unknown } | null): Message[] {
  const messages: Partial<Message>[] = Array.isArray(answer?.messages) ? answer.messages : [];
  return messages
    .filter((each) => each?.level === "error" && typeof each.text === "string")
    .slice(-MOST_SHOWN)
    .map(({ text = "", source }) => ({
      level: "error",
      text: text.slice(0, LONGEST),
      source: typeof source === "string" ? source : null,
    }));
}
