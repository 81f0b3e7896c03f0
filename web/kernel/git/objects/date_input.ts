// Dates that users give (`--since`, `--until`): exact ones, and the loose words of git's approxidate (Documentation/date-formats.txt).
// As in git, words that mean nothing are skipped, so that a date without any meaning is now.
import type { Context } from "../repository/answers.ts";
import { localZone, minutesOf, MONTHS, DAYS, type Zone } from "./dates.ts";

/** the time in seconds since 1970, and the local zone */
type Clock = { now: number; zone?: Zone };

/** -1 is unknown */
type Fields = { year: number; month: number; day: number; hour: number; minute: number; second: number };

const [MINUTE, HOUR, DAY, WEEK] = [60, 3600, 86_400, 604_800];
const LENGTHS: Record<string, number> = { second: 1, minute: MINUTE, hour: HOUR, day: DAY, week: WEEK };
const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const LARGEST_YEAR = 2100;
const ISO =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(Z|UTC|GMT|[-+]\d{2}:?\d{2}|[-+]\d{2})?$/i;
const RFC =
  /^(?:[a-z]{3,9},?\s+)?(?:(\d{1,2})\s+([a-z]{3,9})|([a-z]{3,9})\s+(\d{1,2})),?\s+(?:(\d{4})\s+)?(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s+(\d{4}))?\s*(Z|UTC|GMT|[-+]\d{4})?$/i;

/** @returns 0 for January, -1 for other words */
const monthOf = (word: string): number =>
  word.length < 3 ? -1 : MONTHS.findIndex((name) => name.toLowerCase().startsWith(word.toLowerCase()));

/**
 * @param fields - in the local zone
 * @param given - such as `+0100`
 * @returns seconds since 1970
 */
function secondsOf({ year, month, day, hour, minute, second }: Fields, zone: Zone, given?: string | undefined): number {
  const utc = Date.UTC(year, month, day, hour, minute, second) / 1000;
  if (given !== undefined)
    return utc - (/^[-+]/.test(given) ? minutesOf(`${given.replace(":", "")}00`.slice(0, 5)) : 0) * MINUTE;
  const near = utc - minutesOf(localZone(utc, zone)) * MINUTE;
  return utc - minutesOf(localZone(near, zone)) * MINUTE;
}

function fieldsOf(seconds: number, zone: Zone): Fields & { weekday: number } {
  const at = new Date((seconds + minutesOf(localZone(seconds, zone)) * MINUTE) * 1000);
  return {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth(),
    day: at.getUTCDate(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
    weekday: at.getUTCDay(),
  };
}

/** A date with all of its parts. */
function exactDate(text: string, { now, zone }: Clock): number | null {
  const raw = /^@(\d+)(?: [-+]\d{4})?$/.exec(text) ?? /^(\d{9,}) [-+]\d{4}$/.exec(text) ?? /^(\d{9,})$/.exec(text);
  if (raw) return Number(raw[1]);
  const today = fieldsOf(now, zone);
  const iso = ISO.exec(text);
  if (iso && Number(iso[2]) >= 1 && Number(iso[2]) <= 12 && iso[4] !== undefined) {
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = iso
      .slice(1, 7)
      .map((part) => Number(part ?? 0));
    return secondsOf({ year, month: month - 1, day, hour, minute, second }, zone, iso[7]);
  }
  const rfc = RFC.exec(text);
  const month = monthOf(rfc?.[2] ?? rfc?.[3] ?? "");
  if (rfc === null || month < 0) return null;
  const [day, year] = [Number(rfc[1] ?? rfc[4]), Number(rfc[5] ?? rfc[9] ?? today.year)];
  return secondsOf(
    { year, month, day, hour: Number(rfc[6]), minute: Number(rfc[7]), second: Number(rfc[8] ?? 0) },
    zone,
    rfc[10],
  );
}

/** A date in words, read from left to right. */
class LooseDate {
  number = 0;
  now: number;
  zone: Zone;
  fields: { year: number; month: number; day: number; hour: number; minute: number; second: number };
  weekday: number;

  constructor({ now, zone }: Clock) {
    this.now = now;
    this.zone = zone;
    const { weekday, ...fields } = fieldsOf(now, zone);
    this.fields = { ...fields, year: -1, month: -1, day: -1 };
    this.weekday = weekday;
  }

  /** Fill unknown parts from today, and go back. */
  back(seconds: number) {
    const today = fieldsOf(this.now, this.zone);
    const { fields } = this;
    if (fields.day < 0) fields.day = today.day;
    if (fields.month < 0) fields.month = today.month;
    if (fields.year < 0) fields.year = today.year - Number(fields.month > today.month);
    const at = secondsOf(fields, this.zone) - seconds;
    const { weekday, ...moved } = fieldsOf(at, this.zone);
    Object.assign(this, { fields: moved, weekday });
    return at;
  }

  /** Take a number that stood alone: a day, a month or a year. */
  settle() {
    const { number, fields } = this;
    this.number = 0;
    if (number === 0) return;
    if (fields.day < 0 && number < 32) fields.day = number;
    else if (fields.month < 0 && number < 13) fields.month = number - 1;
    else if (fields.year < 0) {
      if (number > 1969 && number < LARGEST_YEAR) fields.year = number;
      else if (number > 69 && number < 100) fields.year = 1900 + number;
      else if (number < 38) fields.year = 2000 + number;
    }
  }

  at(hour: number) {
    if (this.fields.hour < hour) this.back(DAY);
    Object.assign(this.fields, { hour, minute: 0, second: 0 });
  }

  halfOfDay(half: "am" | "pm") {
    const { number, fields } = this;
    this.number = 0;
    if (number) Object.assign(fields, { hour: number, minute: 0, second: 0 });
    fields.hour = (fields.hour % 12) + (half === "pm" ? 12 : 0);
  }

  word(given: string) {
    const word = given.toLowerCase();
    const month = monthOf(word);
    if (month >= 0) return void (this.fields.month = month);
    if (word === "yesterday") return void ((this.number = 0), this.back(DAY));
    if (word === "now" || word === "today") return void ((this.number = 0), this.back(0));
    if (word === "never") return void ((this.fields = fieldsOf(0, this.zone)), (this.number = 0));
    const time = { midnight: 0, noon: 12, tea: 17 }[word];
    if (time !== undefined) return void (this.settle(), this.at(time));
    if (word === "am" || word === "pm") return this.halfOfDay(word);
    const number = word === "last" ? 1 : NUMBERS.indexOf(word);
    if (number > 0) return void (this.number = number);
    this.unit(word);
  }

  unit(word: string) {
    const length = Object.entries(LENGTHS).find(([name]) => word === name || word === `${name}s`)?.[1];
    const { number } = this;
    const weekday =
      word.length < 3 ? -1 : DAYS.findIndex((name) => name.toLowerCase().startsWith(word.replace(/s$/, "")));
    if (length !== undefined) this.back(length * number);
    else if (weekday >= 0) {
      const days = this.weekday - weekday;
      // A day without `last` or a number is today for git.
      this.back(number === 0 ? 0 : (days <= 0 ? days + 7 : days) * DAY + (number - 1) * WEEK);
    } else if (/^months?$/.test(word)) {
      this.back(0);
      const months = this.fields.month - number;
      this.fields.year += Math.floor(months / 12);
      this.fields.month = ((months % 12) + 12) % 12;
    } else if (/^years?$/.test(word)) {
      this.back(0);
      this.fields.year -= number;
    } else return;
    this.number = 0;
  }

  /**
   * @param text - digits
   * @param rest - what follows
   * @returns how much of the rest belongs to it
   */
  digits(text: string, rest: string): number {
    const date = /^([-/.])(\d{1,2})\1(\d{1,4})/.exec(rest);
    if (date && this.date(text, date)) return date[0].length;
    const time = /^:(\d{2})(?::(\d{2})(?:\.\d+)?)?/.exec(rest);
    if (time) {
      Object.assign(this.fields, { hour: Number(text), minute: Number(time[1]), second: Number(time[2] ?? 0) });
      return time[0].length;
    }
    if (Number(text) > 0 || text.length < 3)
      this.number = text.length > 1 && text.startsWith("0") && text.length > 2 ? 0 : Number(text);
    return 0;
  }

  /** @returns whether it is a date */
  date(first: string, rest: RegExpExecArray): boolean {
    const [, mark, second = "", third = ""] = rest;
    const [one, two, three] = [Number(first), Number(second), Number(third)];
    const year = (value: number, text: string) =>
      text.length === 4 ? value : value > 69 ? 1900 + value : 2000 + value;
    const [y, m, d]: [number, number, number] =
      first.length === 4
        ? [one, two, three]
        : mark === "." || one > 12
          ? [year(three, third), two, one]
          : [year(three, third), one, two];
    if (m < 1 || m > 12 || d < 1 || d > 31) return false;
    Object.assign(this.fields, { year: y, month: m - 1, day: d });
    return true;
  }
}

/**
 * Return a full date as a commit has it: seconds since 1970, and its zone or else the local one.
 * @returns null for a date with parts missing, or in words
 */
export function exactStamp(given: string, clock: Clock): string | null {
  const text = given.trim();
  const seconds = exactDate(text, clock);
  if (seconds === null) return null;
  if (/^@?\d+$|(?:Z|UTC|GMT)$/i.test(text)) return `${seconds} +0000`;
  const [, hours, minutes = "00"] = /[\d\s]([-+]\d{2}):?(\d{2})?$/.exec(text) ?? [];
  return `${seconds} ${hours === undefined ? localZone(seconds, clock.zone) : hours + minutes}`;
}

const TIMES = new Set(["yesterday", "now", "today", "never", "midnight", "noon", "tea", "am", "pm", "last"]);

/**
 * Return a date in any form as a commit has it.
 * @returns null for a text in which nothing is a date
 */
export function looseStamp(text: string, clock: Clock): string | null {
  const exact = exactStamp(text, clock);
  if (exact !== null) return exact;
  const means = (word: string) =>
    TIMES.has(word) || NUMBERS.includes(word) || monthOf(word) >= 0 || DAYS.some((day) => day.toLowerCase() === word);
  if (!/\d/.test(text) && !(text.toLowerCase().match(/[a-z]+/g) ?? []).some(means)) return null;
  const seconds = parseDate(text, clock);
  return `${seconds} ${localZone(seconds, clock.zone)}`;
}

/** @returns seconds since 1970 */
export function parseDate(text: string, clock: Clock): number {
  const exact = exactDate(text.trim(), clock);
  if (exact !== null) return exact;
  const date = new LooseDate(clock);
  for (let at = 0; at < text.length; ) {
    const digits = /^\d+/.exec(text.slice(at))?.[0];
    const word = /^[a-z]+/i.exec(text.slice(at))?.[0];
    if (digits !== undefined) {
      date.settle();
      at += digits.length + date.digits(digits, text.slice(at + digits.length));
    } else if (word !== undefined) {
      date.word(word);
      at += word.length;
    } else at++;
  }
  date.settle();
  return date.back(0);
}

/** The clock of a call. */
export const clockOf = async ({ env, zone }: Context): Promise<Clock> => ({
  now: Math.floor(Number(env.get("GIT_TEST_DATE_NOW") || Date.now() / 1000)),
  zone: (await zone?.()) ?? env.get("TZ"),
});
