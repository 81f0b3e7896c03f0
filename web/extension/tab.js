/**
 * One shared tab of the browser: its document's page script, in the isolated world, through a connection of the
 * extension. What the browser says about a tab is trusted; what its document says isn't.
 *
 * @import { DocumentState } from "../ui/browser/frame.js"
 * @import { Item } from "./stored.js"
 */

import { DocumentLink, namesOf, problem } from "../ui/browser/document_link.js";
import { Waiters } from "../ui/browser/waiters.js";
import { PDF_TYPE } from "../page/downloads.js";
import { messagePort } from "./content/message_port.js";
import { BAR, CONTROL } from "./content/names.js";
import { capture, isOfView } from "./capture.js";
import { runInPage } from "./in_page.js";
import { requireAllowed } from "./sites.js";
import { storedFrom, unstore } from "./stored.js";
import { TrustedTab } from "./trusted/tab.js";

// After this time, the caller gets a document that is still loading.
const LOADS_MS = 30_000;
// For an action that led to another document.
const ARRIVES_MS = 10_000;
// The bar says that a tab is used until this time after the last request.
const IDLE_MS = 2_000;
const WHO = "gemini";
const PDF = "it is a PDF file";
const CANCELLED = "the person has pressed Cancel in the browser's bar, which ends trusted input; share it again";

export class SharedTab {
  link;
  #loads = 0;
  #arrival = new Waiters();
  /** @type {any} */
  #bar = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #idle;
  /** The attempt to connect to the document that is running. @type {Promise<void> | null} */
  #attaching = null;
  #released = false;
  /** The browser's id of the document that the link leads to. */
  #document = "";
  #trusted;

  /**
   * @param {string} tab
   * @param {number} id of the browser's tab
   * @param {string} url that it shows
   * @param {object} callbacks
   * @param {(state: DocumentState) => void} callbacks.change
   * @param {() => void} callbacks.error called when the document has new errors
   * @param {(report: any) => void} callbacks.download called at each change of a download
   * @param {(why: string) => void} callbacks.stop called when the person or the page ends the sharing
   * @param {() => boolean} callbacks.isTrusted returns whether the person has chosen trusted input
   */
  constructor(tab, id, url, callbacks) {
    this.id = id;
    this.callbacks = callbacks;
    this.#trusted = new TrustedTab(id, () => callbacks.stop(CANCELLED));
    const { error, download } = callbacks;
    this.link = new DocumentLink({ error, download, tools: (tools) => this.#update({ tools }) });
    /** @type {DocumentState} */
    this.state = { tab, url, title: "", loading: true, readable: true, why: null, site: null };
  }

  /** The origin of the document, as the browser says. */
  get origin() {
    return URL.parse(this.state.url)?.origin ?? null;
  }

  /** @param {Partial<DocumentState>} change */
  #update(change) {
    if (this.#released) return;
    this.state = { ...this.state, ...change };
    this.callbacks.change(this.state);
  }

  /** Open a URL. @param {string} url @param {AbortSignal} [signal] @returns {Promise<DocumentState>} */
  async open(url, signal) {
    const [loads, start] = [this.#loads, new Date()];
    this.#update({ url, title: "", loading: true, readable: true, why: null, tools: [] });
    await chrome.tabs.update(this.id, { url });
    const item = await this.#next(url, loads, start, LOADS_MS, signal);
    return item === null ? this.state : this.#read(item, url, signal);
  }

  /** Connect to the document that the tab shows. @param {AbortSignal} [signal] @returns {Promise<DocumentState>} */
  async adopt(signal) {
    const loads = this.#loads;
    const { status } = await chrome.tabs.get(this.id);
    if (status === "complete") void this.loaded();
    await this.#nextLoad(loads, LOADS_MS, signal);
    return this.state;
  }

  /** Read a file that the browser has begun to store instead of opening it. @param {Item} item @param {string} url @param {AbortSignal} [signal] */
  async #read(item, url, signal) {
    await unstore(item);
    const { url: shown, title } = await chrome.tabs.get(this.id);
    const { begun } = this.link.linked ? await this.link.ask("download", { url }, signal) : { begun: false };
    this.#arrived({ url: shown, title });
    if (begun) return this.state;
    throw problem({
      type: "Unsupported",
      message: `${url} is no page: its site sends it as a file to store.`,
      hint: "Open a page of the site in a tab, then the file's address in the same tab; or use curl in a terminal.",
    });
  }

  /**
   * Wait for another document, or for a file that the browser begins to store instead.
   *
   * @param {string} url that leads to it
   * @param {number} loads the count before
   * @param {Date} start
   * @param {number} most ms
   * @param {AbortSignal} [signal]
   */
  async #next(url, loads, start, most, signal) {
    const waiting = new AbortController();
    const arrival = this.#nextLoad(loads, most, signal).then(() => null);
    const item = await Promise.race([arrival, storedFrom(url, start, waiting.signal)]).finally(() => waiting.abort());
    return this.#loads === loads ? item : null;
  }

  /** Record that the tab shows another address. @param {string} url @param {boolean} loads whether another document comes */
  moved(url, loads) {
    if (loads) this.#update({ url, title: "", loading: true, readable: true, why: null, tools: [] });
    else this.#arrived({ url });
  }

  /** Connect to the document after it has loaded. */
  async loaded() {
    this.#attaching ??= this.#attach().finally(() => (this.#attaching = null));
    await this.#attaching;
  }

  async #attach() {
    const { url, title } = await chrome.tabs.get(this.id);
    if (this.link.linked) return this.#arrived({ url, title });
    try {
      await requireAllowed(url);
      const target = { tabId: this.id };
      await chrome.scripting.executeScript({ target, world: "MAIN", files: ["hook.js"], injectImmediately: true });
      const [{ documentId }] = await chrome.scripting.executeScript({ target, files: ["content.js"], injectImmediately: true });
      // It may have been replaced since, by one of another site.
      const now = await chrome.tabs.get(this.id);
      if (URL.parse(now.url)?.origin !== URL.parse(url)?.origin) return void (await this.#again());
      this.#document = documentId;
      this.#connect(documentId);
      await this.link.ask("install", { dialogs: { accept: false }, errors: true, tools: true, downloads: "actions" });
      const { tools, type } = await this.link.ask("about", {});
      const isPdf = type === PDF_TYPE;
      if (isPdf) await this.link.ask("download", {});
      this.#arrived({ url, title, readable: !isPdf, why: isPdf ? PDF : null, tools: namesOf(tools) });
    } catch (error) {
      this.link.drop();
      this.#arrived({ url, title, readable: false, why: /** @type {Error} */ (error).message });
    }
  }

  /** Connect to the document that has replaced another while this one attached. */
  async #again() {
    const { status } = await chrome.tabs.get(this.id);
    if (status === "complete") await this.#attach();
  }

  /** @param {string} documentId */
  #connect(documentId) {
    const outer = chrome.tabs.connect(this.id, { name: CONTROL, documentId });
    this.link.use(messagePort(outer));
    outer.onDisconnect.addListener(() => {
      // Reading the property marks the error as handled.
      void chrome.runtime.lastError;
      this.link.drop();
      this.#bar = null;
      if (!this.#released) void this.#follow();
    });
    this.#bar = chrome.tabs.connect(this.id, { name: BAR, documentId });
    this.#bar.onMessage.addListener((/** @type {string} */ said) => this.callbacks.stop(said === "stop"
      ? "the person has taken it back; share it again" : "the page hides the bar that says who uses it"));
    this.#bar.onDisconnect.addListener(() => void chrome.runtime.lastError);
    this.#tellBar(false);
  }

  /** Wait for the document that has replaced another. The browser may have reported already that it is there. */
  async #follow() {
    this.#update({ loading: true, tools: [] });
    const tab = await chrome.tabs.get(this.id).catch(() => null);
    if (tab?.status === "complete") await this.loaded();
  }

  /** @param {boolean} working */
  #tellBar(working) {
    this.#bar?.postMessage({ who: WHO, working });
  }

  /** @param {Partial<DocumentState>} change */
  #arrived(change) {
    this.#loads += 1;
    this.#update({ ...change, loading: false });
    this.#arrival.release();
  }

  /** @param {number} loads the count before @param {number} most ms @param {AbortSignal} [signal] */
  async #nextLoad(loads, most, signal) {
    if (this.#loads === loads) await this.#arrival.wait(most, signal);
  }

  /**
   * Call a method of the document's page script. If it navigates, return when the next document has loaded.
   *
   * @param {string} method
   * @param {any} params
   * @param {string | null} origin that the person was asked about
   * @param {AbortSignal} [signal]
   */
  async ask(method, params, origin, signal) {
    const { url } = await chrome.tabs.get(this.id);
    await requireAllowed(url);
    if (!this.link.linked) await this.#nextLoad(this.#loads, ARRIVES_MS, signal);
    if (!this.link.linked) throw problem({ type: "TimedOut", message: "The document is still loading.", hint: "Try again." });
    if (this.origin !== origin) throw problem({ type: "PageGone", message: "The tab has gone to another site.", hint: "Take a new snapshot." });
    clearTimeout(this.#idle);
    this.#tellBar(true);
    try {
      if (method === "evaluate") return await this.#evaluate(params.code);
      if (method === "screenshot") return await this.#picture(params, origin, signal);
      if (method === "dialogs") this.#trusted.answerBy({ accept: params.accept, text: params.text ?? undefined });
      const [loads, start] = [this.#loads, new Date()];
      const act = () => this.link.ask(method, params, signal);
      const result = await (this.callbacks.isTrusted() ? this.#trusted.perform(method, this.#document, act) : act());
      if (result?.navigates_to === undefined) return result;
      return this.#result(result, loads, start, signal);
    } finally {
      this.#idle = setTimeout(() => this.#tellBar(false), IDLE_MS);
    }
  }

  /**
   * Wait for what an action led to: another document, or a file that the browser stores.
   *
   * @param {any} result of the page script
   * @param {number} loads the count before the action
   * @param {Date} start of the action
   * @param {AbortSignal} [signal]
   */
  async #result(result, loads, start, signal) {
    const { navigates_to: to, ...stayed } = result;
    const item = await this.#next(String(to), loads, start, ARRIVES_MS, signal);
    if (item === null) return { ...result, document: this.state };
    // Only the site's own files can be read again, unless a form was sent. The browser stores the others, as for the person.
    const isOwn = URL.parse(item.finalUrl)?.origin === this.origin;
    const { begun } = isOwn ? await this.link.ask("download", {}, signal) : { begun: false };
    if (!begun) return { ...stayed, downloads_file: true };
    await unstore(item);
    return stayed;
  }

  /** Take a screenshot: the browser's own if the tab is visible or the debugger may be used, or else the page script's. @param {any} params @param {string | null} origin @param {AbortSignal} [signal] */
  async #picture(params, origin, signal) {
    const tab = await chrome.tabs.get(this.id);
    if (!tab.active || !isOfView(params)) return this.#pictureBehind(params, tab.url, signal);
    const loads = this.#loads;
    const taken = await capture(tab, params);
    const after = await chrome.tabs.get(this.id);
    // The person may have switched to another tab, which the picture would show; or the tab has gone elsewhere and back.
    const isSame = after.active && after.windowId === tab.windowId && URL.parse(after.url)?.origin === origin && this.#stayed(loads, tab.url, after.url);
    return isSame && taken !== null ? taken : this.#pictureBehind(params, tab.url, signal);
  }

  /** @param {any} params @param {string} url that the tab shows @param {AbortSignal} [signal] */
  async #pictureBehind(params, url, signal) {
    const { link } = this;
    const drawn = () => link.ask("screenshot", params, signal);
    if (!this.callbacks.isTrusted()) return drawn();
    const loads = this.#loads;
    const taken = await this.#trusted.picture(link, params, signal);
    // Another document may have been in it.
    if (this.#stayed(loads, url, (await chrome.tabs.get(this.id)).url)) return taken;
    throw problem({ type: "PageGone", message: "Another document replaced this one.", hint: "Take a new snapshot." });
  }

  /** Return whether the same document has been there all the time. @param {number} loads the count before @param {string} before @param {string} after its URLs */
  #stayed(loads, before, after) {
    return this.#loads === loads && this.link.linked && before === after;
  }

  /** @param {string} code */
  async #evaluate(code) {
    const target = { tabId: this.id, documentIds: [this.#document] };
    const [{ result }] = await chrome.scripting.executeScript({ target, world: "MAIN", func: runInPage, args: [String(code)] });
    if ("value" in result) return result.value;
    const { type, message, stack } = result;
    if (type !== "Unsupported") throw problem({ type, message, data: { stack } });
    throw problem({ type, message: "The page's policy (CSP) forbids running code from a string.", hint: "Use a snapshot, the page's text, and actions." });
  }

  /** Detach the browser's debugger. */
  endTrusted() {
    return this.#trusted.end();
  }

  /** Disconnect from the document, which then has no bar. */
  release() {
    this.#released = true;
    void this.#trusted.close();
    clearTimeout(this.#idle);
    this.#bar?.disconnect();
    this.link.drop();
    this.#arrival.release();
  }
}
