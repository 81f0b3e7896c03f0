/**
 * The errors of the page in front, below it. Their text is the page's own.
 *
 * @import { TabRow } from "../types.js"
 * @import { Frames } from "./frames.js"
 *
 * @typedef {{ level: string, text: string, source: string | null }} Message
 */

import { html, nothing, render } from "lit";
import { byId } from "../elements.js";
import { counted } from "../format.js";

const MOST_SHOWN = 20;

export class PageErrors {
  #place = byId("browser-errors", HTMLElement);
  /** @type {TabRow | null} */
  #tab = null;
  /** @type {Message[]} */
  #errors = [];

  /**
   * @param {Frames} frames
   * @param {object} to
   * @param {(path: string, line: number) => void} to.openFile
   * @param {(task: string) => void} to.fix hands a task to the agents' panel
   */
  constructor(frames, to) {
    this.frames = frames;
    this.to = to;
    frames.onError = (tab) => void (tab === this.#tab?.id && this.#read());
  }

  /** @param {TabRow | null} tab the one in front */
  follow(tab) {
    const before = this.#tab;
    this.#tab = tab;
    if (tab !== null && before?.id === tab.id && before.url === tab.url && before.loading === tab.loading) return;
    this.#errors = [];
    this.#draw();
    if (tab !== null && !tab.loading) void this.#read();
  }

  /** Read the errors of a page of files, or of a server in the page. */
  async #read() {
    const tab = this.#tab;
    if (tab === null || !tab.readable || this.frames.sites.of(tab.id) === null) return;
    try {
      const { messages } = await this.frames.ask(tab.id, "console", {});
      if (this.#tab?.id !== tab.id) return;
      this.#errors = messages.filter((/** @type {Message} */ { level }) => level === "error").slice(-MOST_SHOWN);
    } catch (error) {
      // Another document has replaced this one, and is read when it has loaded.
      if (/** @type {any} */ (error).type !== "PageGone") throw error;
    }
    this.#draw();
  }

  #draw() {
    const errors = this.#errors;
    this.#place.hidden = errors.length === 0;
    render(errors.length === 0 ? nothing : html`
      <div class="bar"><h3>${counted(errors.length, "error")}</h3>
        <button type="button" id="browser-fix" @click=${() => this.to.fix(this.#task())}>Fix with agent</button></div>
      <ul>${errors.map((error) => html`<li><span>${error.text}</span> ${this.#source(error)}</li>`)}</ul>`, this.#place);
  }

  /** @param {Message} error */
  #source(error) {
    const found = this.#fileOf(error);
    if (found === null) return nothing;
    const { path, line } = found;
    return html`<button type="button" class="link" @click=${() => this.to.openFile(path, line)}>${path.slice(path.lastIndexOf("/") + 1)}:${line}</button>`;
  }

  /** Return the file and line of an error in a page made of files. @param {Message} error */
  #fileOf({ source }) {
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
    const { id = "", url = "" } = this.#tab ?? {};
    const site = this.frames.sites.of(id);
    const page = site?.root.startsWith("/") && url.startsWith(site.url) ? `/${url.slice(site.url.length)}` : url;
    // Without the errors' text: an agent would take it for the person's words.
    return `Fix the errors of the page ${page}. Its console in tab ${id} has them.`;
  }
}
