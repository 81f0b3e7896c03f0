/**
 * Files that no document of a shared tab can read: of another site, or opened in a new tab. Each is requested once more in a
 * tab behind the others, as the person would request it. A rule for that tab has the browser show the answer as plain text, so
 * that nothing in it runs and the content script can read it there.
 *
 * @import { Report } from "../shared/outer_tabs.js"
 */

import { DocumentLink } from "../shared/document_link.js";
import { messagePort } from "./content/message_port.js";
import { CONTROL } from "./content/names.js";
import { Navigations } from "./navigations.js";
import { isAllowed } from "./sites.js";

/** @typedef {{ tab: string, url: string, link: DocumentLink, last: Report | null }} Opened `tab` is the surface's; `last`: the last report */

const EMPTY = "about:blank";
const EMPTY_MS = 5_000;
const LOADS_MS = 30_000;
const MOST_OPEN = 5;
// The first byte is enough for a document; its script requests the whole file.
const FIRST_BYTE = [{ header: "range", operation: "set", value: "bytes=0-0" }];
const AS_TEXT = [
  { header: "content-disposition", operation: "remove" },
  // A sandboxed document could not read its own address.
  { header: "content-security-policy", operation: "remove" },
  { header: "content-type", operation: "set", value: "text/plain" },
  { header: "x-content-type-options", operation: "set", value: "nosniff" },
];

export class FileTabs {
  /** By the ids of the browser's tabs. @type {Map<number, Opened>} */
  #open = new Map();

  /** @param {(tab: string, report: Report) => void} report called at each change of a download, with the surface's tab that it is for */
  constructor(report) {
    this.report = report;
    addEventListener("pagehide", () => [...this.#open.keys()].forEach((id) => void this.#close(id)));
  }

  /**
   * Begin to read a file.
   *
   * @param {string} tab the surface's, which the file is for
   * @param {string} url
   * @param {AbortSignal} [signal]
   * @returns {Promise<boolean>} whether it has begun
   */
  async begin(tab, url, signal) {
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

  /** Return whether a download is read here. @param {string} download its id */
  has(download) {
    return this.#find(download) !== undefined;
  }

  /**
   * Return a part of a file, or drop it. Its tab closes at the end.
   *
   * @param {{ id: string, start?: number, discard?: boolean }} params
   * @returns {Promise<{ data: string, next: number | null }>}
   */
  async read(params) {
    const [id, { link }] = /** @type {[number, Opened]} */ (this.#find(params.id));
    const part = await link.ask("download", params);
    if (part.next === null) await this.#close(id);
    return part;
  }

  /** @param {string} download */
  #find(download) {
    return [...this.#open].find(([, { last }]) => last?.id === download);
  }

  /** Open an empty tab. @returns {Promise<number>} its id */
  async #create() {
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

  /** @param {number} id @param {Opened} opened @param {AbortSignal} [signal] */
  async #load(id, opened, signal) {
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
    const [{ documentId }] = await chrome.scripting.executeScript({ target: { tabId: id }, files: ["content.js"], injectImmediately: true });
    const { link } = opened;
    const outer = chrome.tabs.connect(id, { name: CONTROL, documentId });
    outer.onDisconnect.addListener(() => {
      // Reading the property marks the error as handled.
      void chrome.runtime.lastError;
      link.drop();
      if (opened.last?.state === "running") this.report(opened.tab, { ...opened.last, url, state: "failed", why: "its tab was closed" });
    });
    link.use(messagePort(outer));
    await link.ask("install", { downloads: "actions" }, signal);
    return (await link.ask("download", { url }, signal)).begun;
  }

  /** @param {number} id @param {Report} report */
  #onReport(id, report) {
    const opened = this.#open.get(id);
    if (!opened) return;
    opened.last = report;
    // The document may say any URL; what it has read is of its own site.
    this.report(opened.tab, { ...report, url: opened.url });
    if (report.state === "failed") void this.#close(id);
  }

  /** @param {number} id */
  async #close(id) {
    this.#open.get(id)?.link.drop();
    this.#open.delete(id);
    await chrome.declarativeNetRequest.updateSessionRules({ removeRuleIds: [id] });
    // The person may have closed it.
    await chrome.tabs.remove(id).catch(() => {});
  }
}
