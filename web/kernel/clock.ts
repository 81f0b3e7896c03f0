// The local time of JavaScript's `Date` in any zone. Emscripten reads it for Python's local time, too.
import type { PyodideModule } from "./pyodide.ts";

/** seconds since 1970; from then on the offset from UTC in seconds, the name, and whether it is summer time */
export type Change = [number, number, string, boolean];

const Native = Date;
const PARTS = ["FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds", "Day"];
// A time without a zone, which the local zone decides. A date alone is UTC's.
const LOCAL = /\d:\d\d(:\d\d(\.\d+)?)?\s*([ap]m)?\s*$|^(?!\d{4}-\d\d-\d\d$|\d{4}-\d\d$|\d{4}$)[^:]*$/i;
let current: Change[] | null = null;
let installed = false;
const NativeFormat = Intl.DateTimeFormat;
/** The zone's name, if `Intl` knows it. */
let known: string | null = null;

/** Return the change that is in effect. */
export function changeAt(changes: Change[], second: number): Change {
  let [first, last] = [0, changes.length - 1];
  while (first < last) {
    const middle = Math.ceil((first + last) / 2);
    if (changes[middle][0] <= second) first = middle;
    else last = middle - 1;
  }
  return changes[first];
}

/**
 * Choose the zone of `Date`, and of `Intl` if it knows the name.
 * @param changes - its table; null for the browser's zone
 * @param name - such as `Europe/Zurich`
 */
export function setZone(changes: Change[] | null, name = "") {
  if (changes && !installed) install();
  current = changes;
  known = changes && isKnown(name) ? name : null;
}

/** @param name - of a zone */
function isKnown(name: string) {
  if (!/^[A-Z]/.test(name)) return false;
  try {
    return new NativeFormat("en", { timeZone: name }) !== null;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * The zone's long name, as V8 prints it.
 * @param short - the name of the table
 */
function longName(date: Date, short: string) {
  if (known === null) return short;
  const parts = new NativeFormat("en", { timeZone: known, timeZoneName: "long" }).formatToParts(date);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? short;
}

/** @throws {TypeError} the zone is the browser's */
function inEffect(ms: number) {
  if (current === null) throw new TypeError("No zone is set.");
  return changeAt(current, Math.floor(ms / 1000));
}

const offsetAt = (ms: number) => inEffect(ms)[1] * 1000;

/** Return the instant of a local time; one that the clock skips or repeats counts by the offset before. */
function instantOf(local: number) {
  const before = local - offsetAt(local - 86_400_000);
  if (offsetAt(before) === local - before) return before;
  const after = local - offsetAt(local);
  return offsetAt(after) === local - after ? after : before;
}

const shifted = (ms: number) => new Native(ms + offsetAt(ms));

function timeOf(given: unknown[]): number {
  if (given.length > 1) {
    const at = new Native(Reflect.apply(Native.UTC, Native, given));
    return instantOf(at.getTime());
  }
  const text = given[0];
  if (typeof text !== "string" || !LOCAL.test(text)) return Reflect.construct(Native, [text]).getTime();
  const asUtc = Native.parse(`${text} UTC`);
  const utc = Number.isNaN(asUtc) ? Native.parse(`${text}Z`) : asUtc;
  return Number.isNaN(utc) ? Native.parse(text) : instantOf(utc);
}

function install() {
  installed = true;
  replaceMethods(Native.prototype);
  replaceConstructors(Native.prototype);
}

/** Let the methods of dates count in the zone. */
function replaceMethods(prototype: Date) {
  const change = (
    name: string,
    replaced: (date: Date, given: [locale?: unknown, options?: Intl.DateTimeFormatOptions]) => unknown,
  ) => {
    const original = Reflect.get(prototype, name);
    Object.defineProperty(prototype, name, {
      configurable: true,
      writable: true,
      value(this: Date, ...given: [locale?: unknown, options?: Intl.DateTimeFormatOptions]) {
        return current === null || Number.isNaN(this.getTime()) ? original.apply(this, given) : replaced(this, given);
      },
    });
  };
  for (const part of PARTS) {
    const read = Reflect.get(prototype, `getUTC${part}`);
    change(`get${part}`, (date) => read.call(shifted(date.getTime())));
    if (part === "Day") continue;
    change(`set${part}`, (date, given) => {
      const local = shifted(date.getTime());
      Reflect.apply(Reflect.get(prototype, `setUTC${part}`), local, given);
      return date.setTime(instantOf(local.getTime()));
    });
  }
  change("getYear", (date) => date.getFullYear() - 1900);
  change("getTimezoneOffset", (date) => -offsetAt(date.getTime()) / 60_000);
  const day = (date: Date) =>
    shifted(date.getTime())
      .toUTCString()
      .replace(/^(\w+), (\d+) (\w+) (\d+) .*/, "$1 $3 $2 $4");
  const clock = (date: Date) => {
    const [, offset, name] = inEffect(date.getTime());
    const minutes = Math.abs(Math.round(offset / 60));
    const zone = `${offset < 0 ? "-" : "+"}${String(Math.floor(minutes / 60)).padStart(2, "0")}${String(minutes % 60).padStart(2, "0")}`;
    return `${shifted(date.getTime()).toISOString().slice(11, 19)} GMT${zone} (${longName(date, name)})`;
  };
  change("toDateString", day);
  change("toTimeString", clock);
  change("toString", (date) => `${day(date)} ${clock(date)}`);
  for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"]) {
    const original = Reflect.get(prototype, name);
    change(name, (date, [locale, options]) => {
      const timeZone = options?.timeZone ?? known;
      if (timeZone) return original.call(date, locale, { ...options, timeZone });
      return original.call(shifted(date.getTime()), locale, { ...options, timeZone: "UTC" });
    });
  }
}

/** Let `Date` and `Intl.DateTimeFormat` read and write in the zone. */
function replaceConstructors(prototype: Date) {
  const Zoned = new Proxy(Native, {
    construct: (target, given, made) =>
      current === null || given.length === 0
        ? Reflect.construct(target, given, made)
        : Reflect.construct(target, [timeOf(given)], made),
    apply: (target, self, given) => (current === null ? Reflect.apply(target, self, given) : new Native().toString()),
    get: (target, name) =>
      name === "parse" && current ? (text: string) => timeOf([String(text)]) : Reflect.get(target, name),
  });
  const withZone = (given: unknown[]) => {
    const [locale, options] = given;
    return [locale, known ? { timeZone: known, ...Object(options ?? {}) } : options];
  };
  Intl.DateTimeFormat = new Proxy(NativeFormat, {
    construct: (target, given, made) => Reflect.construct(target, withZone(given), made),
    apply: (target, self, given) => Reflect.apply(target, self, withZone(given)),
  });
  Object.defineProperty(prototype, "constructor", { configurable: true, writable: true, value: Zoned });
  globalThis.Date = Zoned;
}

// The most bytes of a zone's name, with its NUL (TZNAME_MAX of Emscripten).
const NAME_BYTES = 17;

/**
 * Choose the zone of `Date`, and the names that Emscripten's C library has for it.
 * @param module - Emscripten's
 * @param names - in winter and in summer
 */
export function setClock(module: PyodideModule, changes: Change[] | null, names: [string, string]) {
  setZone(changes);
  module._tzset();
  for (const [index, name] of names.entries()) {
    const place =
      module.HEAPU32[(Number(typeof module._tzname === "number" ? module._tzname : module._tzname.value) >> 2) + index];
    module.stringToUTF8(name, place, NAME_BYTES);
  }
}
