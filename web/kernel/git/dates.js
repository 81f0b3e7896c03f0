// Dates as git prints them (`--date=`).

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/** @type {[string, number][]} */
const UNITS = [
  ["second", 1],
  ["minute", 60],
  ["hour", 3600],
  ["day", 86_400],
  ["week", 604_800],
  ["month", 2_629_800],
  ["year", 31_557_600],
];

/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");

/** @param {number} seconds since 1970 @param {string} zone such as `+0100` @param {string} [style] @returns {string} */
export function formatDate(seconds, zone, style = "default") {
  const offset = (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))) * (zone.startsWith("-") ? -1 : 1);
  const at = new Date((seconds + offset * 60) * 1000);
  const [day, month] = [DAYS[at.getUTCDay()], MONTHS[at.getUTCMonth()]];
  const date = `${at.getUTCFullYear()}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`;
  const time = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;
  switch (style) {
    case "short":
      return date;
    case "iso":
      return `${date} ${time} ${zone}`;
    case "iso-strict":
      return `${date}T${time}${zone === "+0000" ? "Z" : `${zone.slice(0, 3)}:${zone.slice(3)}`}`;
    case "rfc":
      return `${day}, ${at.getUTCDate()} ${month} ${at.getUTCFullYear()} ${time} ${zone}`;
    case "unix":
      return String(seconds);
    case "raw":
      return `${seconds} ${zone}`;
    case "relative":
      return relative(Date.now() / 1000 - seconds);
    default:
      return `${day} ${month} ${at.getUTCDate()} ${time} ${at.getUTCFullYear()} ${zone}`;
  }
}

/** @param {number} age in seconds */
function relative(age) {
  const [name, size] = UNITS.findLast(([, one]) => age >= one * 2) ?? UNITS[0] ?? ["second", 1];
  const count = Math.max(0, Math.round(age / size));
  return `${count} ${name}${count === 1 ? "" : "s"} ago`;
}
