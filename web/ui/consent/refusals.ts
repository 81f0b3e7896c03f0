/**
 * The effect of a user's refusals on later requests. Three in a row refuse a caller for a minute, and what was refused isn't
 * asked again in the same words for a minute.
 *
 * Callers are those that the page itself tells apart (callers.ts). Python names callers freely, so new names must not
 * start a new count.
 */

import type { Outcome } from "./consent.ts";

const IN_A_ROW = 3;
// Of all callers together: Python could also use the names of those that the page knows.
const IN_ALL = 9;
const ALL = "*";
const PAUSE_MS = 60_000;
// So many requests of a caller within the time are a flood, whatever was answered.
const MANY = 8;
const MANY_MS = 30_000;
// Forgotten first when there are more.
const MOST_REMEMBERED = 200;

/** refusals without an answer that allows, and the pause's end */
type Row = { count: number; last: number; until: number };

export class Refusals {
  #rows = new Map<string, Row>();
  /** The end of each refusal, by caller and words. */
  #words = new Map<string, number>();
  #asked = new Map<string, number[]>();
  now: () => number;

  /** @param now - milliseconds since the epoch */
  constructor(now: () => number) {
    this.now = now;
  }

  /** Return when a request may be asked, if it is refused now. */
  until(caller: string, words: string): number | null {
    const ends = [this.#rows.get(caller)?.until, this.#rows.get(ALL)?.until, this.#words.get(words)];
    const last = Math.max(...ends.map((end) => end ?? 0));
    return last > this.now() ? last : null;
  }

  /** Note that a caller asks. */
  ask(caller: string) {
    remember(this.#asked, caller, [...this.#recent(caller), this.now()]);
  }

  /** Note that the user refused a request. */
  refuse(caller: string, words: string) {
    remember(this.#words, words, this.now() + PAUSE_MS);
    this.#count(caller, IN_A_ROW);
    this.#count(ALL, IN_ALL);
  }

  /** Note that the user allowed a request. */
  allow(caller: string) {
    this.#rows.delete(caller);
    this.#rows.delete(ALL);
  }

  /** Refuse a caller for a minute. */
  pause(caller: string) {
    const row = this.#row(caller);
    remember(this.#rows, caller, {
      ...row,
      count: Math.max(row.count, IN_A_ROW),
      last: this.now(),
      until: this.now() + PAUSE_MS,
    });
  }

  /** Ask again, at the user's wish. */
  lift() {
    this.#rows.clear();
    this.#words.clear();
    this.#asked.clear();
  }

  /** The callers that are refused now; null is all of Python. */
  get paused(): { caller: string | null; until: number }[] {
    return Array.from(this.#rows, ([caller, { until }]) => ({ caller: caller === ALL ? null : caller, until })).filter(
      ({ until }) => until > this.now(),
    );
  }

  /** Return whether a caller keeps asking after refusals, or asks more than anyone reads. */
  keepsAsking(caller: string) {
    return (
      this.#row(caller).count >= IN_A_ROW - 1 || this.#row(ALL).count >= IN_A_ROW || this.#recent(caller).length >= MANY
    );
  }

  #count(caller: string, most: number) {
    const count = this.#row(caller).count + 1;
    remember(this.#rows, caller, { count, last: this.now(), until: count >= most ? this.now() + PAUSE_MS : 0 });
  }

  /** Return a caller's row. It ends a minute after the last refusal, or after a pause. */
  #row(caller: string): Row {
    const row = this.#rows.get(caller);
    const isOver = row === undefined || this.now() > Math.max(row.last, row.until) + PAUSE_MS;
    return isOver ? { count: 0, last: 0, until: 0 } : row;
  }

  #recent(caller: string) {
    return (this.#asked.get(caller) ?? []).filter((time) => time > this.now() - MANY_MS).slice(-MANY);
  }
}

/** Return the end of a refusal that applies to later requests, for an error's message; "" if there is none. */
export function untilWhen({ decision, until }: Outcome) {
  return decision === "refuse" && until !== undefined
    ? `; it is refused without a question until ${new Date(until).toISOString()}`
    : "";
}

/** Set an entry as the newest, and forget the oldest of too many. */
function remember<T>(map: Map<string, T>, key: string, value: T) {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST_REMEMBERED) map.delete(oldest);
}
