/**
 * The documents that the surface controls: its own, and its tabs'. Python uses them by JSON-RPC
 * (py/gemini/pages/tabs/documents.py) and decides which tabs exist and which is in front.
 */

import type { TabRow } from "../../../generated/types.ts";
import { Connection } from "../../../../webmcp_bridge.js";
import { addressOf, isRootOf } from "./addresses.ts";
import { DocumentLink, hasLeft, problem } from "../../../shared/document_link.ts";
import { Downloads, sourceOf } from "./downloads.ts";
import { FocusGuard } from "./focus_guard.ts";
import { Frame } from "./frame.ts";
import { FrameReports } from "./framing.ts";
import { Gate, requireTarget, type Act, type Place } from "./gate.ts";
import { READING, requireMethod } from "../../../shared/methods.ts";
import { OuterTab } from "./outer_tab.ts";
import { SiteTabs } from "./site_tabs.ts";
import { TabProblems } from "./tab_problems.ts";
import { rootOf, Sites } from "./sites.ts";
import type { Answer, Asked, FramesOptions, Owner, Watcher } from "./requests.ts";
import { requireOther, surfaceOrigins } from "./surface_origins.ts";
import { LIMITS } from "../../../shared/limits.ts";
import type { DocumentState, Framing, OuterTabs } from "../../../shared/outer_tabs.ts";
import type { Words } from "../../consent/consent.ts";
import { loadPart } from "../../lib/lazy_bundles.ts";
import type { EnteredAddress } from "./entered.ts";

const PAGE = "page";
const BLANK = "about:blank";

export class Frames {
  #frames = new Map<string, Frame | OuterTab>();
  #page = new DocumentLink({ download: (report) => this.downloads.on(PAGE, sourceOf(this.#page), report) });
  #gate: Gate;
  #shown = PAGE;
  #focus = new FocusGuard();
  downloads = new Downloads((tab) => this.#onDownload(tab));
  #reports = new FrameReports(() => this.#onBlocked());
  /** The number of actions that run in the page itself. */
  #acting = 0;
  /** Called when the document in front reports a key that opens the palette. */
  onShortcut: (frame: Element | null) => void = () => {};
  /** Called when the user puts the focus into a tab's document. */
  onUse: (tab: string) => void = () => {};
  /** The tabs as Python has reported them, for the next kernel. */
  #rows = new Map<string, TabRow>();
  #watchers = new Set<Watcher>();
  /** called when a tab's document reports new messages of its console */
  messageListeners = new Set<(tab: string) => void>();
  place: HTMLElement;
  host: Window;
  sites: Sites;
  outers: () => OuterTabs[];
  onChange: (state: DocumentState) => void;
  framing: (url: string) => Promise<Framing | { unreachable: string }>;
  entered: EnteredAddress;
  methods;
  network: SiteTabs;
  problems = new TabProblems();

  constructor({ place, host, sites, consent, entered, outer, onChange, framing }: FramesOptions) {
    this.place = place;
    this.host = host;
    this.sites = sites;
    this.outers = outer;
    this.onChange = onChange;
    this.framing = framing;
    this.entered = entered;
    this.#gate = new Gate(consent, entered, (origin) => this.outer()?.allows(origin) ?? false);
    this.methods = {
      opened: () => this.#opened(),
      site: ({ root }: { root: string }) => this.sites.find(root),
      open: ({ tab, url, words, signal }: Asked & { url: string }) => this.#open(tab, url, words, signal),
      openFile: ({ tab, root, path, words, signal }: Asked & { root: string; path: string }) =>
        this.#openFile(tab, root, path, words, signal),
      openServer: ({ tab, port, path, signal }: Asked & { port: number; path: string }) =>
        this.#openServer(tab, port, path, signal),
      close: ({ tab }: Asked) => this.#close(tab),
      ask: (asked: Asked & { method: string; params: object }) => this.#askForPython(asked),
      consent: ({ words, signal }: Asked) => this.#gate.courtesy(words, signal),
      personal: async (asked: object) => (await loadPart<Owner>("ui-personal.js")).ask(asked, { consent, problem }),
      screen: async (asked: object) => (await loadPart<Owner>("ui-screen.js")).ask(asked, { consent, problem }),
      model: async (asked: object) => (await loadPart<Owner>("ui-builtin-model.js")).ask(asked, { problem }),
    };
    this.network = new SiteTabs(sites, (tab) => {
      const frame = this.#frames.get(tab);
      return frame instanceof Frame ? frame : undefined;
    });
    window.addEventListener("message", (event) => {
      for (const frame of this.#frames.values()) frame.onMessage(event);
    });
    this.#focus.onUse = (element) => {
      for (const [tab, frame] of this.#frames) if (frame.element === element) this.onUse(tab);
    };
    this.#focus.regain = (element) => {
      for (const frame of this.#frames.values()) if (frame.element === element) frame.regainFocus();
    };
  }

  /** Return the browser in which other origins are opened now. */
  outer() {
    return this.outers().find(({ available }) => available) ?? null;
  }

  /** Return the browser in which the user can open pages that agents can't read here; they may have to allow it. */
  elsewhere() {
    return this.outer() ?? this.outers().find(({ allow }) => allow) ?? null;
  }

  /** Serve Python through `port`. */
  serve(port: MessagePort) {
    new Connection(port, this.problems.watch(this.methods), LIMITS.message);
  }

  /** Call `watcher` with the result of each request to a document's script. */
  watch(watcher: Watcher) {
    this.#watchers.add(watcher);
  }

  #onMessages(tab: string) {
    for (const listener of this.messageListeners) listener(tab);
  }

  /** Bring a tab's frame to the front. The others keep their size, so that agents can still use them. */
  show(tab: string) {
    this.#shown = tab;
    for (const [id, frame] of this.#frames) {
      const { element } = frame;
      if (frame instanceof OuterTab) frame.show(id === tab);
      element?.classList.toggle("front", id === tab);
      element?.setAttribute("aria-hidden", String(id !== tab));
      element?.setAttribute("tabindex", id === tab ? "0" : "-1");
    }
  }

  /** Remember the owners of tabs. */
  own(tabs: TabRow[]) {
    for (const row of tabs) {
      this.#rows.set(row.id, row);
      this.#frames.get(row.id)?.belongTo(row.owner ?? null);
    }
  }

  /** Send a request of Python's to a document's script. Reading is allowed; some actions need the user's consent. */
  async #askForPython({
    tab,
    method,
    params,
    words,
    signal,
  }: {
    tab: string;
    method: string;
    params: object;
    words?: Words;
    signal?: AbortSignal;
  }) {
    requireMethod(method);
    const opened = this.#frames.get(tab);
    const isOwn = await surfaceOrigins();
    if (opened instanceof OuterTab) await requireOther(URL.parse(opened.state.url), "any");
    // A document may go to another origin, also while a question is open. A document outside may be at one already; its browser
    // tells where it is, and gets the origin that the user was asked about.
    const at = opened instanceof OuterTab ? opened.origin : undefined;
    if (opened instanceof OuterTab) await this.#gate.stay(tab, opened.state.url, words, signal);
    if (READING.has(method)) return this.ask(tab, method, params, signal, at);
    const place = this.#placeOf(tab, isOwn);
    if (method !== "evaluate") requireTarget(place, method, params);
    const act: Act = async (given) => {
      if (at === undefined && this.#placeOf(tab, isOwn).origin !== place.origin) throw hasLeft();
      return this.ask(tab, method, given, signal, at);
    };
    return this.#gate.act(place, method, params, act, words, signal);
  }

  #placeOf(tab: string, isOwn: (origin: string) => boolean): Place {
    if (tab === PAGE) {
      const { href, origin } = this.host.location;
      return { origin, url: href, own: this.host === window, shares: this.host === window, inside: false };
    }
    const { origin, state } = this.#known(tab);
    // A document that hasn't named its own origin has the surface's, as about:blank.
    const at = origin ?? location.origin;
    return { origin: at, url: state.url, own: false, shares: isOwn(at), inside: this.sites.confines(tab, at) };
  }

  async #open(tab: string, text: string, words?: Words, signal?: AbortSignal) {
    const url = text === BLANK ? null : addressOf(text);
    if (url !== null) await requireOther(url);
    // A site's pages must be opened by openFile, in a frame that can't leave the site.
    if (url !== null && this.sites.has(url.href)) {
      throw problem({ type: "UsageProblem", message: `${url.href} belongs to a site. Open its file's path instead.` });
    }
    const isOwn = url === null || url.origin === location.origin;
    const before = this.#frames.get(tab);
    // To reload a document sends nothing new. Its origin is verified, and its page has chosen the rest of the URL.
    const isReload = before?.origin === url?.origin && before?.state.url === url?.href;
    const outer = isOwn ? null : this.outer();
    // A tab that the user shares is open already. They are asked before it is read.
    if (!isOwn && !isReload && !outer?.adopts?.(url.href)) await this.#gate.open(tab, url, words, signal);
    this.sites.leave(tab);
    if (outer) {
      const begun = this.downloads.begun(tab);
      // `about:blank` has no address, and counts as own, which the other window never opens.
      const state = await this.#outerTab(tab, outer).open((url as URL).href, "other", { signal });
      await this.downloads.since(tab, begun);
      return { ...state, downloads: this.downloads.of(tab) };
    }
    return this.#frame(tab).open(url?.href ?? BLANK, isOwn ? "same" : "other", { signal });
  }

  /**
   * @param root - the site's directory
   * @param path - with a query and a fragment, percent-encoded
   */
  async #openFile(tab: string, root: string, path: string, words?: Words, signal?: AbortSignal) {
    if (!isRootOf(root, path)) {
      throw problem({
        type: "InvalidArguments",
        message: `${JSON.stringify(root)} is no directory of a site with ${JSON.stringify(path)}.`,
      });
    }
    if (!(await this.sites.find(root)).own_origin) await this.#gate.share(path, words, signal);
    return this.#openSite(tab, root, path, signal);
  }

  /**
   * Open a page of a server in the page, as cut off as a page made of files.
   *
   * @param path - with a query and a fragment, percent-encoded
   */
  async #openServer(tab: string, port: number, path: string, signal?: AbortSignal) {
    const root = rootOf(Number(port));
    if (!(await this.sites.find(root)).alone) {
      throw problem({
        type: "Unsupported",
        message: `Pages of ${root} need an origin of their own, which this host or browser doesn't provide.`,
        hint: "Read the answer with curl, or open the surface from the companion.",
      });
    }
    return this.#openSite(tab, root, path, signal);
  }

  async #openSite(tab: string, root: string, path: string, signal?: AbortSignal) {
    const frame = this.#frame(tab);
    const site = await this.sites.show(tab, root);
    if (this.#frames.get(tab) !== frame) {
      this.sites.leave(tab);
      throw problem({ type: "TabMissing", message: `The tab ${JSON.stringify(tab)} was closed.` });
    }
    return frame.open(site.url + path.replace(/^\/+/, ""), "file", { site, signal });
  }

  /**
   * Send a request to the page script of a tab's document.
   *
   * @param at - the origin at which a document outside must be
   */
  async ask<Result extends object | null = Answer>(
    tab: string,
    method: string,
    params: object,
    signal?: AbortSignal,
    at?: string | null,
  ): Promise<Result> {
    const begun = this.downloads.begun(tab);
    const result = await (tab === PAGE
      ? this.#askPage(method, params, signal)
      : this.#askTab(tab, method, params, signal, at));
    for (const watcher of this.#watchers) watcher(tab, method, result);
    // The others return what a page's code has returned.
    const downloads =
      result?.success === undefined || method === "evaluate" ? [] : await this.downloads.since(tab, begun);
    // The page script answers with the method's result.
    return (downloads.length > 0 ? { ...result, downloads } : result) as Result;
  }

  async #askTab(
    tab: string,
    method: string,
    params: object,
    signal?: AbortSignal,
    at?: string | null,
  ): Promise<Answer> {
    const frame = this.#known(tab);
    if (frame instanceof OuterTab) return frame.ask(method, params, signal, at);
    if (READING.has(method)) return frame.ask(method, params, signal);
    // An action focuses its target. The user's typing elsewhere meanwhile must not go to that page.
    return this.#focus.around(frame.element, () => frame.ask(method, params, signal));
  }

  async #askPage(method: string, params: object, signal?: AbortSignal): Promise<Answer> {
    const { geminiPage } = this.host;
    if (!geminiPage) throw hasLeft();
    if (!this.#page.linked) geminiPage.serve(this.#page.renew());
    if (READING.has(method)) return this.#page.ask(method, params, signal);
    // The user uses this page, too: their dialogs must open normally once the agent has acted.
    if (this.#acting++ === 0) geminiPage.install({ dialogs: { accept: false }, downloads: "actions" });
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
      tabs: Array.from(this.#frames.values(), ({ state }) => {
        const { owner = null, live = false } = this.#rows.get(state.tab) ?? {};
        return { ...state, owner, live };
      }),
      shown: this.#shown,
    };
  }

  #frame(tab: string) {
    requireId(tab);
    const known = this.#frames.get(tab);
    if (known instanceof Frame) return known;
    known?.close();
    const frame = new Frame(tab, this.place, {
      change: (state) => this.#onState(state),
      shortcut: () => tab === this.#shown && this.onShortcut(frame.element),
      messages: () => this.#onMessages(tab),
      download: (report) => this.downloads.on(tab, sourceOf(frame.link), report),
      site: (message, reply) => this.sites.receive(tab, message, reply),
      leave: () => this.sites.leave(tab),
      framing: (url) => {
        this.#reports.flush();
        return this.framing(url);
      },
    });
    this.#frames.set(tab, frame);
    const row = this.#rows.get(tab);
    if (row) frame.belongTo(row.owner ?? null);
    return frame;
  }

  #outerTab(tab: string, outer: OuterTabs) {
    requireId(tab);
    const known = this.#frames.get(tab);
    if (known instanceof OuterTab && known.tabs === outer) return known;
    known?.close();
    const opened = new OuterTab(tab, this.place, outer, {
      change: (state) => this.#onState(state),
      messages: () => this.#onMessages(tab),
      download: (report) =>
        this.downloads.on(
          tab,
          opened.source((url) => this.#gate.download(tab, url)),
          report,
        ),
    });
    this.#frames.set(tab, opened);
    return opened;
  }

  #onState(state: DocumentState) {
    this.show(this.#shown);
    this.onChange(state);
  }

  #onDownload(tab: string) {
    const state = this.#frames.get(tab)?.state;
    if (state) this.onChange({ ...state, downloads: this.downloads.of(tab) });
  }

  /** The browser's report doesn't name the frame, so it counts only if it is clear. */
  #onBlocked() {
    const opening = [...this.#frames.values()]
      .filter((frame) => frame instanceof Frame)
      .filter(({ isOpening }) => isOpening);
    if (opening.length === 1) opening[0].block();
  }

  /** Show a tab that its browser still has, after this page was reloaded. */
  restore(tab: string, outer: OuterTabs) {
    this.#outerTab(tab, outer);
  }

  /** Return whether this window has a tab. */
  has(tab: string) {
    return this.#frames.has(tab);
  }

  /** Return the URL that the surface has opened in a tab, whatever its document says. */
  openedIn(tab: string) {
    return this.#known(tab).opened;
  }

  #known(tab: string) {
    const frame = this.#frames.get(tab);
    if (!frame) throw problem({ type: "TabMissing", message: `No tab ${JSON.stringify(tab)} is open.` });
    return frame;
  }

  #close(tab: string) {
    this.#known(tab).close();
    this.#frames.delete(tab);
    this.#rows.delete(tab);
    this.sites.leave(tab);
    this.#gate.forget(tab);
    this.downloads.forget(tab);
  }
}

/** Python reads the numbers of tabs when it starts, so it must not leave other ids to the next one. */
function requireId(tab: unknown) {
  if (typeof tab === "string" && /^t\d{1,9}$/.test(tab)) return;
  throw problem({ type: "InvalidArguments", message: `${JSON.stringify(tab)} is no tab's id.` });
}
