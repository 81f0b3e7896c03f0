/**
 * Files that no document of a shared tab can read: of another site, or opened in a new tab. Each is requested once more in a
 * tab behind the others, as the user would request it. A rule for that tab has the browser show the answer as plain text, so
 * that nothing in it runs and the content script can read it there.
 */

import { DocumentLink, problem } from "../shared/document_link.ts";
import type { Report } from "../shared/outer_tabs.ts";
import { messagePort } from "./content/message_port.ts";
import { CONTROL } from "./content/names.ts";
import { Navigations } from "./navigations.ts";
import { isAllowed } from "./sites.ts";

/** `tab` is the surface's; `last`: the last report */
type Opened = { tab: string; url: string; link: DocumentLink; last: Report | null };

const EMPTY = "about:blank";
const EMPTY_MS = 5_000;
const LOADS_MS = 30_000;
const MOST_OPEN = 5;
// The first byte is enough for a document; its script requests the full file.
const FIRST_BYTE = [{ header: "range", operation: "set", value: "bytes=0-0" }];
const AS_TEXT = [
  { header: "content-disposition", operation: "remove" },
  // A sandboxed document could not read its own address.
  { header: "content-security-policy", operation: "remove" },
  { header: "content-type", operation: "set", value: "text/plain" },
  { header: "x-content-type-options", operation: "set", value: "nosniff" },
];

export class FileTabs {
  /** By the ids of the browser's tabs. */
  #open = new Map<number, Opened>();
  report: (tab: string, report: Report) => void;

  /** @param report - called at each change of a download, with the surface's tab that it is for */
  constructor(report: (tab: string, report: Report) => void) {
    this.report = report;
    addEventListener("pagehide", () => [...this.#open.keys()].forEach((id) => void this.#close(id)));
  }

  /**
   * Begin to read a file.
   *
   * @param tab - the surface's, which the file is for
   * @returns whether it has begun
   */
  async begin(tab: string, url: string, signal?: AbortSignal): Promise<boolean> {
    if (this.#open.size >= MOST_OPEN || !(await isAllowed(url))) return false;
    const id = await this.#create();
    const link = new DocumentLink({ download: (report) => this.#onReport(id, report) });
    const opened = { tab, url, link, last: null };
    this.#open.set(id, opened);
    try {
      const begun = await this.#load(id, opened, signal);
      if (!begun) await this.#close(id);
      return begun;
    } catch (error) {
      await this.#close(id);
      throw error;
    }
  }

  /**
   * Return whether a download is read here.
   * @param download - its id
   */
  has(download: string) {
    return this.#find(download) !== undefined;
  }

  /** Return a part of a file, or drop it. Its tab closes at the end. */
  async read(params: {
    id: string;
    start?: number;
    discard?: boolean;
  }): Promise<{ data: string; next: number | null }> {
    const found = this.#find(params.id);
    if (!found) throw problem({ type: "NotFound", message: `There is no download ${params.id}.` });
    const [id, { link }] = found;
    const part = await link.ask<{ data: string; next: number | null }>("download", params);
    if (part.next === null) await this.#close(id);
    return part;
  }

  #find(download: string) {
    return [...this.#open].find(([, { last }]) => last?.id === download);
  }

  /**
   * Open an empty tab.
   * @returns its id
   */
  async #create(): Promise<number> {
    const navigations = new Navigations();
    try {
      const { id } = await chrome.tabs.create({ url: EMPTY, active: false });
      // Its first document must not be taken for the file's.
      await navigations.end(id, EMPTY_MS);
      return id;
    } finally {
      navigations.stop();
    }
  }

  async #load(id: number, opened: Opened, signal?: AbortSignal) {
    const condition = { tabIds: [id], resourceTypes: ["main_frame"] };
    const action = { type: "modifyHeaders", requestHeaders: FIRST_BYTE, responseHeaders: AS_TEXT };
    await chrome.declarativeNetRequest.updateSessionRules({ addRules: [{ id, condition, action }] });
    const navigations = new Navigations();
    try {
      await chrome.tabs.update(id, { url: opened.url });
      if ((await navigations.end(id, LOADS_MS, signal)) !== null) return false;
    } finally {
      navigations.stop();
    }
    const { url } = await chrome.tabs.get(id);
    if (url === EMPTY || !(await isAllowed(url))) return false;
    opened.url = url;
    const [{ documentId }] = await chrome.scripting.executeScript<void>({
      target: { tabId: id },
      files: ["content.js"],
      injectImmediately: true,
    });
    const { link } = opened;
    const outer = chrome.tabs.connect(id, { name: CONTROL, documentId });
    outer.onDisconnect.addListener(() => {
      // Reading the property marks the error as handled.
      void chrome.runtime.lastError;
      link.drop();
      if (opened.last?.state === "running")
        this.report(opened.tab, { ...opened.last, url, state: "failed", why: "its tab was closed" });
    });
    link.use(messagePort(outer));
    await link.ask("install", { downloads: "actions" }, signal);
    return (await link.ask<{ begun: boolean }>("download", { url }, signal)).begun;
  }

  #onReport(id: number, report: Report) {
    const opened = this.#open.get(id);
    if (!opened) return;
    opened.last = report;
    // The document may say any URL; its report is about its own site.
    this.report(opened.tab, { ...report, url: opened.url });
    if (report.state === "failed") void this.#close(id);
  }

  async #close(id: number) {
    this.#open.get(id)?.link.drop();
    this.#open.delete(id);
    await chrome.declarativeNetRequest.updateSessionRules({ removeRuleIds: [id] });
    // The user may have closed it.
    await chrome.tabs.remove(id).catch(() => {});
  }
}
