/** The errors of the page in front, below it. */

import { html, nothing, render } from "lit";
import type { TabRow } from "../../../generated/types.ts";
import { byId } from "../../lib/elements.ts";
import { counted } from "../../lib/format.ts";
import { isPressOf } from "../../lib/trusted.ts";
import type { Frames } from "./frames.ts";
import { type Message, PageMessages } from "./page_messages.ts";

const MOST_SHOWN = 20;
const LONGEST = 500;

interface Callbacks {
  openFile: (path: string, line: number) => void;
  /** hands a task to the agents' panel */
  fix: (task: string) => void;
  /** opens the page's console */
  console: () => void;
}

export class PageErrors {
  #place = byId("browser-errors", HTMLElement);
  #read: PageMessages;
  /** The origins that the page in front has tried to reach, and may not. */
  #refused: string[] = [];
  /** The page, and the number of its errors, for which they were found. */
  #asked = { id: "", errors: 0 };
  frames: Frames;
  to: Callbacks;

  constructor(frames: Frames, to: Callbacks) {
    this.frames = frames;
    this.to = to;
    // Of pages of files, and of servers in the page.
    this.#read = new PageMessages(
      frames,
      () => this.#draw(),
      ({ id }) => frames.sites.of(id) !== null,
    );
  }

  /** @param tab - the one in front */
  follow(tab: TabRow | null) {
    this.#read.follow(tab);
  }

  #draw() {
    const errors = this.#read.messages.filter(({ level }) => level === "error").slice(-MOST_SHOWN);
    this.#place.hidden = errors.length === 0;
    void this.#findRefused(errors.length);
    const [first, ...others] = errors;
    // A single row leaves the page its room.
    render(
      first === undefined
        ? nothing
        : html`
      <div class="bar"><h3>${counted(errors.length, "error")}</h3>
        <p title=${textOf(first)}>${textOf(first)}</p>${this.#source(first)}
        ${this.#offer()}
        <button type="button" class="quiet" id="browser-console" @click=${() => this.to.console()}>Console</button>
        <button type="button" id="browser-fix" @click=${() => this.to.fix(this.#task())}>Fix with agent</button></div>
      ${others.length === 0 ? nothing : html`<ul>${others.map((error) => html`<li>${textOf(error)} ${this.#source(error)}</li>`)}</ul>`}`,
      this.#place,
    );
  }

  /** A page whose scripts may not load is empty, so what to allow stands next to its errors. */
  #offer() {
    const [first, ...others] = this.#refused;
    if (first === undefined) return nothing;
    const allow = (event: Event) => {
      if (isPressOf(event)) void this.frames.network.allow(this.#read.tab?.id ?? "", this.#refused);
    };
    return html`<button type="button" id="browser-allow" title=${this.#refused.join(", ")} @click=${allow}>Allow ${others.length === 0 ? new URL(first).host : counted(others.length + 1, "host")}…</button>`;
  }

  /** @param errors - how many it has; each may name a host */
  async #findRefused(errors: number) {
    const { id = "" } = this.#read.tab ?? {};
    const asked = { id, errors };
    if (id === this.#asked.id && errors === this.#asked.errors) return;
    // The button stays under the pointer while the same page has more errors.
    if (id !== this.#asked.id || errors === 0) this.#refused = [];
    this.#asked = asked;
    const site = this.frames.sites.of(id);
    if (errors === 0 || !site?.alone) return;
    const hosts = await this.frames.network.hostsTried(id);
    if (asked !== this.#asked) return;
    this.#refused = hosts.filter((origin) => !site.hosts.includes(origin));
    this.#draw();
  }

  #source(error: Message) {
    const found = this.#read.fileOf(error);
    if (found === null) return nothing;
    const { path, line } = found;
    return html`<button type="button" class="link" @click=${() => this.to.openFile(path, line)}>${path.slice(path.lastIndexOf("/") + 1)}:${line}</button>`;
  }

  #task() {
    const { id = "" } = this.#read.tab ?? {};
    const site = this.frames.sites.of(id);
    // Not the errors' text, nor the address as the page has changed it: an agent would take them for the user's words.
    const [opened] = this.frames.openedIn(id).split(/[?#]/, 1);
    const page =
      site?.root.startsWith("/") && opened.startsWith(site.url) ? `/${opened.slice(site.url.length)}` : opened;
    return `Fix the errors of the page ${page}. Its console in tab ${id} has them.`;
  }
}

const textOf = ({ text }: Message) => text.slice(0, LONGEST);
