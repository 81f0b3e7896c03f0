/**
 * One tab: its frame, and the document that is in it. A document is controlled by the page script, which one of the
 * surface's own origin is given here; one of another origin has to bring it, and to name this origin as its controller.
 *
 * @typedef {"file" | "same" | "other"} Kind where a document comes from
 * @typedef {{tab: string, url: string, title: string, loading: boolean, readable: boolean, why: string | null,
 *   site: {url: string, root: string} | null}} DocumentState `site`: where it is from, of a file
 *
 * @import { Site } from "./sites.js"
 */

import { integrityOf } from "../integrity.js";
import { h } from "../elements.js";
import { confine } from "./confined.js";
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
const UNREADABLE = "it is no HTML, or it was to lead to another origin, which a page made of files may not reach";
const FOREIGN = "it is of another origin, which doesn't let this surface control it";

export class Frame {
  link = new DocumentLink();
  /** What stands in the page. @type {HTMLIFrameElement | null} */
  element = null;
  /** What the document is in: that, or a frame in it. @type {HTMLIFrameElement | null} */
  #frame = null;
  /** @type {Site | null} */
  #site = null;
  /** The origin that the browser tells of a document of another one, and that its URLs have to be of. @type {string | null} */
  origin = null;
  #loads = 0;
  /** The document that the link leads to, where it is of this origin. @type {Document | null} */
  #controlled = null;
  #arrival = new Waiters();

  /**
   * @param {string} tab
   * @param {HTMLElement} place where frames are
   * @param {object} on
   * @param {(state: DocumentState) => void} on.change
   * @param {() => void} on.leave the document is of no site any more
   */
  constructor(tab, place, on) {
    this.place = place;
    this.on = on;
    /** @type {DocumentState} */
    this.state = { tab, url: "", title: "", loading: false, readable: true, why: null, site: null };
  }

  /** @param {Partial<DocumentState>} change */
  #become(change) {
    this.state = { ...this.state, ...change };
    this.on.change(this.state);
  }

  /**
   * Shows a URL, in a frame of its own: the browser's history of frames is one for all tabs.
   * @param {string} url
   * @param {Kind} kind
   * @param {object} [options]
   * @param {Site | null} [options.site] that a file is of
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<DocumentState>} when it has loaded, or takes too long
   */
  async open(url, kind, { site = null, signal } = {}) {
    this.link.drop();
    this.#controlled = this.origin = null;
    const title = `Page in ${this.state.tab}`;
    const frame = h("iframe", { title, sandbox: SANDBOX });
    // What isn't made for isolated pages loads nonetheless, as for somebody who is logged in nowhere.
    if (kind === "other") frame.setAttribute("credentialless", "");
    frame.addEventListener("load", () => void this.#onLoad(frame));
    frame.src = url;
    this.element?.remove();
    this.#frame = frame;
    this.#site = site;
    this.element = this.#placed(frame, site, { class: "tab-frame", title });
    this.#become({ url, title: "", loading: true, readable: true, why: null, site: site && { url: site.url, root: site.root } });
    await this.#nextLoad(this.#loads, LOADS_MS, signal);
    return this.state;
  }

  /** @param {HTMLIFrameElement} frame @param {Site | null} site @param {Record<string, string>} attributes */
  #placed(frame, site, attributes) {
    if (site && !site.outside) {
      const hear = (/** @type {MessageEvent} */ event) => this.hear(event);
      return confine(this.place, frame, { origin: site.origin, attributes, hear });
    }
    for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value);
    this.place.append(frame);
    return frame;
  }

  close() {
    this.link.drop();
    this.element?.remove();
    this.element = this.#frame = null;
  }

  /** The browser says that a document has loaded; that of a step back it may say before. @param {HTMLIFrameElement} frame */
  async #onLoad(frame) {
    const document = frame.contentDocument;
    if (document) await this.#control(document);
    else if (!(await this.#isControlled()) && frame === this.#frame) {
      this.link.drop();
      // What answers nothing may be anything. Where a site can't be left, it is the site's.
      if (this.#site?.outside) this.#leaveSite();
      this.#arrived({ title: "", readable: false, why: this.#site ? UNREADABLE : FOREIGN });
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
    this.origin = null;
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
  hear({ source, origin, data }) {
    if (!this.#frame || source !== this.#frame.contentWindow || data?.geminiPage !== "here") return;
    if (!isOf(data.url, origin)) return;
    if (this.#site && origin !== this.#site.origin) this.#leaveSite();
    this.#controlled = this.#frame.contentDocument ?? null;
    this.origin = origin;
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
    const told = this.origin === null || isOf(url, this.origin) ? url : this.state.url;
    this.#arrived({ url: told, title, readable: true, why: null });
  }

  /** A document has loaded. @param {Partial<DocumentState>} change */
  #arrived(change) {
    this.#loads += 1;
    this.#become({ ...change, loading: false });
    this.#arrival.release();
  }

  #leaveSite() {
    this.#site = null;
    this.#become({ site: null });
    this.on.leave();
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

/** Whether the URL that a document claims is of the origin that it has. @param {unknown} url @param {string} origin */
function isOf(url, origin) {
  return typeof url === "string" && URL.parse(url)?.origin === origin;
}

/** @param {Document} document @param {string} url @returns {Promise<void>} */
function loadScript(document, url) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.integrity = integrityOf(PAGE_SCRIPT);
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${url} could not be loaded into the page`));
    (document.head ?? document.documentElement).append(script);
  });
}
