/**
 * The documents that the surface controls: its own, and those of its tabs. Python asks for them by JSON-RPC
 * (py/gemini/dom/documents.py); which tabs there are, and which is in front, is Python's to say.
 *
 * @import { DocumentState } from "./frame.js"
 */

import { serve } from "../../page/conversation.js";
import { DocumentLink, problem } from "./document_link.js";
import { Frame } from "./frame.js";
import { READING } from "./methods.js";
import { loadPart } from "../parts.js";

/** @typedef {{url: string, own_origin: boolean}} Sites */

const PAGE = "page";

export class Frames {
  /** @type {Map<string, Frame>} */
  #frames = new Map();
  #page = new DocumentLink();
  #shown = PAGE;
  /** How many actions run in the page itself. */
  #acting = 0;
  /** @type {Set<(tab: string, method: string, result: any) => void>} */
  #watchers = new Set();

  /**
   * @param {object} options
   * @param {HTMLElement} options.place where frames are put
   * @param {Window} options.host the window whose document the surface stands in
   * @param {() => Promise<Sites>} options.sites where files are shown from
   * @param {(state: DocumentState) => void} options.onChange
   */
  constructor({ place, host, sites, onChange }) {
    this.place = place;
    this.host = host;
    this.onChange = onChange;
    this.methods = {
      opened: () => this.#opened(),
      sites,
      open: (/** @type {any} */ { tab, url, kind, signal }) => this.#frame(tab).open(url, kind, signal),
      close: (/** @type {any} */ { tab }) => this.#close(tab),
      ask: (/** @type {any} */ { tab, method, params, signal }) => this.ask(tab, method, params, signal),
      model: async (/** @type {any} */ asked) => (await loadPart("ui-builtin-model.js")).ask(asked),
    };
    window.addEventListener("message", (event) => this.#hear(event));
  }

  /** Answer Python through `port`. @param {MessagePort} port */
  serve(port) {
    serve(port, this.methods);
  }

  /** Call `watcher` with what each request to a document's script gave. @param {(tab: string, method: string, result: any) => void} watcher */
  watch(watcher) {
    this.#watchers.add(watcher);
  }

  /** Put a tab's frame before the others; they keep their size, so that they can be read and acted on. @param {string} tab */
  show(tab) {
    this.#shown = tab;
    for (const [id, { element }] of this.#frames) {
      element?.classList.toggle("front", id === tab);
      element?.setAttribute("aria-hidden", String(id !== tab));
      element?.setAttribute("tabindex", id === tab ? "0" : "-1");
    }
  }

  /**
   * Ask the page script of a tab's document.
   * @param {string} tab
   * @param {string} method
   * @param {object} params
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  async ask(tab, method, params, signal) {
    const result = await (tab === PAGE ? this.#askPage(method, params, signal) : this.#askTab(tab, method, params, signal));
    for (const watcher of this.#watchers) watcher(tab, method, result);
    return result;
  }

  /** @param {string} tab @param {string} method @param {object} params @param {AbortSignal} [signal] */
  async #askTab(tab, method, params, signal) {
    const frame = this.#known(tab);
    if (READING.has(method)) return frame.ask(method, params, signal);
    // An action focuses what it acts on. What the person types elsewhere meanwhile is not for that page.
    const { activeElement: typing } = document;
    try {
      return await frame.ask(method, params, signal);
    } finally {
      if (takesText(typing) && document.activeElement === frame.element) typing.focus({ preventScroll: true });
    }
  }

  /** @param {string} method @param {object} params @param {AbortSignal} [signal] */
  async #askPage(method, params, signal) {
    const { geminiPage } = /** @type {any} */ (this.host);
    if (!this.#page.linked) geminiPage.serve(this.#page.renew());
    if (READING.has(method)) return this.#page.ask(method, params, signal);
    // The page is the person's, too, whose dialogs open as ever once the agent has acted.
    if (this.#acting++ === 0) geminiPage.install({ dialogs: { accept: false } });
    try {
      return await this.#page.ask(method, params, signal);
    } finally {
      if (--this.#acting === 0) geminiPage.install({ dialogs: null });
    }
  }

  #opened() {
    const { location, document } = this.host;
    return {
      origin: window.location.origin,
      page: { tab: PAGE, url: location.href, title: document.title, loading: false, readable: true },
      tabs: Array.from(this.#frames.values(), ({ state }) => state),
      shown: this.#shown,
    };
  }

  /** @param {string} tab */
  #frame(tab) {
    const known = this.#frames.get(tab);
    if (known) return known;
    const frame = new Frame(tab, this.place, (state) => {
      this.show(this.#shown);
      this.onChange(state);
    });
    this.#frames.set(tab, frame);
    return frame;
  }

  /** @param {string} tab */
  #known(tab) {
    const frame = this.#frames.get(tab);
    if (!frame) throw problem({ type: "TabMissing", message: `There is no tab ${JSON.stringify(tab)} in the page.` });
    return frame;
  }

  /** @param {string} tab */
  #close(tab) {
    this.#known(tab).close();
    this.#frames.delete(tab);
  }

  /** @param {MessageEvent} event */
  #hear(event) {
    if (event.data?.geminiPage !== "here") return;
    for (const frame of this.#frames.values()) {
      if (frame.element && event.source === frame.element.contentWindow) frame.announced(event);
    }
  }
}

/** @param {Element | null} element @returns {element is HTMLElement} */
function takesText(element) {
  return element instanceof HTMLElement && (element.isContentEditable || element.matches("input, textarea"));
}
