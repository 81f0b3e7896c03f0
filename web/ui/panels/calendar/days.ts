/**
 * Days and times as the panel shows them. Days are strings such as `2026-11-30`, so no zone can move them.
 */

const DAY_MS = 86_400_000;

/** Return the day that is so many days later. */
export function later(day: string, days: number) {
  return new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Return today where the user is. */
export function today() {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** Return the Monday of a day's week (ISO 8601). */
export function monday(day: string) {
  return later(day, -((new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7));
}

/** Return a day's name and date, such as "Mon, 30 Nov". */
export function dayName(
  day: string,
  style: Intl.DateTimeFormatOptions = { weekday: "short", day: "numeric", month: "short" },
) {
  return new Date(`${day}T00:00Z`).toLocaleDateString(undefined, { ...style, timeZone: "UTC" });
}

/**
 * Return whether an event takes place on a day.
 *
 * @param event - with times of the user's zone
 */
export function isOn({ start, end }: { start: string; end: string }, day: string) {
  const next = later(day, 1);
  return start < next && (end > (end.length > 10 ? `${day}T00:00:00` : day) || start.slice(0, 10) === day);
}

/** Return the times of an event on a day, such as "16:00–17:00". */
export function timesOn({ start, end }: { start: string; end: string }, day: string) {
  if (start.length === 10) return "All day";
  const from = start.slice(0, 10) === day ? start.slice(11, 16) : "…";
  const until = end.slice(0, 10) === day ? end.slice(11, 16) : "…";
  return from === until ? from : `${from}–${until}`;
}
