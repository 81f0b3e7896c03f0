// Dates as git prints them (`--date=`, Documentation/rev-list-options.txt).
import { changeAt, type Change } from "../../clock.ts";

export const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
export const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
];
const STYLES =
  /^(default|normal|iso(8601)?(-strict)?|rfc(2822)?|short|unix|raw|relative|human|local)(-local)?$|^format(-local)?:/;

/** the table of the local zone, or its name; otherwise `Date`'s zone */
export type Zone = Change[] | string | null | undefined;

/** the current time in seconds since 1970, and the local zone */
export type Place = { now?: number; zone?: Zone };

const two = (number: number) => String(number).padStart(2, "0");
const many = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;

export const isDateStyle = (style: string): boolean => STYLES.test(style);

/**
 * @param zone - such as `+0100`
 * @returns minutes
 */
export const minutesOf = (zone: string): number =>
  (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))) * (zone.startsWith("-") ? -1 : 1);

/**
 * The local offset from UTC.
 * @returns such as `+0100`
 */
export function localZone(seconds: number, zone?: Zone): string {
  if (typeof zone === "string" && zone !== "") return offsetByName(seconds, zone);
  const minutes = Array.isArray(zone)
    ? Math.trunc(changeAt(zone, seconds)[1] / 60)
    : -new Date(seconds * 1000).getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}${two(size % 60)}`;
}

function offsetByName(seconds: number, name: string) {
  const options = { timeZone: name, timeZoneName: "longOffset" as const };
  const parts = new Intl.DateTimeFormat("en", options).formatToParts(new Date(seconds * 1000));
  const text = parts.find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  return text.replace("GMT", "").replace(":", "") || "+0000";
}

/**
 * @param seconds - since 1970
 * @param given - the zone, such as `+0100`
 */
export function formatDate(
  seconds: number,
  given: string,
  style = "default",
  { now = Date.now() / 1000, zone: own }: Place = {},
): string {
  const [, format, isLocal] = /^(.*?)(-local|local)?$/s.exec(style.replace(/^format-local:/, "format:")) ?? [];
  const local = isLocal !== undefined || style.startsWith("format-local:");
  const zone = local ? localZone(seconds, own) : given;
  const at = new Date((seconds + minutesOf(zone) * 60) * 1000);
  const [day = "", month = ""] = [DAYS[at.getUTCDay()]?.slice(0, 3), MONTHS[at.getUTCMonth()]?.slice(0, 3)];
  const date = `${at.getUTCFullYear()}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`;
  const time = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;
  if (format?.startsWith("format:")) return formatted(at, zone, format.slice("format:".length));
  const shapes: Record<string, () => string> = {
    short: () => date,
    iso: () => `${date} ${time} ${zone}`,
    "iso-strict": () => `${date}T${time}${zone.slice(0, 3)}:${zone.slice(3)}`,
    rfc: () => `${day}, ${at.getUTCDate()} ${month} ${at.getUTCFullYear()} ${time} ${zone}`,
    unix: () => String(seconds),
    raw: () => `${seconds} ${zone}`,
    relative: () => relative(now - seconds),
    human: () => human(at, seconds, now, own),
  };
  const shape = shapes[format?.replace(/^(iso)8601|^(rfc)2822/, "$1$2") ?? ""];
  return shape?.() ?? `${day} ${month} ${at.getUTCDate()} ${time} ${at.getUTCFullYear()}${local ? "" : ` ${zone}`}`;
}

/**
 * The age of a date, rounded as date.c of git does.
 * @param age - in seconds
 */
function relative(age: number) {
  if (age < 0) return "in the future";
  if (age < 90) return `${many(Math.floor(age), "second")} ago`;
  const minutes = Math.floor((age + 30) / 60);
  if (minutes < 90) return `${many(minutes, "minute")} ago`;
  const hours = Math.floor((minutes + 30) / 60);
  if (hours < 36) return `${many(hours, "hour")} ago`;
  const days = Math.floor((hours + 12) / 24);
  if (days < 14) return `${many(days, "day")} ago`;
  if (days < 70) return `${many(Math.floor((days + 3) / 7), "week")} ago`;
  if (days < 365) return `${many(Math.floor((days + 15) / 30), "month")} ago`;
  if (days >= 1825) return `${many(Math.floor((days + 183) / 365), "year")} ago`;
  const months = Math.floor((days * 12 * 2 + 365) / (365 * 2));
  const years = many(Math.floor(months / 12), "year");
  return months % 12 ? `${years}, ${many(months % 12, "month")} ago` : `${years} ago`;
}

/**
 * @param at - in its own zone
 * @param own - the local zone
 */
function human(at: Date, seconds: number, now: number, own: Zone) {
  const today = new Date((now + minutesOf(localZone(now, own)) * 60) * 1000);
  const sameYear = at.getUTCFullYear() === today.getUTCFullYear();
  const days = today.getUTCDate() - at.getUTCDate();
  const sameMonth = sameYear && at.getUTCMonth() === today.getUTCMonth();
  if (sameMonth && days === 0) return relative(now - seconds);
  const [day = "", month = ""] = [DAYS[at.getUTCDay()]?.slice(0, 3), MONTHS[at.getUTCMonth()]?.slice(0, 3)];
  if (!sameYear) return `${month} ${at.getUTCDate()} ${at.getUTCFullYear()}`;
  const time = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
  return sameMonth && days > 0 && days < 5 ? `${day} ${time}` : `${day} ${month} ${at.getUTCDate()} ${time}`;
}

/** A date in the format of strftime (POSIX). */
function formatted(at: Date, zone: string, format: string): string {
  const [day = "", month = ""] = [DAYS[at.getUTCDay()], MONTHS[at.getUTCMonth()]];
  const [year, date, hour] = [at.getUTCFullYear(), at.getUTCDate(), at.getUTCHours()];
  const ofYear = Math.floor((at.getTime() - Date.UTC(year, 0, 1)) / 86_400_000);
  const inner = (other: string) => formatted(at, zone, other);
  const fields: Record<string, () => string | number> = {
    a: () => day.slice(0, 3),
    A: () => day,
    b: () => month.slice(0, 3),
    B: () => month,
    c: () => inner("%a %b %e %H:%M:%S %Y"),
    C: () => two(Math.floor(year / 100)),
    d: () => two(date),
    D: () => inner("%m/%d/%y"),
    e: () => String(date).padStart(2),
    F: () => inner("%Y-%m-%d"),
    H: () => two(hour),
    I: () => two(hour % 12 || 12),
    j: () => String(ofYear + 1).padStart(3, "0"),
    m: () => two(at.getUTCMonth() + 1),
    M: () => two(at.getUTCMinutes()),
    n: () => "\n",
    p: () => (hour < 12 ? "AM" : "PM"),
    r: () => inner("%I:%M:%S %p"),
    R: () => inner("%H:%M"),
    s: () => at.getTime() / 1000 - minutesOf(zone) * 60,
    S: () => two(at.getUTCSeconds()),
    t: () => "\t",
    T: () => inner("%H:%M:%S"),
    u: () => at.getUTCDay() || 7,
    U: () => two(Math.floor((ofYear + 7 - at.getUTCDay()) / 7)),
    w: () => at.getUTCDay(),
    W: () => two(Math.floor((ofYear + 7 - ((at.getUTCDay() + 6) % 7)) / 7)),
    x: () => inner("%m/%d/%y"),
    X: () => inner("%H:%M:%S"),
    y: () => two(year % 100),
    Y: () => year,
    z: () => zone,
    Z: () => "",
    "%": () => "%",
  };
  // "-" leaves the padding out, "_" pads with spaces, "^" writes capitals, as in the GNU C library.
  return format.replace(/%([-_^]?)([a-zA-Z%])/g, (whole, flag, letter) => {
    const text = String((fields[letter] ?? (() => whole))());
    if (flag === "^") return text.toUpperCase();
    return flag && /^[ 0]*\d+$/.test(text)
      ? text.replace(/^[ 0]+(?=\d)/, (padding) => (flag === "_" ? " ".repeat(padding.length) : ""))
      : text;
  });
}
