/**
 * The downloads of tabs. The page takes the bytes from a document or a browser, asks if they are of an origin that the
 * person hasn't allowed in the tab, and lets Python store them among the surface's files.
 *
 * @import { Failure } from "../types.js"
 * @import { DocumentLink } from "../../shared/document_link.js"
 * @import { Report } from "../../shared/outer_tabs.js"
 * @import { TabDownload } from "../../generated/types.js"
 *
 * @typedef {object} Source
 * @property {(id: string, start: number) => Promise<{ data: string, next: number | null }>} read returns a part, in base64
 * @property {(id: string) => void} discard
 * @property {(url: string) => Promise<void>} allow rejects if the person doesn't allow the download
 *
 * @typedef {(given: {name: string, type: string, file: Blob}) => Promise<{path: string} | Failure>} Save
 *
 * @typedef {{ row: TabDownload, ended: PromiseWithResolvers<void> }} Entry
 */

import { isFailure } from "../call.js";
import { bytesOf } from "./base64.js";

// Of one tab, in bytes; and the number that is listed.
const MOST_BYTES = 500 * 1024 * 1024;
const MOST_LISTED = 10;
const LONGEST_NAME = 200;
// A caller gets a download that takes longer as running.
const ENDS_MS = 3_000;

export class Downloads {
  /** By tab, oldest first. @type {Map<string, Map<string, Entry>>} */
  #tabs = new Map();
  /** The number of downloads that each tab has begun. @type {Map<string, number>} */
  #begun = new Map();
  /** @type {Map<string, number>} */
  #bytes = new Map();
  /** Stores a file. @type {Save} */
  save = () => Promise.reject(new Error("Python hasn't started."));

  /** @param {(tab: string) => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
  }

  /** @param {string} tab @returns {TabDownload[]} */
  of(tab) {
    return Array.from(this.#tabs.get(tab)?.values() ?? [], ({ row }) => row);
  }

  /** @param {string} tab */
  forget(tab) {
    for (const places of [this.#tabs, this.#begun, this.#bytes]) places.delete(tab);
  }

  /** Return the number of downloads that a tab has begun, for `since`. @param {string} tab */
  begun(tab) {
    return this.#begun.get(tab) ?? 0;
  }

  /**
   * Return the downloads that a tab has begun since a count, when they have ended or after some seconds.
   *
   * @param {string} tab
   * @param {number} count
   */
  async since(tab, count) {
    const number = Math.min(this.begun(tab) - count, MOST_LISTED);
    if (number <= 0) return [];
    const begun = Array.from(this.#tabs.get(tab)?.values() ?? []).slice(-number);
    const late = new Promise((resolve) => setTimeout(resolve, ENDS_MS));
    await Promise.race([late, Promise.all(begun.map(({ ended }) => ended.promise))]);
    return begun.map(({ row }) => row);
  }

  /** Handle a report. @param {string} tab @param {Source} source @param {Report} report may have anything in it */
  on(tab, source, report) {
    const id = String(report.id);
    const entries = this.#tabs.get(tab) ?? new Map();
    this.#tabs.set(tab, entries);
    const entry = entries.get(id) ?? this.#begin(tab, entries, id);
    if (entry.row.state !== "running") return;
    const { name, received, size, state, why } = report;
    entry.row = { name: String(name).slice(0, LONGEST_NAME) || "download", state: "running", size: Number(size) || Number(received) || 0 };
    if (state === "done") void this.#take(tab, entry, source, id, report);
    else if (state === "failed") this.#end(tab, entry, { state, why: String(why).slice(0, LONGEST_NAME) });
    else entry.row.received = Number(received) || 0;
    this.onChange(tab);
  }

  /** @param {string} tab @param {Map<string, Entry>} entries @param {string} id */
  #begin(tab, entries, id) {
    /** @type {Entry} */
    const entry = { row: { name: "", state: "running", size: 0 }, ended: Promise.withResolvers() };
    entries.set(id, entry);
    this.#begun.set(tab, this.begun(tab) + 1);
    for (const oldest of entries.keys()) if (entries.size > MOST_LISTED) entries.delete(oldest);
    return entry;
  }

  /** @param {string} tab @param {Entry} entry @param {Partial<TabDownload>} change */
  #end(tab, entry, change) {
    entry.row = { ...entry.row, ...change };
    entry.ended.resolve();
    this.onChange(tab);
  }

  /** @param {string} tab @param {Entry} entry @param {Source} source @param {string} id @param {Report} report */
  async #take(tab, entry, source, id, { name, type = "", url }) {
    try {
      await source.allow(String(url));
      /** @type {BlobPart[]} */
      const parts = [];
      let size = 0;
      for (let at = /** @type {number | null} */ (0); at !== null;) {
        const { data, next } = await source.read(id, at);
        const part = /** @type {Uint8Array<ArrayBuffer>} */ (bytesOf(data));
        size += part.length;
        this.#bytes.set(tab, (this.#bytes.get(tab) ?? 0) + part.length);
        if (/** @type {number} */ (this.#bytes.get(tab)) > MOST_BYTES) throw new Error(`the tab has downloaded ${MOST_BYTES >> 20} MB; open another`);
        parts.push(part);
        at = next;
      }
      const saved = await this.save({ name: String(name), type: String(type), file: new Blob(parts) });
      if (isFailure(saved)) throw saved.error;
      this.#end(tab, entry, { state: "done", path: saved.path, size });
    } catch (error) {
      source.discard(id);
      this.#end(tab, entry, { state: "failed", why: /** @type {Error} */ (error).message });
    }
  }
}

/**
 * Return the source of what the script of a document reads. The document can read it, too, so nothing is revealed.
 *
 * @param {DocumentLink} link
 * @returns {Source}
 */
export function sourceOf(link) {
  return { read: (id, start) => link.ask("download", { id, start }), discard: () => {}, allow: async () => {} };
}
