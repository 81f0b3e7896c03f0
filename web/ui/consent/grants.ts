/**
 * The grants that outlast one request. Grants for runs are in memory; the others are in the storage of the page's
 * origin, which Python can't reach.
 */

import type { Answer } from "./kinds/kind.ts";

// Outside the names that `clearSaved` (web/shared/local_state.ts) deletes: resetting the layout revokes nothing.
const STORAGE_KEY = "gemini-consent-grants";
const STANDING: readonly string[] = ["always", "program", "hour"];

export interface Grant {
  kind: string;
  subject: string;
  answer: Answer;
  /** ISO 8601 */
  since: string;
  /** ISO 8601 */
  until: string | null;
}

type Wanted = { kind: string; subject: string; answer: Answer; run: string };

export interface Storage {
  getItem: (key: string) => string | null;
  setItem: (key: string, value: string) => void;
  removeItem: (key: string) => void;
}

export class Grants {
  #standing: Grant[] = [];
  #runs = new Map<string, Grant & { run: string }>();
  #listeners = new Set<() => void>();
  storage: Storage;
  now: () => number;

  /** @param now - milliseconds since the epoch */
  constructor(storage: Storage, now: () => number = () => Date.now()) {
    this.storage = storage;
    this.now = now;
    this.#standing = this.#read();
  }

  /** Return the grant that covers a request. After taint, only grants for runs count. */
  find({ kind, subject, answer, run, tainted }: Wanted & { tainted: boolean }): Grant | null {
    const ofRun = this.#runs.get(runKey({ kind, subject, answer, run }));
    if (ofRun && this.#lasts(ofRun)) return ofRun;
    if (tainted) return null;
    return (
      this.rows().find((grant) => grant.kind === kind && grant.subject === subject && grant.answer === answer) ?? null
    );
  }

  add({ kind, subject, answer, run, until, tainted }: Wanted & { until: string | null; tainted: boolean }) {
    const grant = { kind, subject, answer, since: new Date(this.now()).toISOString(), until };
    // A grant given while standing grants don't count also holds for the run.
    if (answer === "run" || tainted) this.#runs.set(runKey({ kind, subject, answer, run }), { ...grant, run });
    if (STANDING.includes(answer)) this.#save([...this.rows().filter((other) => !isSame(other, grant)), grant]);
    this.#changed();
  }

  /** Standing grants that haven't expired, oldest first. */
  rows(): readonly Grant[] {
    return this.#standing.filter((grant) => this.#lasts(grant));
  }

  /** Grants for runs, oldest first. */
  ofRuns(): readonly (Grant & { run: string })[] {
    return [...this.#runs.values()].filter(({ answer }) => answer === "run");
  }

  revoke(grant: Grant) {
    for (const [key, other] of this.#runs) if (isSame(other, grant)) this.#runs.delete(key);
    this.#save(this.rows().filter((other) => !isSame(other, grant)));
    this.#changed();
  }

  revokeAll() {
    this.#runs.clear();
    this.#save([]);
    this.#changed();
  }

  /** Drop the grants for runs: Python has restarted. */
  endRuns() {
    this.#runs.clear();
    this.#changed();
  }

  /** Read the stored grants again: another tab changed them. */
  reread() {
    const before = this.#standing;
    this.#standing = this.#read();
    // A grant that was revoked in the other tab ends here, too.
    for (const revoked of before.filter((grant) => !this.#standing.some((other) => isSame(other, grant)))) {
      for (const [key, other] of this.#runs) if (isSame(other, revoked)) this.#runs.delete(key);
    }
    this.#changed();
  }

  /** Call `listener` after each change. */
  subscribe(listener: () => void) {
    this.#listeners.add(listener);
  }

  #lasts({ until }: Grant) {
    return until === null || Date.parse(until) > this.now();
  }

  #read(): Grant[] {
    try {
      const rows = JSON.parse(this.storage.getItem(STORAGE_KEY) ?? "[]");
      return Array.isArray(rows) ? rows.filter(isGrant) : [];
    } catch (error) {
      // Without storage, or with unreadable text in it, nothing is granted.
      if (error instanceof SyntaxError || error instanceof DOMException) return [];
      throw error;
    }
  }

  #save(grants: Grant[]) {
    this.#standing = grants;
    try {
      this.storage.setItem(STORAGE_KEY, JSON.stringify(grants));
    } catch (error) {
      // The grants hold until the page is closed. A revoked one must not return after that.
      if (!(error instanceof DOMException)) throw error;
      this.storage.removeItem(STORAGE_KEY);
    }
  }

  #changed() {
    for (const listener of this.#listeners) listener();
  }
}

/** The storage of the page's origin. Any access may be denied, including the first. */
export const BROWSER_STORAGE: Storage = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, value),
  removeItem: (key) => localStorage.removeItem(key),
};

/** Return this browser's grants, in sync with other tabs. */
export function browserGrants() {
  const grants = new Grants(BROWSER_STORAGE);
  addEventListener("storage", ({ key }) => (key === STORAGE_KEY || key === null) && grants.reread());
  return grants;
}

function runKey({ kind, subject, answer, run }: Wanted) {
  return JSON.stringify([run, kind, answer, subject]);
}

function isSame(left: Grant, right: Grant) {
  return left.kind === right.kind && left.subject === right.subject && left.answer === right.answer;
}

function isGrant(given: unknown): given is Grant {
  const row: Partial<Record<keyof Grant, unknown>> = Object(given ?? {});
  return (
    typeof row.kind === "string" &&
    typeof row.subject === "string" &&
    STANDING.some((answer) => answer === row.answer) &&
    typeof row.since === "string" &&
    (row.until === null || typeof row.until === "string")
  );
}
