/**
 * What was read and what was refused since the user restarted Python, in the storage of the page's origin, which Python
 * can't reach. Nothing that Python can cause clears it (docs/consent.md, "Text from outside").
 */

import { BROWSER_STORAGE, type Storage } from "./grants.ts";

/** of text from outside; `saved`: code in saved files */
type Source = { run: string; origin: string; saved?: boolean };

// Outside the names that `clearSaved` (web/shared/local_state.ts) deletes, as the grants are.
const STORAGE_KEY = "gemini-consent-record";
const SAVED_CODE = "code in your own files, which may come from text that was read before";
const LONGEST: Readonly<Record<"run" | "origin", number>> = { run: 100, origin: 300 };
const MOST_REFUSALS = 500;
// The record keeps its place in a full storage: a source that is noted later fits.
const LEAST_SIZE = 2_000;

export class ConsentRecord {
  #read: Source | null = null;
  #suspect = false;
  /** The first source that a Python has read which the user has just started; undefined if none was started. */
  #readSince: Source | null | undefined;
  /** Keys of refused requests, oldest first. */
  #refused = new Set<string>();
  #listeners = new Set<() => void>();
  storage: Storage;

  constructor(storage: Storage) {
    this.storage = storage;
    this.reread();
    if (this.#text() === null) this.#save();
  }

  /** The first text from outside that agents or clients have read. */
  get taint(): Source | null {
    return this.#read;
  }

  /** True if saved files may hold code that comes from text from outside. */
  get suspect() {
    return this.#suspect;
  }

  /** True if `trustSavedCode` can end the doubt: nothing else was read since the user restarted Python. */
  get canTrust() {
    return this.#suspect && (this.#read === null || this.#read.saved === true);
  }

  /** Record that text from outside is read. Only the first source since the user's restart counts. */
  note({ run, origin }: Source) {
    this.#note({ run, origin });
  }

  /**
   * Record a start of Python.
   * @param bare - whether it runs no code in saved files, by the user's press
   */
  start(bare: boolean) {
    this.#readSince = bare ? null : undefined;
    if (!bare) this.useSavedCode();
    this.#changed();
  }

  /** Record that code in saved files may run: Python starts with it, or begins to use it. */
  useSavedCode() {
    if (this.#suspect) this.#note({ run: "", origin: SAVED_CODE, saved: true });
  }

  /** Clear what was read and refused before the user restarted Python. Files stay, and so does the doubt about them. */
  clear() {
    this.#read = this.#readSince ?? null;
    this.#readSince = undefined;
    this.#refused.clear();
    this.#changed();
  }

  /** Take back the doubt about code in saved files, as the user asks. */
  trustSavedCode() {
    if (!this.canTrust) return;
    this.#read = null;
    this.#suspect = false;
    this.#changed();
  }

  /** @param key - of a request that the user has refused */
  refuse(key: string) {
    this.#refused.delete(key);
    this.#refused.add(key);
    this.#changed();
  }

  isRefused(key: string) {
    return this.#refused.has(key);
  }

  /** Read the stored record: another tab changed it. */
  reread() {
    const { read, suspect, refused } = this.#stored();
    this.#read = read;
    this.#suspect = suspect;
    this.#refused = new Set(refused);
    for (const listener of this.#listeners) listener();
  }

  /** Call `listener` after each change. */
  subscribe(listener: () => void) {
    this.#listeners.add(listener);
  }

  #note({ run, origin, saved }: Source) {
    const cut = { run: String(run).slice(0, LONGEST.run), origin: String(origin).slice(0, LONGEST.origin) };
    const source = saved ? { ...cut, saved } : cut;
    if (this.#readSince === null || (this.#readSince?.saved && !saved)) this.#readSince = source;
    // A source besides saved code is the one to show: trusting saved code doesn't end it.
    if (this.#read !== null && (!this.#read.saved || saved)) return;
    this.#read = source;
    this.#suspect = true;
    this.#changed();
  }

  #stored(): { read: Source | null; suspect: boolean; refused: string[] } {
    const text = this.#text();
    if (text === null) return { read: null, suspect: false, refused: [] };
    try {
      const { read, suspect, refused } = JSON.parse(text);
      if (isSource(read) && typeof suspect === "boolean" && isTexts(refused)) return { read, suspect, refused };
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    }
    // Nobody knows what was read.
    return { read: { run: "", origin: "unknown: this page's record is damaged" }, suspect: true, refused: [] };
  }

  #text(): string | null {
    try {
      return this.storage.getItem(STORAGE_KEY);
    } catch (error) {
      // Without storage there are no lasting grants, either.
      if (error instanceof DOMException) return null;
      throw error;
    }
  }

  #changed() {
    this.#save();
    for (const listener of this.#listeners) listener();
  }

  #save() {
    for (
      let refused = [...this.#refused].slice(-MOST_REFUSALS);
      ;
      refused = refused.slice(Math.ceil(refused.length / 2))
    ) {
      try {
        this.storage.setItem(
          STORAGE_KEY,
          JSON.stringify({ read: this.#read, suspect: this.#suspect, refused }).padEnd(LEAST_SIZE),
        );
        return;
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        // The storage is full, or denied: then the record lasts until the page is closed.
        if (refused.length === 0) return;
      }
    }
  }
}

/** Return this browser's record, in sync with other tabs. */
export function browserRecord() {
  const record = new ConsentRecord(BROWSER_STORAGE);
  addEventListener("storage", ({ key }) => (key === STORAGE_KEY || key === null) && record.reread());
  return record;
}

function isSource(source: unknown): source is Source | null {
  if (source === null) return true;
  const { run, origin }: Partial<Record<keyof Source, unknown>> = Object(source ?? {});
  return typeof run === "string" && typeof origin === "string";
}

function isTexts(texts: unknown): texts is string[] {
  return Array.isArray(texts) && texts.every((text) => typeof text === "string");
}
