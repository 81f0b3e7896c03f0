/**
 * What the person has allowed beyond one request. Runs' grants are in memory; the others are in the storage of the page's
 * origin, which Python can't reach.
 *
 * @import { Answer } from "./kinds/kind.js"
 */

// Not among what `forgetKept` (web/ui/kept.js) lets go of: a layout's reset takes nothing back.
const KEPT = "gemini-consent-grants";
/** @type {readonly string[]} */
const STANDING = ["always", "program", "hour"];

/**
 * @typedef {object} Grant
 * @property {string} kind
 * @property {string} subject
 * @property {Answer} answer
 * @property {string} since ISO 8601
 * @property {string | null} until ISO 8601
 *
 * @typedef {{kind: string, subject: string, answer: Answer, run: string}} Wanted
 * @typedef {{getItem: (key: string) => string | null,
 *   setItem: (key: string, value: string) => void, removeItem: (key: string) => void}} Storage
 */

export class Grants {
  /** @type {Grant[]} */
  #standing = [];
  /** @type {Map<string, Grant & {run: string}>} */
  #runs = new Map();
  /** @type {Set<() => void>} */
  #listeners = new Set();

  /** @param {Storage} storage @param {() => number} [now] milliseconds of the epoch */
  constructor(storage, now = () => Date.now()) {
    this.storage = storage;
    this.now = now;
    this.#standing = this.#read();
  }

  /**
   * The grant that covers a request. While Python is tainted those of runs alone count.
   *
   * @param {Wanted & {tainted: boolean}} wanted
   * @returns {Grant | null}
   */
  find({ kind, subject, answer, run, tainted }) {
    const ofRun = this.#runs.get(runKey({ kind, subject, answer, run }));
    if (ofRun && this.#lasts(ofRun)) return ofRun;
    if (tainted) return null;
    return this.rows().find((grant) => grant.kind === kind && grant.subject === subject && grant.answer === answer) ?? null;
  }

  /** @param {Wanted & {until: string | null, tainted: boolean}} given */
  add({ kind, subject, answer, run, until, tainted }) {
    const grant = { kind, subject, answer, since: new Date(this.now()).toISOString(), until };
    // What is granted while standing grants don't count holds for the run.
    if (answer === "run" || tainted) this.#runs.set(runKey({ kind, subject, answer, run }), { ...grant, run });
    if (STANDING.includes(answer)) this.#keep([...this.rows().filter((other) => !isSame(other, grant)), grant]);
    this.#changed();
  }

  /** Grants beyond a run, that have not ended, oldest first. @returns {readonly Grant[]} */
  rows() {
    return this.#standing.filter((grant) => this.#lasts(grant));
  }

  /** Those of runs, oldest first. @returns {readonly (Grant & {run: string})[]} */
  ofRuns() {
    return [...this.#runs.values()].filter(({ answer }) => answer === "run");
  }

  /** @param {Grant} grant */
  revoke(grant) {
    for (const [key, other] of this.#runs) if (isSame(other, grant)) this.#runs.delete(key);
    this.#keep(this.rows().filter((other) => !isSame(other, grant)));
    this.#changed();
  }

  revokeAll() {
    this.#runs.clear();
    this.#keep([]);
    this.#changed();
  }

  /** No run of before goes on. */
  endRuns() {
    this.#runs.clear();
    this.#changed();
  }

  /** Another tab has changed what is kept. */
  reread() {
    const before = this.#standing;
    this.#standing = this.#read();
    // A grant that was revoked there ends here, too.
    for (const gone of before.filter((grant) => !this.#standing.some((other) => isSame(other, grant)))) {
      for (const [key, other] of this.#runs) if (isSame(other, gone)) this.#runs.delete(key);
    }
    this.#changed();
  }

  /** Call `listener` after each change. @param {() => void} listener */
  subscribe(listener) {
    this.#listeners.add(listener);
  }

  /** @param {Grant} grant */
  #lasts({ until }) {
    return until === null || Date.parse(until) > this.now();
  }

  /** @returns {Grant[]} */
  #read() {
    try {
      const rows = JSON.parse(this.storage.getItem(KEPT) ?? "[]");
      return Array.isArray(rows) ? rows.filter(isGrant) : [];
    } catch (error) {
      // Without storage, and for text that nobody can read, nothing is granted.
      if (error instanceof SyntaxError || error instanceof DOMException) return [];
      throw error;
    }
  }

  /** @param {Grant[]} grants */
  #keep(grants) {
    this.#standing = grants;
    try {
      this.storage.setItem(KEPT, JSON.stringify(grants));
    } catch (error) {
      // They hold until the page is closed. What was revoked must not come back after that.
      if (!(error instanceof DOMException)) throw error;
      this.storage.removeItem(KEPT);
    }
  }

  #changed() {
    for (const listener of this.#listeners) listener();
  }
}

/** The grants of this browser, which follow what other tabs do. */
export function browserGrants() {
  // Each access may be denied, also the first one.
  const grants = new Grants({
    getItem: (key) => localStorage.getItem(key),
    setItem: (key, value) => localStorage.setItem(key, value),
    removeItem: (key) => localStorage.removeItem(key),
  });
  addEventListener("storage", ({ key }) => (key === KEPT || key === null) && grants.reread());
  return grants;
}

/** @param {Wanted} wanted */
function runKey({ kind, subject, answer, run }) {
  return JSON.stringify([run, kind, answer, subject]);
}

/** @param {Grant} one @param {Grant} other */
function isSame(one, other) {
  return one.kind === other.kind && one.subject === other.subject && one.answer === other.answer;
}

/** @param {any} row @returns {row is Grant} */
function isGrant(row) {
  return typeof row?.kind === "string" && typeof row.subject === "string" && STANDING.includes(row.answer)
    && typeof row.since === "string" && (row.until === null || typeof row.until === "string");
}
