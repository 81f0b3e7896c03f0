/**
 * One tab outside of this page, in a browser that the companion or the extension drives. It serves the same page script
 * as a frame (frame.js) and reports its document, so agents use both in the same way. This page shows its pictures.
 *
 * @import { DocumentState, Method, OuterListener, OuterTabs, Report } from "../../shared/outer_tabs.js"
 * @import { Source } from "./downloads.js"
 */

import { namesOf, problem } from "../../shared/document_link.js";
import { OuterView } from "./outer_view.js";

const LOST = "its browser is out of reach; reload the tab";

export class OuterTab {
  /** The URL that the surface has opened, as the document can't change it. */
  opened = "";
  #tab;
  #view;
  #stopListening;

  /**
   * @param {string} tab
   * @param {HTMLElement} place the parent of the view
   * @param {OuterTabs} tabs
   * @param {{ change: (state: DocumentState) => void, error: () => void, download: (report: Report) => void }} callbacks
   */
  constructor(tab, place, tabs, callbacks) {
    this.#tab = tab;
    this.tabs = tabs;
    this.callbacks = callbacks;
    /** @type {DocumentState} */
    this.state = { tab, url: "", title: "", loading: false, readable: true, why: null, site: null };
    this.#view = new OuterView(place, (method, params) => this.#tell(method, params), tabs.takesInput !== false);
    this.#stopListening = tabs.listen((report) => this.#onReport(report));
  }

  get element() {
    return this.#view.element;
  }

  /** The origin of the document, as its browser reports it. */
  get origin() {
    return URL.parse(this.state.url)?.origin ?? null;
  }

  /** @param {Parameters<OuterListener>[0]} report */
  #onReport(report) {
    if (report.kind === "changed" && report.state.tab === this.#tab) this.#update(report.state);
    if (report.kind === "changed" || (report.tab !== this.#tab && report.tab !== null)) return;
    if (report.kind === "picture") this.#view.draw(report.data);
    else if (report.kind === "download") this.callbacks.download(report.report);
    else if (report.kind === "error") this.callbacks.error();
    else this.#update({ ...this.state, loading: false, readable: false, why: LOST });
  }

  /** @param {DocumentState} state */
  #update(state) {
    this.state = { ...state, tools: namesOf(state.tools), site: null };
    this.#view.name(state.title || state.url);
    this.callbacks.change(this.state);
  }

  /**
   * @param {string} url
   * @param {unknown} _kind
   * @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<DocumentState>} once it has loaded, or after a time limit
   */
  async open(url, _kind, { signal } = {}) {
    this.opened = url;
    this.#update({ ...this.state, url, title: "", loading: true, readable: true, why: null });
    try {
      this.#update(await this.#request("open", { url }, signal));
    } catch (error) {
      this.#update({ ...this.state, loading: false, readable: false, why: /** @type {Error} */ (error).message });
      throw error;
    }
    return this.state;
  }

  /**
   * @param {string} method of the page script
   * @param {object} params
   * @param {AbortSignal} [signal]
   * @param {string | null} [origin] at which the document must be; if it has left, the browser refuses
   */
  async ask(method, params, signal, origin = this.origin) {
    return this.#request("ask", { method, params, origin }, signal);
  }

  /** Return the source of the tab's downloads. @param {Source["allow"]} allow @returns {Source} */
  source(allow) {
    return {
      read: async (id, start) => this.tabs.requestDownload?.("download", { tab: this.#tab, id, start }),
      // If its browser can't be reached, the file has gone with it.
      discard: (id) => void this.tabs.requestDownload?.("discard", { tab: this.#tab, id }).catch(() => {}),
      allow,
    };
  }

  close() {
    this.#stopListening();
    this.#view.remove();
    // If its browser can't be reached, the tab has gone with it.
    this.#request("close", {}).catch(() => {});
  }

  /** Show or hide what the tab shows. @param {boolean} front */
  show(front) {
    this.#view.show(front);
  }

  /** Its browser lets every document behave as if it had the focus. */
  keepFocus() {}

  regainFocus() {}

  onMessage() {}

  /** @param {"show" | "input"} method @param {object} params */
  #tell(method, params) {
    this.#request(method, params).catch((error) => this.tabs.available && console.error("A tab's browser didn't answer.", error));
  }

  /** @param {Method} method @param {object} params @param {AbortSignal} [signal] */
  async #request(method, params, signal) {
    if (!this.tabs.available) {
      throw problem({ type: "CrossOrigin", message: `${this.#tab} can't be used now: ${LOST}.` });
    }
    try {
      return await this.tabs.request(method, { tab: this.#tab, ...params }, signal);
    } catch (error) {
      // Errors of the extension's part of the page belong to its own copy of the class.
      const { type, message, hint, data } = /** @type {any} */ (error);
      throw typeof type === "string" ? problem({ type, message, hint, data }) : error;
    }
  }
}
