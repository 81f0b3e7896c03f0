/** The Page console panel: messages and errors of the page in the browser's front tab. A separate bundle. */

import { html, nothing, render } from "lit";
import type { TabRow } from "../../../generated/types.ts";
import { byId } from "../../lib/elements.ts";
import { FollowingEnd } from "../../lib/following_end.ts";
import { clock, counted } from "../../lib/format.ts";
import { icon } from "../../lib/icons.ts";
import type { Store } from "../../state/store.ts";
import type { Frames } from "../browser/frames.ts";
import { type Message, PageMessages } from "../browser/page_messages.ts";

/** This page has the browser's own console. */
const PAGE = "page";
const NAMES: Record<string, string> = { error: "Error", warn: "Warning", info: "Info", debug: "Debug" };
const LEVELS: [string, string, string[]][] = [
  ["", "All levels", []],
  ["error", "Errors", ["error"]],
  ["warn", "Errors and warnings", ["error", "warn"]],
];

type OpenFile = (path: string, line: number) => unknown;

class PageConsole {
  #body = byId("page-console-body", HTMLElement);
  #read: PageMessages;
  #filter = "";
  #level = "";
  #end: FollowingEnd | null = null;
  openFile: OpenFile;

  constructor(frames: Frames, openFile: OpenFile) {
    this.openFile = openFile;
    this.#read = new PageMessages(
      frames,
      () => this.#draw(),
      ({ id }) => id !== PAGE,
    );
    this.#body.replaceChildren();
    this.#draw();
  }

  follow(tab: TabRow | null) {
    this.#read.follow(tab?.id === PAGE ? null : tab);
  }

  #draw() {
    const { messages } = this.#read;
    const levels = LEVELS.find(([value]) => value === this.#level)?.[2] ?? [];
    const sought = this.#filter.toLowerCase();
    const shown = messages.filter(
      ({ level, text }) => (levels.length === 0 || levels.includes(level)) && text.toLowerCase().includes(sought),
    );
    render(
      html`<div class="bar">
        <input type="search" aria-label="Filter messages" placeholder="Filter messages" autocomplete="off"
          spellcheck="false" data-focus-first @input=${(event: Event) => this.#set({ filter: valueOf(event) })}>
        <select aria-label="Levels" @change=${(event: Event) => this.#set({ level: valueOf(event) })}>
          ${LEVELS.map(([value, name]) => html`<option value=${value}>${name}</option>`)}</select>
        <button type="button" class="quiet icon" title="Clear" aria-label="Clear" ?disabled=${messages.length === 0}
          @click=${() => this.#read.clear()}>${icon("clear")}</button></div>
      <p class="empty" ?hidden=${shown.length > 0}>${this.#reason(messages.length)}</p>
      <div class="page-messages" tabindex="0" role="log" aria-label=${this.#name(shown.length)}
        ?hidden=${shown.length === 0}>${shown.map((message) => this.#row(message))}</div>`,
      this.#body,
    );
    const place = this.#body.querySelector(".page-messages");
    if (place instanceof HTMLElement) this.#end ??= new FollowingEnd(place, () => this.#end?.toEnd());
    this.#end?.toEnd();
  }

  #set({ filter = this.#filter, level = this.#level }: { filter?: string; level?: string }) {
    this.#filter = filter;
    this.#level = level;
    this.#draw();
  }

  #name(count: number) {
    return `${counted(count, "message")} of ${this.#read.tab?.title || "the page"}`;
  }

  /** Say why no message is shown. */
  #reason(count: number) {
    const { tab } = this.#read;
    if (tab === null) return "Open a page in the Browser: its messages and errors are listed here.";
    if (count > 0) return "No message matches.";
    if (!tab.readable) return `The messages of this page can’t be read here. ${tab.why ?? ""}`;
    return "The page has written no messages yet.";
  }

  #row(message: Message) {
    const { level, text, time } = message;
    const name = NAMES[level];
    return html`<div class="page-message" data-level=${level}>
      <span class="muted">${time === "" ? "" : clock(time)}</span>
      <span class="page-message-text">${name === undefined ? nothing : html`<strong>${name}</strong> `}${text}</span>
      ${this.#source(message)}</div>`;
  }

  #source(message: Message) {
    const found = this.#read.fileOf(message);
    if (found === null) return nothing;
    const { path, line } = found;
    return html`<button type="button" class="link" title=${path} @click=${() => this.openFile(path, line)}
      >${path.slice(path.lastIndexOf("/") + 1)}:${line}</button>`;
  }
}

export function showMessages(store: Store, frames: Frames, openFile: OpenFile) {
  const view = new PageConsole(frames, openFile);
  store.follow(["tabs"], ({ tabs }) => view.follow(tabs.find(({ active }) => active) ?? null));
  return view;
}

function valueOf({ target }: Event) {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target.value : "";
}
