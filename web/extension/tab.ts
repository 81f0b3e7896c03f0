/**
 * One shared tab of the browser: its document's page script, in the isolated world, through a connection of the
 * extension. The browser's statements about a tab are trusted; its document's aren't.
 */

import { messageOf } from "../shared/thrown.ts";
import { DocumentLink, namesOf, problem } from "../shared/document_link.ts";
import { READING } from "../shared/methods.ts";
import { Waiters } from "../shared/waiters.ts";
import { PDF_TYPE } from "../page/downloads.ts";
import type { DocumentState, Report } from "../shared/outer_tabs.ts";
import { messagePort } from "./content/message_port.ts";
import { BAR, CONTROL } from "./content/names.ts";
import { capture, isOfView, type Options } from "./capture.ts";
import { runInPage } from "./in_page.ts";
import { requireAllowed } from "./sites.ts";
import { Navigations } from "./navigations.ts";
import { noPage, SENT, storedOf, UNREADABLE, unstore, whyStored, whyUnread, type Stored } from "./stored.ts";
import { TrustedTab, type ActionResult } from "./trusted/tab.ts";

// After this time, the caller gets a document that is still loading.
const LOADS_MS = 30_000;
// For an action that led to another document.
const ARRIVES_MS = 10_000;
// The bar says that a tab is used until this time after the last request.
const IDLE_MS = 2_000;
const WHO = "gemini";
const PDF = "it is a PDF file";
/** of an action; `loads`: the count before */
type Start = { loads: number; time: Date; navigations: Navigations };

const CANCELLED = "the user has pressed Cancel in the browser's bar, which ends trusted input; share it again";

/** of a request to the page script, which checks it */
export type Params = Options & { code?: unknown; accept?: boolean; text?: string | null };

/** the page script's answer to an action */
type Result = ActionResult | null;

interface Callbacks {
  change: (state: DocumentState) => void;
  /** called when the document has new messages */
  messages: () => void;
  /** called at each change of a download */
  download: (report: Report) => void;
  /** called when the user or the page ends the sharing */
  stop: (why: string) => void;
  /** begins to read a file that no document of the tab can; returns false if it can't be read */
  read: (url: string, signal?: AbortSignal) => Promise<boolean>;
  /** returns whether the user has chosen trusted input */
  isTrusted: () => boolean;
}

export class SharedTab {
  link: DocumentLink;
  #loads = 0;
  #arrival = new Waiters();
  #bar: chrome.Port | null = null;
  #idle: ReturnType<typeof setTimeout> | undefined;
  /** The attempt to connect to the document that is running. */
  #attaching: Promise<void> | null = null;
  #released = false;
  /** The browser's id of the document that the link leads to. */
  #document = "";
  #trusted: TrustedTab;
  id: number;
  callbacks: Callbacks;
  state: DocumentState;

  /**
   * @param id - of the browser's tab
   * @param url - that it shows
   */
  constructor(tab: string, id: number, url: string, callbacks: Callbacks) {
    this.id = id;
    this.callbacks = callbacks;
    this.#trusted = new TrustedTab(id, () => callbacks.stop(CANCELLED));
    const { messages, download } = callbacks;
    this.link = new DocumentLink({ messages, download, tools: (tools) => this.#update({ tools }) });
    this.state = { tab, url, title: "", loading: true, readable: true, why: null, site: null };
  }

  /** The origin of the document, as the browser says. */
  get origin() {
    return URL.parse(this.state.url)?.origin ?? null;
  }

  #update(change: Partial<DocumentState>) {
    if (this.#released) return;
    this.state = { ...this.state, ...change };
    this.callbacks.change(this.state);
  }

  /** Open a URL. */
  async open(url: string, signal?: AbortSignal): Promise<DocumentState> {
    const start = this.#begin();
    try {
      this.#update({ url, title: "", loading: true, readable: true, why: null, tools: [] });
      await chrome.tabs.update(this.id, { url });
      const file = await this.#next(url, start, LOADS_MS, signal);
      return file === null ? this.state : await this.#read(file, signal);
    } finally {
      start.navigations.stop();
    }
  }

  #begin() {
    return { loads: this.#loads, time: new Date(), navigations: new Navigations() };
  }

  /** Connect to the document that the tab shows. */
  async adopt(signal?: AbortSignal): Promise<DocumentState> {
    const loads = this.#loads;
    const { status } = await chrome.tabs.get(this.id);
    if (status === "complete") void this.loaded();
    await this.#nextLoad(loads, LOADS_MS, signal);
    return this.state;
  }

  /** Read a file that the browser has begun to store instead of opening it. */
  async #read(file: Stored, signal?: AbortSignal) {
    const { url, title } = await chrome.tabs.get(this.id);
    const note = await this.#store(file, signal);
    this.#arrived({ url, title });
    if (note !== "") throw noPage(file.url, note);
    return this.state;
  }

  /**
   * Store a file among the surface's instead of the user's.
   *
   * @returns why it stays with the browser; empty otherwise
   */
  async #store(file: Stored, signal?: AbortSignal): Promise<string> {
    if (file.id === null) return whyStored();
    // Only the site's own files can be read by the document. It knows whether a form was sent.
    const { begun = false, sent = false } = this.link.linked
      ? await this.link.ask<{ begun?: boolean; sent?: boolean }>("download", { url: file.finalUrl }, signal)
      : {};
    if (sent) return SENT;
    if (!begun && !(await this.callbacks.read(file.url, signal))) return UNREADABLE;
    await unstore(file.id);
    return "";
  }

  /**
   * Wait for another document, or for a file that the browser begins to store instead.
   *
   * @param url - that leads to it
   * @param most - ms
   * @returns null for a document
   */
  async #next(url: string, { loads, ...start }: Start, most: number, signal?: AbortSignal): Promise<Stored | null> {
    const arrival = this.#nextLoad(loads, most, signal).then(() => null);
    const file = await Promise.race([arrival, this.#file(url, start, most, signal).then((found) => found ?? arrival)]);
    return this.#loads === loads ? file : null;
  }

  /**
   * Wait until the browser stores the tab's download.
   *
   * @param most - ms
   * @returns null if another document comes
   */
  async #file(
    url: string,
    { time, navigations }: Omit<Start, "loads">,
    most: number,
    signal?: AbortSignal,
  ): Promise<Stored | null> {
    for (;;) {
      const at = await navigations.end(this.id, most, signal);
      if (at === null) return null;
      const file = await storedOf([url, at], time);
      // Another navigation may have replaced this one.
      if (file.id !== null || navigations.hasEnded(this.id)) return file;
    }
  }

  /**
   * Record that the tab shows another address.
   * @param loads - whether another document comes
   */
  moved(url: string, loads: boolean) {
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
      const [{ documentId }] = await chrome.scripting.executeScript<void>({
        target,
        files: ["content.js"],
        injectImmediately: true,
      });
      // It may have been replaced since, by one of another site.
      const now = await chrome.tabs.get(this.id);
      if (URL.parse(now.url)?.origin !== URL.parse(url)?.origin) return void (await this.#again());
      this.#document = documentId;
      this.#connect(documentId);
      await this.link.ask("install", { dialogs: { accept: false }, messages: true, tools: true, downloads: "actions" });
      const { tools, type } = await this.link.ask<{ tools: unknown; type: string }>("about", {});
      const isPdf = type === PDF_TYPE;
      if (isPdf) await this.link.ask("download", {});
      this.#arrived({ url, title, readable: !isPdf, why: isPdf ? PDF : null, tools: namesOf(tools) });
    } catch (error) {
      this.link.drop();
      this.#arrived({ url, title, readable: false, why: whyUnread(messageOf(error)) });
    }
  }

  /** Connect to the document that has replaced another while this one attached. */
  async #again() {
    const { status } = await chrome.tabs.get(this.id);
    if (status === "complete") await this.#attach();
  }

  #connect(documentId: string) {
    const outer = chrome.tabs.connect(this.id, { name: CONTROL, documentId });
    this.link.use(messagePort(outer));
    outer.onDisconnect.addListener(() => {
      // Reading the property marks the error as handled.
      void chrome.runtime.lastError;
      this.link.drop();
      this.#bar = null;
      if (!this.#released) void this.#follow();
    });
    const bar = chrome.tabs.connect(this.id, { name: BAR, documentId });
    this.#bar = bar;
    bar.onMessage.addListener((said: string) =>
      this.callbacks.stop(
        said === "stop" ? "the user has taken it back; share it again" : "the page hides the bar that says who uses it",
      ),
    );
    bar.onDisconnect.addListener(() => void chrome.runtime.lastError);
    this.#tellBar(false);
  }

  /** Wait for the document that has replaced another. The browser may have reported already that it is there. */
  async #follow() {
    this.#update({ loading: true, tools: [] });
    const tab = await chrome.tabs.get(this.id).catch(() => null);
    if (tab?.status === "complete") await this.loaded();
  }

  #tellBar(working: boolean) {
    this.#bar?.postMessage({ who: WHO, working });
  }

  #arrived(change: Partial<DocumentState>) {
    this.#loads += 1;
    this.#update({ ...change, loading: false });
    this.#arrival.release();
  }

  /**
   * @param loads - the count before
   * @param most - ms
   */
  async #nextLoad(loads: number, most: number, signal?: AbortSignal) {
    if (this.#loads === loads) await this.#arrival.wait(most, signal);
  }

  /**
   * Call a method of the document's page script. If it navigates, return when the next document has loaded.
   *
   * @param origin - that the user was asked about
   */
  async ask(method: string, params: Params, origin: string | null, signal?: AbortSignal) {
    const { url } = await chrome.tabs.get(this.id);
    await requireAllowed(url);
    if (!this.link.linked) await this.#nextLoad(this.#loads, ARRIVES_MS, signal);
    if (!this.link.linked)
      throw problem({ type: "TimedOut", message: "The document is still loading.", hint: "Try again." });
    if (this.origin !== origin)
      throw problem({ type: "PageGone", message: "The tab has gone to another site.", hint: "Take a new snapshot." });
    clearTimeout(this.#idle);
    this.#tellBar(true);
    const start = this.#begin();
    try {
      if (method === "evaluate") return await this.#evaluate(params.code);
      if (method === "screenshot") return await this.#picture(params, origin, signal);
      if (method === "dialogs") this.#trusted.answerBy({ accept: params.accept, text: params.text ?? undefined });
      const act = () => this.link.ask<Result>(method, params, signal);
      const result = await (this.callbacks.isTrusted() ? this.#trusted.perform(method, this.#document, act) : act());
      return READING.has(method) ? result : await this.#result(result, start, signal);
    } finally {
      start.navigations.stop();
      this.#idle = setTimeout(() => this.#tellBar(false), IDLE_MS);
    }
  }

  /**
   * Wait for what an action led to: another document, or files that the browser stores.
   *
   * @param result - of the page script
   */
  async #result(result: Result, start: Start, signal?: AbortSignal) {
    const { navigates_to: to, ...stayed } = result ?? {};
    const windows = await start.navigations.ofWindows(this.id, ARRIVES_MS, signal);
    if (to === undefined && windows.length === 0) return result;
    // The page itself may not have changed.
    if (windows.length > 0 && stayed.success === false) Object.assign(stayed, { success: true, note: undefined });
    const file = to === undefined ? null : await this.#next(String(to), start, ARRIVES_MS, signal);
    const stored = windows.filter(({ hasDocument }) => !hasDocument).map(({ url }) => storedOf([url], start.time));
    const files = [...(await Promise.all(stored)), ...(file === null ? [] : [file])];
    const notes = new Set([stayed.note]);
    for (const each of files) notes.add(await this.#store(each, signal));
    const note = [...notes].filter(Boolean).join(" ");
    const opened = windows.filter(({ hasDocument }) => hasDocument).map(({ url }) => url);
    return {
      ...stayed,
      ...(to === undefined || file !== null ? {} : { navigates_to: to, document: this.state }),
      ...(opened.length > 0 ? { opened } : {}),
      note: note || undefined,
    };
  }

  /**
   * Take a screenshot: the browser's own if the tab is visible or the debugger may be used, or else the page script's.
   */
  async #picture(params: Params, origin: string | null, signal?: AbortSignal) {
    const tab = await chrome.tabs.get(this.id);
    if (!tab.active || !isOfView(params)) return this.#pictureBehind(params, tab.url, signal);
    const loads = this.#loads;
    const taken = await capture(tab, params);
    const after = await chrome.tabs.get(this.id);
    // The user may have switched to another tab, which the picture would show; or the tab has gone elsewhere and back.
    const isSame =
      after.active &&
      after.windowId === tab.windowId &&
      URL.parse(after.url)?.origin === origin &&
      this.#stayed(loads, tab.url, after.url);
    return isSame && taken !== null ? taken : this.#pictureBehind(params, tab.url, signal);
  }

  /** @param url - that the tab shows */
  async #pictureBehind(params: Params, url: string, signal?: AbortSignal) {
    const { link } = this;
    const drawn = () => link.ask("screenshot", params, signal);
    if (!this.callbacks.isTrusted()) return drawn();
    const loads = this.#loads;
    const taken = await this.#trusted.picture(link, params, signal);
    // Another document may have been in it.
    if (this.#stayed(loads, url, (await chrome.tabs.get(this.id)).url)) return taken;
    throw problem({ type: "PageGone", message: "Another document replaced this one.", hint: "Take a new snapshot." });
  }

  /**
   * Return whether the same document has been there all the time.
   * @param loads - the count before
   * @param after - its URLs
   */
  #stayed(loads: number, before: string, after: string) {
    return this.#loads === loads && this.link.linked && before === after;
  }

  async #evaluate(code: unknown) {
    const target = { tabId: this.id, documentIds: [this.#document] };
    const [{ result }] = await chrome.scripting.executeScript<Awaited<ReturnType<typeof runInPage>>>({
      target,
      world: "MAIN",
      func: runInPage,
      args: [String(code)],
    });
    if ("value" in result) return result.value;
    const { type, message, stack } = result;
    if (type !== "Unsupported") throw problem({ type, message, data: { stack } });
    throw problem({
      type,
      message: "The page's policy (CSP) forbids running code from a string.",
      hint: "Use a snapshot, the page's text, and actions.",
    });
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
