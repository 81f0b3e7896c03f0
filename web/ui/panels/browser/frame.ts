/**
 * One tab: its frame and its document. A document is controlled through the page script. Documents of the surface's
 * origin get it here; documents of other origins must include it and accept this origin as their controller.
 */

import { messageOf } from "../../../shared/thrown.ts";
import { integrityOf } from "../../lib/integrity.ts";
import { h } from "../../lib/elements.ts";
import { cut, fits } from "../../../shared/limits.ts";
import { confine } from "./confined.ts";
import { DocumentLink, isGone, namesOf } from "../../../shared/document_link.ts";
import type { DocumentState, Framing, Report } from "../../../shared/outer_tabs.ts";
import { Waiters } from "../../../shared/waiters.ts";
import type { Site } from "./sites.ts";

/** the origin of a document */
type Kind = "file" | "same" | "other";

// After this time, the caller gets a document that is still loading.
const LOADS_MS = 30_000;
// For an action that led to another document.
const ARRIVES_MS = 10_000;
// A document of another origin that hasn't answered by then isn't controlled.
const ANSWERS_MS = 500;
const PAGE_SCRIPT = "gemini-page.js";
// No navigation of the top window, and no dialogs of the browser's, which would block the surface. Dialogs of
// controlled documents are answered by policy. No downloads, which would store files without asking; the
// page script reads downloads of controlled documents.
const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox";
const UNREADABLE = "it isn't HTML, or it tried to go to another origin, which a page made of files can't reach";
const NO_PAGE = "no page came: its site may send a file to store, which a frame can't, or it doesn't answer";
const FOREIGN = "its server can't be reached, or it has another origin, which doesn't let this surface control it";

/** @param found - what `callbacks.framing` returned */
const unreachable = (found: { unreachable: string }) => `it can't be opened (${found.unreachable})`;

// The page script in a document of this origin (web/page/main.ts).
declare global {
  interface Window {
    geminiPage?: { serve(port: MessagePort): void; install(options: object): void };
  }
}

interface Callbacks {
  change: (state: DocumentState) => void;
  /** called when the document reports a key that opens the palette */
  shortcut: () => void;
  /** called when the document reports new messages */
  messages: () => void;
  /** called at each change of a download */
  download: (report: Report) => void;
  /** called with a site's message that its service worker would get */
  site: (message: object, reply: MessagePort) => void;
  /** called when the document no longer belongs to a site */
  leave: () => void;
  /** returns the header that forbids showing a page here, or why its server can't be reached */
  framing: (url: string) => Promise<Framing | { unreachable: string }>;
}

export class Frame {
  link: DocumentLink;
  /** The element in the page. */
  element: HTMLIFrameElement | null = null;
  /** The frame with the document: `element`, or a frame inside it. */
  #frame: HTMLIFrameElement | null = null;
  #site: Site | null = null;
  /** The verified origin of a document of another origin; its URLs must belong to it. */
  origin: string | null = null;
  /** The URL that the surface has opened, as the document can't change it. */
  opened = "";
  #loads = 0;
  /** The reports on downloads. */
  #downloads = 0;
  #keepsFocus = false;
  /** Until the owner is known, a page has the width of an agent's, so that it doesn't change below an agent. */
  #isPersons = false;
  /** True until the page of another origin that the surface has opened has loaded. */
  #isOpening = false;
  #isBlocked = false;
  /** The document that the link leads to, if it has this origin. */
  #controlled: Document | null = null;
  #arrival = new Waiters();
  place: HTMLElement;
  callbacks: Callbacks;
  state: DocumentState;

  /** @param place - the parent of frames */
  constructor(tab: string, place: HTMLElement, callbacks: Callbacks) {
    this.place = place;
    this.callbacks = callbacks;
    this.link = new DocumentLink({
      ...callbacks,
      tools: (tools) => this.#update({ tools }),
      download: (report) => {
        this.#downloads += 1;
        callbacks.download(report);
        this.#arrival.release();
      },
    });
    this.state = { tab, url: "", title: "", loading: false, readable: true, why: null, framing: null, site: null };
  }

  #update(change: Partial<DocumentState>) {
    this.state = { ...this.state, ...change };
    this.callbacks.change(this.state);
  }

  /**
   * Show a URL in a new frame, because all frames share one browser history.
   *
   * @param options.site - of a file
   * @returns once it has loaded, or after a time limit
   */
  async open(
    url: string,
    kind: Kind,
    { site = null, signal }: { site?: Site | null; signal?: AbortSignal } = {},
  ): Promise<DocumentState> {
    this.link.drop();
    this.opened = url;
    this.#isOpening = kind === "other";
    this.#isBlocked = false;
    this.#controlled = this.origin = null;
    const title = `Page in ${this.state.tab}`;
    const frame = h("iframe", { title, sandbox: SANDBOX });
    // Pages without isolation headers load anyway, without cookies.
    if (kind === "other") frame.setAttribute("credentialless", "");
    frame.addEventListener("load", () => void this.#onLoad(frame));
    frame.src = url;
    this.element?.remove();
    this.#frame = frame;
    this.#site = site;
    this.element = this.#placed(frame, site, { class: this.#isPersons ? "tab-frame persons" : "tab-frame", title });
    this.#update({
      url,
      title: "",
      loading: true,
      readable: true,
      why: null,
      framing: null,
      tools: [],
      site: site && { url: site.url, root: site.root },
    });
    await this.#nextLoad(this.#loads, LOADS_MS, signal);
    // The empty document that a frame begins with.
    if (kind === "other" && this.#frame === frame && frame.contentDocument)
      this.#update({ loading: false, readable: false, why: NO_PAGE });
    return this.state;
  }

  #placed(frame: HTMLIFrameElement, site: Site | null, attributes: Record<string, string>) {
    if (site) {
      const onMessage = (event: MessageEvent) => this.onMessage(event);
      return confine(this.place, frame, { origin: site.origin, attributes, onMessage });
    }
    for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value);
    this.place.append(frame);
    return frame;
  }

  close() {
    this.link.drop();
    this.element?.remove();
    this.element = this.#frame = null;
    // Nothing will load any more.
    this.#arrival.release();
  }

  /** Handle a load. After a step back, the document's message may precede it. */
  async #onLoad(frame: HTMLIFrameElement) {
    const document = frame.contentDocument;
    if (document) await this.#control(document);
    else if (!(await this.#isControlled()) && frame === this.#frame) {
      this.link.drop();
      const found = await this.#framing();
      const framing = typeof found === "object" && found ? null : found;
      // It may have answered late, or another one may have been opened.
      if (frame !== this.#frame || this.link.linked) return;
      frame.inert = framing !== null && framing !== "unknown";
      this.#arrived({
        title: "",
        readable: false,
        why: typeof found === "object" && found ? unreachable(found) : this.#site ? UNREADABLE : FOREIGN,
        framing,
      });
    }
  }

  /** True while a page of another origin that the surface has opened is loading. */
  get isOpening() {
    return this.#isOpening;
  }

  /** The browser reports that the page's policy forbids showing it here. */
  block() {
    this.#isBlocked = true;
  }

  /** Return the header that forbids showing the document here, or why its server can't be reached. */
  async #framing(): Promise<Framing | { unreachable: string }> {
    if (this.#site) return null;
    if (!this.#isOpening) return "unknown";
    const found = await this.callbacks.framing(this.opened);
    this.#isOpening = false;
    return this.#isBlocked ? "frame-ancestors" : found;
  }

  /** Return whether a document of another origin answers, or has just announced itself. */
  async #isControlled() {
    const late = new Promise((resolve) => setTimeout(resolve, ANSWERS_MS, false));
    const answers = this.link.ask("about", {}).then(() => true, isGone);
    return Promise.race([answers, late]);
  }

  /** Give a document of this origin the page script if it lacks it. */
  async #control(document: Document) {
    if (this.#controlled === document) return;
    this.#controlled = document;
    this.origin = null;
    const view = document.defaultView;
    if (!view) return;
    view.addEventListener("pagehide", () => this.#leave(), { once: true });
    try {
      if (!("geminiPage" in view)) await loadScript(document, new URL(PAGE_SCRIPT, window.document.baseURI).href);
      view.geminiPage?.serve(this.link.renew());
      await this.#greet();
    } catch (error) {
      if (this.#controlled === document) this.#arrived({ readable: false, why: messageOf(error) });
    }
  }

  /** Connect a document that accepts control, as it announces at its start. */
  onMessage({ source, origin, data, ports: [reply] }: MessageEvent) {
    if (data?.geminiSite && reply && this.#site?.origin === origin && this.#contains(source))
      return this.callbacks.site(data.geminiSite, reply);
    if (!this.#frame || source !== this.#frame.contentWindow || data?.geminiPage !== "here" || !fits(data, "url"))
      return;
    if (!isOf(data.url, origin)) return;
    if (this.#site && origin !== this.#site.origin) this.#leaveSite();
    this.#controlled = this.#frame.contentDocument ?? null;
    this.origin = origin;
    const port = this.link.renew();
    source?.postMessage({ geminiPage: "control" }, { targetOrigin: origin, transfer: [port] });
    this.#update({ url: data.url, title: "", loading: true, readable: true, why: null, framing: null });
    this.#greet().catch(ignoreGone);
  }

  /** Return whether a window is the tab's document, or a frame in it. */
  #contains(source: MessageEventSource | null) {
    const document = this.#frame?.contentWindow;
    // A port has no parent.
    let at: Window | null = source && "parent" in source ? source : null;
    for (; document && at && at !== at.parent; at = at.parent) if (at === document) return true;
    return false;
  }

  /** Answer a document's dialogs by policy from now on, and wait until it has loaded. */
  async #greet() {
    const { link } = this;
    const installed = link.ask("install", {
      dialogs: { accept: false },
      shortcuts: true,
      messages: true,
      tools: true,
      downloads: true,
      focus: this.#keepsFocus,
    });
    const about = link.ask<{ url: string; title: string; tools: unknown }>("about", { loaded: true });
    const [{ url, title, tools }] = await Promise.all([about, installed]);
    const trusted = this.origin === null || isOf(url, this.origin) ? url : this.state.url;
    this.#arrived({
      url: fits(trusted, "url") ? trusted : this.state.url,
      title: cut(title, "title"),
      readable: true,
      why: null,
      framing: null,
      tools: namesOf(tools),
    });
  }

  /** Record that a document has loaded. */
  #arrived(change: Partial<DocumentState>) {
    this.#loads += 1;
    this.#update({ ...change, loading: false });
    this.#arrival.release();
  }

  /**
   * Take the width of the owner's pages. Documents of an agent that works don't notice that the user's focus is
   * elsewhere.
   *
   * @param owner - null: the user
   */
  belongTo(owner: { finished: boolean } | null) {
    this.#isPersons = owner === null;
    this.element?.classList.toggle("persons", owner === null);
    this.#keepFocus(owner?.finished === false);
  }

  #keepFocus(keeps: boolean) {
    if (keeps === this.#keepsFocus) return;
    this.#keepsFocus = keeps;
    // A document that leaves is followed by another, which gets this when it arrives.
    if (this.link.linked) this.link.ask("install", { focus: keeps }).catch(ignoreGone);
  }

  /** Put the focus back where it was in the document. */
  regainFocus() {
    this.#frame?.focus({ preventScroll: true });
    if (this.link.linked) this.link.ask("install", { focus: "regain" }).catch(ignoreGone);
  }

  #leaveSite() {
    this.#site = null;
    this.#update({ site: null });
    this.callbacks.leave();
  }

  #leave() {
    this.link.drop();
    this.#update({ loading: true, tools: [] });
  }

  /**
   * Send a request to the document's script. If it navigates, the result is returned when the new document has loaded.
   */
  async ask(method: string, params: object, signal?: AbortSignal) {
    const loads = this.#loads;
    const result = await this.link.ask<{ navigates_to?: string } | null>(method, params, signal);
    if (result?.navigates_to === undefined) return result;
    const downloads = this.#downloads;
    await this.#nextLoad(loads, ARRIVES_MS, signal);
    const { navigates_to: _, ...stayed } = result;
    return this.#loads === loads && this.#downloads !== downloads ? stayed : { ...result, document: this.state };
  }

  /**
   * @param loads - the count before
   * @param most - ms
   */
  async #nextLoad(loads: number, most: number, signal?: AbortSignal) {
    if (this.#loads === loads) await this.#arrival.wait(most, signal);
  }
}

/** Report an error unless the document has left: another one follows. */
function ignoreGone(error: unknown) {
  if (!isGone(error)) console.error("A page accepted control but doesn't answer.", error);
}

/** Return whether a URL that a document claims has the document's origin. */
function isOf(url: unknown, origin: string) {
  return typeof url === "string" && URL.parse(url)?.origin === origin;
}

function loadScript(document: Document, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.integrity = integrityOf(PAGE_SCRIPT);
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${url} could not be loaded into the page`));
    (document.head ?? document.documentElement).append(script);
  });
}
