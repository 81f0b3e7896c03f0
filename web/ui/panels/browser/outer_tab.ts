/**
 * One tab outside of this page, in a browser that the companion or the extension drives. It serves the same page script
 * as a frame (frame.ts) and reports its document, so agents use both in the same way. This page shows its pictures.
 */

import { messageOf } from "../../../shared/thrown.ts";
import { namesOf, problem } from "../../../shared/document_link.ts";
import type { DocumentState, Method, OuterListener, OuterTabs, Report } from "../../../shared/outer_tabs.ts";
import type { Source } from "./downloads.ts";
import { OuterView } from "./outer_view.ts";

const LOST = "its browser is out of reach; reload the tab";

export class OuterTab {
  /** The URL that the surface has opened, as the document can't change it. */
  opened = "";
  #tab: string;
  #view: OuterView;
  #stopListening: () => void;
  tabs: OuterTabs;
  callbacks: { change: (state: DocumentState) => void; messages: () => void; download: (report: Report) => void };
  state: DocumentState;

  /** @param place - the parent of the view */
  constructor(
    tab: string,
    place: HTMLElement,
    tabs: OuterTabs,
    callbacks: { change: (state: DocumentState) => void; messages: () => void; download: (report: Report) => void },
  ) {
    this.#tab = tab;
    this.tabs = tabs;
    this.callbacks = callbacks;
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

  #onReport(report: Parameters<OuterListener>[0]) {
    if (report.kind === "changed" && report.state.tab === this.#tab) this.#update(report.state);
    if (report.kind === "changed" || (report.tab !== this.#tab && report.tab !== null)) return;
    if (report.kind === "picture") this.#view.draw(report.data);
    else if (report.kind === "download") this.callbacks.download(report.report);
    else if (report.kind === "messages") this.callbacks.messages();
    else this.#update({ ...this.state, loading: false, readable: false, why: LOST });
  }

  #update(state: DocumentState) {
    this.state = { ...state, tools: namesOf(state.tools), site: null };
    this.#view.name(state.title || state.url);
    this.callbacks.change(this.state);
  }

  /** @returns once it has loaded, or after a time limit */
  async open(url: string, _kind: unknown, { signal }: { signal?: AbortSignal } = {}): Promise<DocumentState> {
    this.opened = url;
    this.#update({ ...this.state, url, title: "", loading: true, readable: true, why: null });
    try {
      this.#update(await this.#request<DocumentState>("open", { url }, signal));
    } catch (error) {
      this.#update({ ...this.state, loading: false, readable: false, why: messageOf(error) });
      throw error;
    }
    return this.state;
  }

  /**
   * @param method - of the page script
   * @param origin - at which the document must be; if it has left, the browser refuses
   */
  async ask(method: string, params: object, signal?: AbortSignal, origin: string | null = this.origin) {
    return this.#request<{ success?: boolean } | null>("ask", { method, params, origin }, signal);
  }

  /** Return the source of the tab's downloads. */
  source(allow: Source["allow"]): Source {
    return {
      read: (id, start) =>
        this.tabs.requestDownload?.("download", { tab: this.#tab, id, start }) ??
        Promise.reject(problem({ type: "Unsupported", message: "This browser reports no downloads." })),
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

  /** Show or hide the tab's view. */
  show(front: boolean) {
    this.#view.show(front);
  }

  /** Take the width of the owner's pages. Its browser lets every document behave as if it had the focus. */
  belongTo(owner: object | null) {
    this.element.classList.toggle("persons", owner === null);
  }

  regainFocus() {}

  onMessage() {}

  #tell(method: "show" | "input", params: object) {
    this.#request(method, params).catch(
      (error) => this.tabs.available && console.error("A tab's browser didn't answer.", error),
    );
  }

  async #request<Result = unknown>(method: Method, params: object, signal?: AbortSignal): Promise<Result> {
    if (!this.tabs.available) {
      throw problem({ type: "CrossOrigin", message: `${this.#tab} can't be used now: ${LOST}.` });
    }
    try {
      return await this.tabs.request(method, { tab: this.#tab, ...params }, signal);
    } catch (error) {
      // Errors of the extension's part of the page belong to its own copy of the class.
      const {
        type,
        message = "",
        hint,
        data,
      }: { type?: unknown; message?: string; hint?: string; data?: unknown } = Object(error);
      throw typeof type === "string" ? problem({ type, message, hint, data }) : error;
    }
  }
}
