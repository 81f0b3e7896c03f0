/**
 * One tab: its frame, and the document that is in it. A document is controlled by the page script, which one of the
 * surface's own origin is given here; one of another origin has to bring it, and to name this origin as its controller.
 *
 * @typedef {"file" | "same" | "other"} Kind where a document comes from, as Python tells it
 * @typedef {{tab: string, url: string, title: string, loading: boolean, readable: boolean, why: string | null}} DocumentState
 */

import { h } from "../elements.js";
import { DocumentLink } from "./document_link.js";
import { Waiters } from "./waiters.js";

// Longer, and whoever opened it goes on with a document that is still loading.
const LOADS_MS = 30_000;
// After an action that led elsewhere.
const ARRIVES_MS = 10_000;
// A document of another origin that hasn't answered by then isn't controlled.
const ANSWERS_MS = 500;
const PAGE_SCRIPT = "gemini-page.js";
// No way to the top, and no dialogs of the browser's, which would hold the surface up. Those of controlled documents
// are answered by policy.
const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads";
const FOREIGN = "it is of another origin, which doesn't let this surface control it";

export class Frame {
  link = new DocumentLink();
  /** @type {HTMLIFrameElement | null} */
  element = null;
  #loads = 0;
  /** The document that the link leads to, where it is of this origin. @type {Document | null} */
  #controlled = null;
  #arrival = new Waiters();

  /**
   * @param {string} tab
   * @param {HTMLElement} place where frames are
   * @param {(state: DocumentState) => void} onChange
   */
  constructor(tab, place, onChange) {
    this.place = place;
    this.onChange = onChange;
    /** @type {DocumentState} */
    this.state = { tab, url: "", title: "", loading: false, readable: true, why: null };
  }

  /** @param {Partial<DocumentState>} change */
  #become(change) {
    this.state = { ...this.state, ...change };
    this.onChange(this.state);
  }

  /**
   * Shows a URL, in a frame of its own: the browser's history of frames is one for all tabs.
   * @param {string} url
   * @param {Kind} kind
   * @param {AbortSignal} [signal]
   * @returns {Promise<DocumentState>} when it has loaded, or takes too long
   */
  async open(url, kind, signal) {
    this.link.drop();
    this.#controlled = null;
    const frame = h("iframe", { class: "tab-frame", title: `Page in ${this.state.tab}`, sandbox: SANDBOX });
    // What isn't made for isolated pages loads nonetheless, as for somebody who is logged in nowhere.
    if (kind === "other") frame.setAttribute("credentialless", "");
    frame.addEventListener("load", () => void this.#onLoad(frame));
    frame.src = url;
    this.element?.remove();
    this.element = frame;
    this.#become({ url, title: "", loading: true, readable: true, why: null });
    this.place.append(frame);
    await this.#nextLoad(this.#loads, LOADS_MS, signal);
    return this.state;
  }

  close() {
    this.link.drop();
    this.element?.remove();
    this.element = null;
  }

  /** The browser says that a document has loaded; that of a step back it may say before. @param {HTMLIFrameElement} frame */
  async #onLoad(frame) {
    const document = frame.contentDocument;
    if (document) await this.#control(document);
    else if (!(await this.#isControlled()) && frame === this.element) {
      this.link.drop();
      this.#arrived({ title: "", readable: false, why: FOREIGN });
    }
  }

  /** Whether a document of another origin answers, or one says just then that it is here. */
  async #isControlled() {
    const late = new Promise((resolve) => setTimeout(resolve, ANSWERS_MS, false));
    const answers = this.link.ask("about", {}).then(() => true, (error) => error.type === "PageGone");
    return Promise.race([answers, late]);
  }

  /** Gives a document of this origin the page script, if it hasn't one. @param {Document} document */
  async #control(document) {
    if (this.#controlled === document) return;
    this.#controlled = document;
    const view = /** @type {any} */ (document.defaultView);
    view.addEventListener("pagehide", () => this.#leave(), { once: true });
    try {
      if (!("geminiPage" in view)) await loadScript(document, new URL(PAGE_SCRIPT, window.document.baseURI).href);
      view.geminiPage.serve(this.link.renew());
      await this.#greet();
    } catch (error) {
      if (this.#controlled === document) this.#arrived({ readable: false, why: /** @type {Error} */ (error).message });
    }
  }

  /** A document says at its start that it lets itself be controlled. @param {MessageEvent} event */
  announced({ source, origin, data }) {
    this.#controlled = this.element?.contentDocument ?? null;
    const port = this.link.renew();
    /** @type {Window} */ (source).postMessage({ geminiPage: "control" }, { targetOrigin: origin, transfer: [port] });
    this.#become({ url: data.url, title: "", loading: true, readable: true, why: null });
    this.#greet().catch((error) => {
      // One that leaves at once is followed by another.
      if (error.type !== "PageGone") console.error("A page let itself be controlled, and doesn't answer.", error);
    });
  }

  /** Has a document's dialogs answered from now on, and waits until it has loaded. */
  async #greet() {
    const { link } = this;
    const installed = link.ask("install", { dialogs: { accept: false } });
    const [{ url, title }] = await Promise.all([link.ask("about", { loaded: true }), installed]);
    this.#arrived({ url, title, readable: true, why: null });
  }

  /** A document has loaded. @param {Partial<DocumentState>} change */
  #arrived(change) {
    this.#loads += 1;
    this.#become({ ...change, loading: false });
    this.#arrival.release();
  }

  #leave() {
    this.link.drop();
    this.#become({ loading: true });
  }

  /**
   * Asks the document's script. What led to another document is answered when that has loaded.
   * @param {string} method
   * @param {object} params
   * @param {AbortSignal} [signal]
   */
  async ask(method, params, signal) {
    const loads = this.#loads;
    const result = await this.link.ask(method, params, signal);
    if (result?.navigates_to === undefined) return result;
    await this.#nextLoad(loads, ARRIVES_MS, signal);
    return { ...result, document: this.state };
  }

  /** @param {number} loads how many there were @param {number} most ms @param {AbortSignal} [signal] */
  async #nextLoad(loads, most, signal) {
    if (this.#loads === loads) await this.#arrival.wait(most, signal);
  }
}

/** @param {Document} document @param {string} url @returns {Promise<void>} */
function loadScript(document, url) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${url} could not be loaded into the page`));
    (document.head ?? document.documentElement).append(script);
  });
}
