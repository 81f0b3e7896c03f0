/**
 * The documents that the surface controls: its own, and those of its tabs. Python asks for them by JSON-RPC
 * (py/gemini/dom/documents.py); which tabs there are, and which is in front, is Python's to say.
 *
 * @import { Consent, Words } from "../consent/consent.js"
 * @import { DocumentState } from "./frame.js"
 * @import { Place } from "./gate.js"
 * @import { Site, Sites } from "./sites.js"
 */

import { serve } from "../../page/conversation.js";
import { DocumentLink, problem } from "./document_link.js";
import { Frame } from "./frame.js";
import { Gate } from "./gate.js";
import { ACTING, READING } from "./methods.js";
import { loadPart } from "../parts.js";

const PAGE = "page";
const BLANK = "about:blank";
const FOCUSED = ":focus";
// Reading methods that the surface alone asks for: one says where parts of the page script are loaded from.
const SURFACES_OWN = new Set(["about", "install"]);

export class Frames {
  /** @type {Map<string, Frame>} */
  #frames = new Map();
  #page = new DocumentLink();
  /** @type {Gate} */
  #gate;
  #shown = PAGE;
  /** How many actions run in the page itself. */
  #acting = 0;
  /** @type {Set<(tab: string, method: string, result: any) => void>} */
  #watchers = new Set();

  /**
   * @param {object} options
   * @param {HTMLElement} options.place where frames are put
   * @param {Window} options.host the window whose document the surface stands in
   * @param {Sites} options.sites where files are shown from
   * @param {Consent} options.consent
   * @param {(state: DocumentState) => void} options.onChange
   */
  constructor({ place, host, sites, consent, onChange }) {
    this.place = place;
    this.host = host;
    this.sites = sites;
    this.onChange = onChange;
    this.#gate = new Gate(consent);
    this.methods = {
      opened: () => this.#opened(),
      site: (/** @type {any} */ { root }) => this.sites.find(root),
      open: (/** @type {any} */ { tab, url, words, signal }) => this.#open(tab, url, words, signal),
      openFile: (/** @type {any} */ { tab, root, path, words, signal }) => this.#openFile(tab, root, path, words, signal),
      close: (/** @type {any} */ { tab }) => this.#close(tab),
      ask: (/** @type {any} */ asked) => this.#askForPython(asked),
      consent: (/** @type {any} */ { words, signal }) => this.#gate.courtesy(words, signal),
      model: async (/** @type {any} */ asked) => (await loadPart("ui-builtin-model.js")).ask(asked),
    };
    window.addEventListener("message", (event) => {
      for (const frame of this.#frames.values()) frame.hear(event);
    });
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
   * Ask a document's script for Python, which may ask for what reads, and for actions where the person agrees to those that
   * need it.
   * @param {{tab: string, method: string, params: object, words?: Words, signal?: AbortSignal}} asked
   */
  async #askForPython({ tab, method, params, words, signal }) {
    if (!(READING.has(method) || ACTING.has(method)) || SURFACES_OWN.has(method)) {
      throw problem({ type: "InvalidArguments", message: `A document isn't asked for ${JSON.stringify(method)} from Python.` });
    }
    if (READING.has(method)) return this.ask(tab, method, params, signal);
    const place = this.#placeOf(tab);
    if (method !== "evaluate") requireTarget(place, method, params);
    return this.#gate.act(place, method, params, (given) => this.ask(tab, method, given, signal), words, signal);
  }

  /** @param {string} tab @returns {Place} */
  #placeOf(tab) {
    if (tab === PAGE) {
      const { href, origin } = this.host.location;
      return { origin, url: href, own: this.host === window, inside: false };
    }
    const { origin, state } = this.#known(tab);
    const site = this.sites.of(tab);
    const inside = site !== null && site.own_origin && !site.outside && origin === site.origin;
    // Of documents of the surface's own origin the browser says none.
    return { origin: origin ?? location.origin, url: state.url, own: false, inside };
  }

  /** @param {string} tab @param {string} text @param {Words} [words] @param {AbortSignal} [signal] */
  async #open(tab, text, words, signal) {
    const url = text === BLANK ? null : addressOf(text);
    if (url !== null && url.origin === location.origin && url.pathname === location.pathname) {
      throw problem({ type: "OffLimits", message: "The surface doesn't open in a tab of its own.", hint: "Open another page." });
    }
    // What a site's origin has comes as a file, by openFile, in a frame that it can't leave.
    if (url !== null && this.sites.has(url.href)) {
      throw problem({ type: "UsageProblem", message: `${url.href} is of a site. Open the path of its file.` });
    }
    const isOwn = url === null || url.origin === location.origin;
    if (!isOwn) await this.#gate.open(tab, url, words, signal);
    this.sites.leave(tab);
    return this.#frame(tab).open(url?.href ?? BLANK, isOwn ? "same" : "other", { signal });
  }

  /**
   * @param {string} tab
   * @param {string} root the directory that its site is
   * @param {string} path with a query and a fragment, percent-encoded
   * @param {Words} [words]
   * @param {AbortSignal} [signal]
   */
  async #openFile(tab, root, path, words, signal) {
    if (!(await this.sites.find(root)).own_origin) await this.#gate.share(path, words, signal);
    const frame = this.#frame(tab);
    const site = await this.sites.show(tab, root);
    if (this.#frames.get(tab) !== frame) {
      this.sites.leave(tab);
      throw problem({ type: "TabMissing", message: `The tab ${JSON.stringify(tab)} was closed.` });
    }
    return frame.open(site.url + path.replace(/^\/+/, ""), "file", { site, signal });
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

  /**
   * Let the site of a tab reach other origins, or not any more, and load it again. Only a press of the person's leads here.
   * @param {string} tab
   */
  async switchNetwork(tab) {
    const before = this.sites.of(tab);
    if (!before) return;
    const tabs = await this.sites.switchOutside(tab);
    await Promise.all(tabs.map((id) => {
      const frame = this.#known(id);
      const path = frame.state.url.slice(before.url.length);
      const site = /** @type {Site} */ (this.sites.of(id));
      return frame.open(site.url + path, "file", { site });
    }));
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
    const frame = new Frame(tab, this.place, {
      change: (state) => {
        this.show(this.#shown);
        this.onChange(state);
      },
      leave: () => this.sites.leave(tab),
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
    this.sites.leave(tab);
    this.#gate.forget(tab);
  }
}

/**
 * In the surface's own document nothing is done but to elements, of which the page script leaves panels out: not to what
 * has the focus, and not to the document.
 * @param {Place} place
 * @param {string} method
 * @param {any} params
 */
function requireTarget({ own }, method, { ref, selector, x }) {
  const isTargeted = method !== "traverse" && method !== "reload" && (ref ?? selector ?? x) !== undefined;
  if (!own || (isTargeted && selector !== FOCUSED)) return;
  throw problem({
    type: "OffLimits",
    message: "'page' is the surface itself, where only people act.",
    hint: "Open a page in a tab and act on that; for the surface, use its tools.",
  });
}

/** @param {unknown} text @returns {URL} of a document that a tab may show */
function addressOf(text) {
  const url = typeof text === "string" ? URL.parse(text) : null;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw problem({ type: "InvalidArguments", message: `${JSON.stringify(text)} can't be opened in a tab.`, hint: "Give an http: or https: URL." });
}

/** @param {Element | null} element @returns {element is HTMLElement} */
function takesText(element) {
  return element instanceof HTMLElement && (element.isContentEditable || element.matches("input, textarea"));
}
