/**
 * The browser's tabs as tabs of the surface (web/ui/panels/browser/outer_tab.ts). Only this page acts on them: the
 * extension's service worker has no state, so its end loses nothing. A page that is reloaded finds its tabs again
 * (saved_tabs.ts).
 */

import { problem } from "../shared/document_link.ts";
import { READING } from "../shared/methods.ts";
import type { Method, OuterListener, OuterTabs } from "../shared/outer_tabs.ts";
import { Group } from "./group.ts";
import { watchSites } from "./hook_registration.ts";
import { savedTabs, saveTabs } from "./saved_tabs.ts";
import { requireAllowed } from "./sites.ts";
import { FileTabs } from "./file_tabs.ts";
import { Navigations } from "./navigations.ts";
import { noPage, seesDownloads, storedOf, UNREADABLE, unstore, whyStored } from "./stored.ts";
import { SharedTab, type Params } from "./tab.ts";
import { isTrustedInputOn, onTrustedInput } from "./trusted/setting.ts";

const EVERYWHERE = { origins: ["<all_urls>"] };
const LOADS_MS = 30_000;
// The browser says within this time why it has closed a new tab.
const CLOSES_MS = 2_000;
const NEVER = new Promise<never>(() => {});

/** of all requests; each has some of them */
interface Requested {
  tab: string;
  url: string;
  method: string;
  params: Params;
  origin: string | null;
  width?: number;
  activate?: boolean;
}

export class ExtensionTabs implements OuterTabs {
  name = "a shared tab";
  available = false;
  takesInput = false;
  #tabs = new Map<string, SharedTab>();
  /** The browser's tabs that were opened here, and are closed with the surface's. */
  #own = new Set<number>();
  /** The browser's tabs that the user shares, by their URLs, until Python opens them. */
  #adopted = new Map<string, number>();
  #listeners = new Set<OuterListener>();
  #group = new Group();
  #files = new FileTabs((tab, report) => this.#report({ kind: "download", tab, report }));
  /** True if the user has chosen trusted input. */
  trusted = false;
  /** True if the user has allowed the extension to see the browser's downloads. */
  downloads = false;
  /** The tab that the surface shows, and the width of its view. */
  #front: { shared: SharedTab; width: number } | null = null;
  /** Called when `available` or the tabs have changed. */
  onChange = () => {};

  constructor() {
    chrome.tabs.onUpdated.addListener((id, change) => this.#onUpdated(id, change));
    chrome.tabs.onRemoved.addListener((id) => this.#onRemoved(id));
    onTrustedInput((on) => {
      this.trusted = on;
      if (!on) for (const tab of this.#tabs.values()) void tab.endTrusted();
      this.onChange();
    });
    for (const event of [chrome.permissions.onAdded, chrome.permissions.onRemoved])
      event.addListener(() => void this.check());
  }

  /** Update `available`: whether the user has allowed the extension to use sites. */
  async check() {
    this.available = await chrome.permissions.contains(EVERYWHERE);
    this.trusted = await isTrustedInputOn();
    this.downloads = await seesDownloads();
    if (!this.available) for (const tab of this.#tabs.keys()) this.#stop(tab, "the extension may no longer use sites");
    this.onChange();
  }

  /** Ask the browser's question. Call it for a press of the user. */
  async allow() {
    if (await chrome.permissions.request(EVERYWHERE)) await this.check();
    return this.available;
  }

  /** End the permission for sites. */
  async forbid() {
    await chrome.permissions.remove(EVERYWHERE);
  }

  listen(listener: OuterListener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #report(report: Parameters<OuterListener>[0]) {
    for (const listener of [...this.#listeners]) listener(report);
  }

  /** Return whether the user has shared the tab that shows a URL, so that opening it here sends nothing. */
  adopts(url: string) {
    return this.#adopted.has(url);
  }

  /** The user allows each site when it is opened. */
  allows() {
    return false;
  }

  /** Return whether a tab of the browser is shared. */
  isShared(id: number) {
    return [...this.#tabs.values()].some((tab) => tab.id === id);
  }

  /** Prepare a tab of the browser for being opened here. */
  share(id: number, url: string) {
    this.#adopted.set(new URL(url).href, id);
  }

  /** End the preparation, if Python hasn't opened the tab. */
  unprepare(id: number) {
    for (const [url, adopted] of this.#adopted) if (adopted === id) this.#adopted.delete(url);
  }

  /** Stop sharing a tab of the browser. */
  unshare(id: number) {
    for (const [tab, shared] of this.#tabs)
      if (shared.id === id) this.#stop(tab, "the user has taken it back; share it again");
  }

  async request<Result>(method: Method, given: object, signal?: AbortSignal): Promise<Result> {
    // Its caller knows the method's type.
    return (await this.#request(method, Object(given), signal)) as Result;
  }

  async #request(method: Method, { tab, ...params }: Requested, signal?: AbortSignal): Promise<unknown> {
    if (method === "open") return this.#open(tab, params.url, signal);
    const shared = this.#tabs.get(tab);
    if (method === "show") return this.#show(shared ?? null, params);
    if (method === "close") return this.#close(tab);
    if (!shared)
      throw problem({
        type: "CrossOrigin",
        message: `${tab} isn't shared any more.`,
        hint: "Ask the user to share it.",
      });
    if (method !== "ask") return {};
    const answer = await shared.ask(params.method, params.params, params.origin, signal);
    if (shared === this.#front?.shared && !READING.has(params.method)) void this.#draw();
    return answer;
  }

  /** Return a part of what a tab has downloaded, or drop it. */
  async requestDownload<Result>(
    method: "download" | "discard",
    { tab, id, start }: { tab: string; id: string; start?: number },
  ): Promise<Result> {
    const params = { id, start, discard: method === "discard" };
    // The method is `read`, whose result its caller states.
    if (this.#files.has(id)) return (await this.#files.read(params)) as Result;
    const shared = this.#tabs.get(tab);
    if (!shared) throw problem({ type: "CrossOrigin", message: `${tab} isn't shared any more.` });
    return shared.link.ask("download", params);
  }

  async #open(tab: string, url: string, signal?: AbortSignal) {
    await requireAllowed(url);
    await this.#watchSites(url);
    const adopted = this.#adopted.get(url);
    this.#adopted.delete(url);
    const known = this.#tabs.get(tab);
    if (known && adopted === undefined) return known.open(url, signal);
    known?.release();
    const [navigations, time] = [new Navigations(), new Date()];
    try {
      const id = adopted ?? (await this.#create(url));
      const shared = this.#add(tab, id, url);
      const ended = navigations.end(id, LOADS_MS, signal);
      const adopting = this.#adopt(shared, signal).catch(async (error) => {
        if ((await navigations.end(id, CLOSES_MS, signal)) === null) throw error;
        return null;
      });
      const state = await Promise.race([adopting, ended.then((at) => (at === null ? NEVER : null))]);
      return state ?? (await this.#openFile(tab, shared, time, signal));
    } finally {
      navigations.stop();
    }
  }

  /** @param shared - a new tab */
  async #adopt(shared: SharedTab, signal?: AbortSignal) {
    await this.#group.add(shared.id);
    await this.#save();
    return shared.adopt(signal);
  }

  /**
   * Read a file that the browser has begun to store instead of opening it in a new tab, which it closes.
   *
   * @param time - before it was opened
   */
  async #openFile(tab: string, shared: SharedTab, time: Date, signal?: AbortSignal) {
    const { url } = shared.state;
    this.#own.delete(shared.id);
    await this.#forget(tab, shared);
    const { id } = await storedOf([url], time);
    if (id === null) throw noPage(url, await whyStored());
    if (!(await this.#files.begin(tab, url, signal))) throw noPage(url, UNREADABLE);
    await unstore(id);
    return { ...shared.state, loading: false, readable: false, why: "it is a file" };
  }

  /**
   * Record what listens for presses on the sites of the shared tabs.
   * @param next - the URL that is opened next
   */
  async #watchSites(next?: string) {
    const urls = [...this.#tabs.values()].map(({ state }) => state.url);
    await watchSites(next === undefined ? urls : [...urls, next]);
  }

  /** Open a tab in the browser's last used window, behind the one in front. */
  async #create(url: string): Promise<number> {
    // With its URL at once: events of an empty document before it would look like the tab's.
    const { id } = await chrome.tabs.create({ url, active: false });
    this.#own.add(id);
    return id;
  }

  #add(tab: string, id: number, url: string) {
    const shared = new SharedTab(tab, id, url, {
      change: (state) => {
        this.#report({ kind: "changed", state });
        if (shared === this.#front?.shared && !state.loading) void this.#draw();
      },
      messages: () => this.#report({ kind: "messages", tab }),
      // The document may say any URL; its report is about its own site.
      download: (report) => this.#report({ kind: "download", tab, report: { ...report, url: shared.state.url } }),
      stop: (why) => this.#stop(tab, why),
      read: (file, signal) => this.#files.begin(tab, file, signal),
      isTrusted: () => this.trusted,
    });
    this.#tabs.set(tab, shared);
    this.onChange();
    return shared;
  }

  async #show(shared: SharedTab | null, { width, activate }: { width?: number; activate?: boolean }) {
    if (shared && activate) {
      const { windowId } = await chrome.tabs.update(shared.id, { active: true });
      await chrome.windows.update(windowId, { focused: true });
      return {};
    }
    this.#front = shared && width ? { shared, width } : null;
    await this.#draw();
    return {};
  }

  /** Draw a picture of the tab that the surface shows. */
  async #draw() {
    if (this.#front === null) return;
    const { shared, width } = this.#front;
    const { tab, readable, loading } = shared.state;
    if (!readable || loading) return;
    // A document that is replaced meanwhile is drawn when the next one has loaded.
    const picture = await shared.link
      .ask<{ data: string }>("screenshot", { format: "jpeg", widest: width })
      .catch(() => null);
    if (picture) this.#report({ kind: "picture", tab, data: picture.data });
  }

  async #close(tab: string) {
    const shared = this.#tabs.get(tab);
    if (!shared) return {};
    await this.#forget(tab, shared);
    if (this.#own.delete(shared.id)) await chrome.tabs.remove(shared.id);
    return {};
  }

  /** Take a tab from agents; it stays open in the browser. */
  #stop(tab: string, why: string) {
    const shared = this.#tabs.get(tab);
    if (!shared) return;
    // A call that waits for the tab returns this state, too.
    shared.state = { ...shared.state, loading: false, readable: false, why };
    this.#own.delete(shared.id);
    void this.#forget(tab, shared);
    this.#report({ kind: "changed", state: shared.state });
  }

  async #forget(tab: string, shared: SharedTab) {
    this.#tabs.delete(tab);
    shared.release();
    this.onChange();
    await this.#watchSites();
    await this.#group.remove(shared.id);
    await this.#save();
  }

  #onUpdated(id: number, { status, url }: { status?: string; url?: string }) {
    const shared = [...this.#tabs.values()].find((each) => each.id === id);
    if (!shared) return;
    if (url !== undefined && status !== "complete") {
      const loads = status === "loading";
      shared.moved(url, loads);
      void this.#watchSites();
    }
    if (status === "complete") void shared.loaded();
  }

  #onRemoved(id: number) {
    for (const [tab, shared] of this.#tabs)
      if (shared.id === id) this.#stop(tab, "the user has closed it; open it again");
  }

  #save(): Promise<void> {
    const rows = [...this.#tabs].map(([tab, { id, origin }]) => ({ tab, id, own: this.#own.has(id), origin }));
    return saveTabs(rows);
  }

  /** Connect to the documents of a restored tab. */
  adopt(tab: string) {
    void this.#tabs.get(tab)?.adopt();
  }

  /**
   * Share the tabs again that this page had before it was reloaded, or the extension was updated.
   * @returns their names
   */
  async restore(): Promise<string[]> {
    for (const { tab, id, own, url } of this.available ? await savedTabs() : []) {
      if (own) this.#own.add(id);
      this.#add(tab, id, url);
    }
    await this.#watchSites();
    return [...this.#tabs.keys()];
  }
}
