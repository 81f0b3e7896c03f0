/**
 * The downloads of tabs. The page takes the bytes from a document or a browser, asks if they are of an origin that the
 * person hasn't allowed in the tab, and lets Python store them among the surface's files.
 */

import { messageOf } from "../../../shared/thrown.ts";
import type { TabDownload } from "../../../generated/types.ts";
import type { DocumentLink } from "../../../shared/document_link.ts";
import type { Report } from "../../../shared/outer_tabs.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { Failure } from "../../state/types.ts";
import { bytesOf } from "../../lib/base64.ts";

export interface Source {
  /** returns a part, in base64 */
  read: (id: string, start: number) => Promise<{ data: string; next: number | null }>;
  discard: (id: string) => void;
  /** rejects if the user doesn't allow the download */
  allow: (url: string) => Promise<void>;
}

type Save = (given: { name: string; type: string; file: Blob }) => Promise<{ path: string } | Failure>;
type Entry = { row: TabDownload; ended: PromiseWithResolvers<void> };

// Of one tab, in bytes; and the number that is listed.
const MOST_BYTES = 500 * 1024 * 1024;
const MOST_LISTED = 10;
const LONGEST_NAME = 200;
// A caller gets a download that takes longer as running.
const ENDS_MS = 3_000;

export class Downloads {
  /** By tab, oldest first. */
  #tabs = new Map<string, Map<string, Entry>>();
  /** The number of downloads that each tab has begun. */
  #begun = new Map<string, number>();
  #bytes = new Map<string, number>();
  /** Stores a file. */
  save: Save = () => Promise.reject(new Error("Python hasn't started."));
  onChange: (tab: string) => void;

  constructor(onChange: (tab: string) => void) {
    this.onChange = onChange;
  }

  of(tab: string): TabDownload[] {
    return Array.from(this.#tabs.get(tab)?.values() ?? [], ({ row }) => row);
  }

  forget(tab: string) {
    for (const places of [this.#tabs, this.#begun, this.#bytes]) places.delete(tab);
  }

  /** Return the number of downloads that a tab has begun, for `since`. */
  begun(tab: string) {
    return this.#begun.get(tab) ?? 0;
  }

  /** Return the downloads that a tab has begun since a count, when they have ended or after some seconds. */
  async since(tab: string, count: number) {
    const number = Math.min(this.begun(tab) - count, MOST_LISTED);
    if (number <= 0) return [];
    const begun = Array.from(this.#tabs.get(tab)?.values() ?? []).slice(-number);
    const late = new Promise((resolve) => setTimeout(resolve, ENDS_MS));
    await Promise.race([late, Promise.all(begun.map(({ ended }) => ended.promise))]);
    return begun.map(({ row }) => row);
  }

  /**
   * Handle a report.
   * @param report - may have anything in it
   */
  on(tab: string, source: Source, report: Report) {
    const id = String(report.id);
    const entries = this.#tabs.get(tab) ?? new Map();
    this.#tabs.set(tab, entries);
    const entry = entries.get(id) ?? this.#begin(tab, entries, id);
    if (entry.row.state !== "running") return;
    const { name, received, size, state, why } = report;
    entry.row = {
      name: String(name).slice(0, LONGEST_NAME) || "download",
      state: "running",
      size: Number(size) || Number(received) || 0,
    };
    if (state === "done") void this.#take(tab, entry, source, id, report);
    else if (state === "failed") this.#end(tab, entry, { state, why: String(why).slice(0, LONGEST_NAME) });
    else entry.row.received = Number(received) || 0;
    this.onChange(tab);
  }

  #begin(tab: string, entries: Map<string, Entry>, id: string) {
    const entry: Entry = { row: { name: "", state: "running", size: 0 }, ended: Promise.withResolvers() };
    entries.set(id, entry);
    this.#begun.set(tab, this.begun(tab) + 1);
    for (const oldest of entries.keys()) if (entries.size > MOST_LISTED) entries.delete(oldest);
    return entry;
  }

  #end(tab: string, entry: Entry, change: Partial<TabDownload>) {
    entry.row = { ...entry.row, ...change };
    entry.ended.resolve();
    this.onChange(tab);
  }

  async #take(tab: string, entry: Entry, source: Source, id: string, { name, type = "", url }: Report) {
    try {
      await source.allow(String(url));
      const parts: BlobPart[] = [];
      let size = 0;
      for (let at: number | null = 0; at !== null; ) {
        const { data, next } = await source.read(id, at);
        const part = bytesOf(data);
        size += part.length;
        this.#bytes.set(tab, (this.#bytes.get(tab) ?? 0) + part.length);
        if ((this.#bytes.get(tab) ?? 0) > MOST_BYTES)
          throw new Error(`the tab has downloaded ${MOST_BYTES >> 20} MB; open another`);
        parts.push(part);
        at = next;
      }
      const saved = await this.save({ name: String(name), type: String(type), file: new Blob(parts) });
      if (isFailure(saved)) throw saved.error;
      this.#end(tab, entry, { state: "done", path: saved.path, size });
    } catch (error) {
      source.discard(id);
      this.#end(tab, entry, { state: "failed", why: messageOf(error) });
    }
  }
}

/** Return the source of a file that a document's script reads. The script has it anyway, so nothing is revealed. */
export function sourceOf(link: DocumentLink): Source {
  return { read: (id, start) => link.ask("download", { id, start }), discard: () => {}, allow: async () => {} };
}
