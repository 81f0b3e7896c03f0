// `printf` (Bash manual, 4.2; POSIX, "File Format Notation") and `echo`.
import { changeAt, type Change } from "../../clock.ts";
import { decode, encode } from "../../bytes.ts";
import { decodeEcho, backslashQuote, byteText, rejoined } from "../language/quoting.ts";
import { CommandError } from "../control.ts";
import { exponential, fixed, general, hexadecimal, readExtended, type Extended } from "./extended.ts";
import { usage } from "./help.ts";
import { characterOf, inCharacters } from "../language/locale.ts";
import { parseOptions } from "./builtin_options.ts";
import type { Shell } from "../shell.ts";
import { parseReference, type Variables } from "../language/variables.ts";
import { zoneOf } from "./zone.ts";

const CONVERSION = /%(%|([-+ #0']*)(\*|\d+)?(?:\.(\*|-?\d*))?(?:hh|h|ll|l|L|q|j|z|t)?([a-zA-Z]|\([^)]*\)T))/;
const ESCAPE = /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([^]))/;
const DIRECTIVE = new RegExp(`${CONVERSION.source}|${ESCAPE.source}|[^%\\\\]+|[%\\\\]`, "g");

class Printer {
  variables: Variables;
  zone: Change[] | null;
  format: string;
  args: string[];
  at = 0;
  text = "";
  complaints: string[] = [];
  stops = false;
  /** Variables that `%n` sets. */
  assignments: [string, string][] = [];

  /** @param zone - of times */
  constructor(variables: Variables, format: string, args: string[], zone: Change[] | null) {
    this.variables = variables;
    this.zone = zone;
    this.format = format;
    this.args = args;
  }

  next() {
    return this.args[this.at++];
  }

  run() {
    // The format is used again while there are arguments.
    do {
      const before = this.at;
      for (const match of this.format.matchAll(DIRECTIVE)) {
        this.piece(match);
        if (this.stops) return;
      }
      if (this.at === before) return;
    } while (this.at < this.args.length);
  }

  piece([whole, directive, flags, width, precision, conversion, octal, hex, short, long, escape]: RegExpMatchArray) {
    if (directive === "%") this.text += "%";
    else if (directive !== undefined) this.convert(whole ?? "", flags ?? "", width, precision, conversion ?? "");
    else if (octal !== undefined || hex !== undefined)
      this.text += byteText(hex ? parseInt(hex, 16) : parseInt(octal ?? "0", 8) & 255);
    else if (short !== undefined || long !== undefined)
      this.text += characterOf(this.variables, parseInt(short ?? long ?? "0", 16));
    else if (escape === "c") this.text += "\\c";
    else if (escape !== undefined) {
      const { text, stops } = decodeEcho(`\\${escape}`, (code) => characterOf(this.variables, code));
      this.text += escape === '"' || escape === "'" || escape === "?" ? escape : text;
      this.stops = stops;
    } else if (whole === "%") throw new CommandError("printf: `%': missing format character");
    else this.text += whole ?? "";
  }

  convert(whole: string, flags: string, width: string | undefined, precision: string | undefined, conversion: string) {
    let size = width === "*" ? Number(this.next() ?? 0) : Number(width ?? 0);
    if (size < 0) [flags, size] = [`${flags}-`, -size];
    const digits = precision === undefined ? null : precision === "*" ? Number(this.next() ?? 0) : Number(precision);
    const kind = conversion.startsWith("(") ? "T" : conversion;
    if (kind === "n") {
      this.assignments.push([this.next() ?? "", String(encode(this.text).length)]);
      return;
    }
    const format = FORMATS[kind];
    if (!format) throw new CommandError(`printf: \`${whole.slice(-1)}': invalid format character`);
    const text = format(this, flags, digits !== null && digits < 0 ? null : digits, conversion);
    const isPadded = flags.includes("0") && !flags.includes("-") && "diouxXeEfFgGaA".includes(kind);
    const zeros = isPadded && !(digits !== null && "diouxX".includes(kind)) && /\d/.test(text);
    // A width counts bytes.
    const missing = size > 0 ? Math.max(0, size - encode(text).length) : 0;
    if (flags.includes("-")) this.text += text + " ".repeat(missing);
    else if (zeros) this.text += text.replace(/^([-+ ]?(?:0[xX])?)/, `$1${"0".repeat(missing)}`);
    else this.text += " ".repeat(missing) + text;
  }

  invalid(given: string) {
    this.complaints.push(`printf: ${given}: invalid number`);
  }

  /** @param given - a number that is too large */
  warn(given: string) {
    this.complaints.push(`printf: warning: ${given}: Numerical result out of range`);
  }

  /** The next argument as an integer. */
  integer(isSigned = true): bigint {
    const given = this.next() ?? "";
    const text = given.trimStart();
    if (/^["']/.test(text)) return BigInt(codeOf(inCharacters(this.variables, text)));
    const [, sign = "", digits = ""] = /^([-+]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)?/.exec(text) ?? [];
    if (`${sign}${digits}` !== text || (digits === "" && text !== "")) this.invalid(given);
    const value = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits || 0);
    if (value > (isSigned ? MOST >> 1n : MOST)) this.warn(given);
    return sign === "-" ? -value : value;
  }

  /** The next argument as a number. */
  number(): { negative: boolean; size: Extended | "nan" | "inf" } {
    const given = this.next() ?? "";
    const text = given.trim();
    if (/^["']/.test(text))
      return { negative: false, size: readExtended(String(codeOf(inCharacters(this.variables, text)))) ?? "inf" };
    const negative = text.startsWith("-");
    if (/^[-+]?(inf|infinity|nan)$/i.test(text)) return { negative, size: /nan/i.test(text) ? "nan" : "inf" };
    const [number = "", digits = "0"] =
      /^[-+]?(0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/.exec(text) ?? [];
    if (number !== text) this.invalid(given);
    return { negative, size: readExtended(digits) ?? "inf" };
  }
}

/** The code of the character behind a quote, or the byte that is none. */
function codeOf(text: string) {
  const code = text.codePointAt(1) ?? 0;
  return code >= 0xdc80 && code <= 0xdcff ? code - 0xdc00 : code;
}

/** The point of `%#.0f`. */
const point = (flags: string, precision: number | null) => (precision === 0 && flags.includes("#") ? "." : "");

const MOST = (1n << 64n) - 1n;

const sign = (flags: string, negative: boolean) =>
  negative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";

const atLeast = (digits: string, precision: number | null) =>
  precision === 0 && digits === "0" ? "" : digits.padStart(precision ?? 0, "0");

const unsigned =
  (radix: number, prefix: string): Format =>
  (printer, flags, precision) => {
    const given = printer.integer(false);
    const value = given > MOST || given < -MOST ? MOST : BigInt.asUintN(64, given);
    return (flags.includes("#") && value !== 0n ? prefix : "") + atLeast(value.toString(radix), precision);
  };

const limited = (value: bigint, least: bigint, most: bigint) => (value < least ? least : value > most ? most : value);

const signed: Format = (printer, flags, precision) => {
  const value = limited(printer.integer(), -(1n << 63n), (1n << 63n) - 1n);
  return sign(flags, value < 0n) + atLeast((value < 0n ? -value : value).toString(), precision);
};

type Format = (printer: Printer, flags: string, precision: number | null, conversion: string) => string;

const realFormat =
  (write: (value: Extended, precision: number | null, flags: string) => string): Format =>
  (printer, flags, precision) => {
    const { negative, size } = printer.number();
    return sign(flags, negative) + (typeof size === "string" ? size : write(size, precision, flags));
  };

const LOWER: Record<string, Format> = {
  x: unsigned(16, "0x"),
  e: realFormat((value, precision) => exponential(value, precision ?? 6)),
  f: realFormat((value, precision, flags) => fixed(value, precision ?? 6) + point(flags, precision)),
  g: realFormat((value, precision, flags) => general(value, precision ?? 6, flags.includes("#"))),
  a: realFormat((value, precision) => hexadecimal(value, precision)),
};

/** `%X`, `%E` and their like. */
const UPPER = Object.entries(LOWER).map(([letter, format]): [string, Format] => [
  letter.toUpperCase(),
  (...given) => format(...given).toUpperCase(),
]);

const FORMATS: Record<string, Format> = {
  s: (printer, _, precision) => cut(printer.next() ?? "", precision),
  // The first byte, whatever it is part of.
  c: (printer) => [...encode(printer.next() ?? "").subarray(0, 1)].map(byteText).join(""),
  b: (printer, _, precision) => {
    const { text, stops } = decodeEcho(printer.next() ?? "", (code) => characterOf(printer.variables, code), true);
    printer.stops = stops;
    return cut(text, precision);
  },
  q: (printer, _, precision) => cut(backslashQuote(inCharacters(printer.variables, printer.next() ?? "")), precision),
  Q: (printer, _, precision) => backslashQuote(inCharacters(printer.variables, cut(printer.next() ?? "", precision))),
  d: signed,
  i: signed,
  u: unsigned(10, ""),
  o: unsigned(8, "0"),
  ...LOWER,
  ...Object.fromEntries(UPPER),
  T: (printer, _, precision, conversion) =>
    cut(formatTime(conversion.slice(1, -2), printer.next(), printer.zone), precision),
};

/** A precision counts bytes, as a width does. */
const cut = (text: string, precision: number | null) =>
  precision === null ? text : decode(encode(text).subarray(0, precision));

const padded = (value: number, width = 2) => String(value).padStart(width, "0");
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const MONTHS = "January February March April May June July August September October November December".split(" ");

/**
 * `%(…)T`.
 * @param format - of strftime
 * @param given - seconds since 1970, or -1 for now
 */
function formatTime(format: string, given: string | undefined, zone: Change[] | null) {
  const instant =
    given === undefined || given === "" || given === "-1" || given === "-2"
      ? new Date()
      : new Date(Number(given) * 1000);
  const seconds = Math.floor(instant.getTime() / 1000);
  const [, offset, name] = zone ? changeAt(zone, seconds) : [0, -60 * instant.getTimezoneOffset(), zoneName(instant)];
  const date = new Date(instant.getTime() + offset * 1000);
  const minutes = Math.abs(Math.trunc(offset / 60));
  const hour = date.getUTCHours();
  const dayOfYear = Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1;
  const values: Record<string, () => string> = {
    Y: () => String(date.getUTCFullYear()),
    y: () => padded(date.getUTCFullYear() % 100),
    m: () => padded(date.getUTCMonth() + 1),
    d: () => padded(date.getUTCDate()),
    e: () => String(date.getUTCDate()).padStart(2),
    H: () => padded(hour),
    I: () => padded(hour % 12 || 12),
    M: () => padded(date.getUTCMinutes()),
    S: () => padded(date.getUTCSeconds()),
    p: () => (hour < 12 ? "AM" : "PM"),
    j: () => padded(dayOfYear, 3),
    s: () => String(seconds),
    A: () => DAYS[date.getUTCDay()] ?? "",
    a: () => (DAYS[date.getUTCDay()] ?? "").slice(0, 3),
    B: () => MONTHS[date.getUTCMonth()] ?? "",
    b: () => (MONTHS[date.getUTCMonth()] ?? "").slice(0, 3),
    u: () => String(date.getUTCDay() || 7),
    w: () => String(date.getUTCDay()),
    z: () => `${offset < 0 ? "-" : "+"}${padded(Math.floor(minutes / 60))}${padded(minutes % 60)}`,
    Z: () => name,
    n: () => "\n",
    t: () => "\t",
    "%": () => "%",
    F: () => `${values.Y?.()}-${values.m?.()}-${values.d?.()}`,
    T: () => `${values.H?.()}:${values.M?.()}:${values.S?.()}`,
    R: () => `${values.H?.()}:${values.M?.()}`,
    D: () => `${values.m?.()}/${values.d?.()}/${values.y?.()}`,
    c: () => `${values.a?.()} ${values.b?.()} ${values.e?.()} ${values.T?.()} ${values.Y?.()}`,
    x: () => `${values.D?.()}`,
    X: () => `${values.T?.()}`,
  };
  return (format || "%X").replace(/%([^])/g, (whole, letter) => values[letter]?.() ?? whole);
}

/** Return the browser's name of its zone. */
function zoneName(date: Date) {
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "short" }).formatToParts(date);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "UTC";
}

export async function printf(shell: Shell, args: string[]) {
  const { values: named, operands } = parseOptions("printf", args, "v:");
  const variable = named.v ?? null;
  const [format, ...values] = operands;
  if (format === undefined) {
    return usage(shell, "printf");
  }
  const printer = new Printer(shell.variables, format, values, /\)T/.test(format) ? await zoneOf(shell) : null);
  let failure = null;
  try {
    printer.run();
  } catch (error) {
    failure = error;
  }
  const text = rejoined(printer.text);
  if (variable !== null) {
    const reference = parseReference(variable);
    if (!reference) throw new CommandError(`printf: \`${variable}': not a valid identifier`, 2);
    shell.variables.assignTo(reference, text);
  } else if (text) await shell.print(text);
  for (const [name, size] of printer.assignments) if (parseReference(name)) shell.variables.assign(name, size);
  for (const complaint of printer.complaints) await shell.complain(complaint);
  if (failure) throw failure;
  return printer.complaints.some((complaint) => !complaint.includes(": warning: ")) ? 1 : 0;
}

export function echo(shell: Shell, args: string[]) {
  let [ends, escapes] = [true, shell.shopts.has("xpg_echo")];
  let at = 0;
  // In POSIX's mode, echo that reads escapes has no options.
  const hasOptions = !(escapes && shell.options.has("posix"));
  for (; hasOptions && /^-[neE]+$/.test(args[at] ?? ""); at++) {
    for (const letter of args[at] ?? "") {
      if (letter === "n") ends = false;
      else if (letter !== "-") escapes = letter === "e";
    }
  }
  let text = args.slice(at).join(" ");
  let stops = false;
  if (escapes && text.includes("\\"))
    ({ text, stops } = decodeEcho(text, (code) => characterOf(shell.variables, code)));
  const waiting = shell.print(ends && !stops ? `${text}\n` : text);
  return waiting ? waiting.then(() => 0) : 0;
}
