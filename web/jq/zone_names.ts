// `%Z` of `strftime` and `strflocaltime`: the C library in jq's WebAssembly knows no names of zones, and fails.
// jq reads definitions from ~/.jq before the filter (jq manual, "Modules"), so the filter stays as it is written.

import type { Change } from "../kernel/clock.ts";

const DEFINITIONS = `
def _named(zone): split("%%") | map(split("%Z") | join(zone)) | join("%%");
def _strftime(format): strftime(format);
def _strflocaltime(format): strflocaltime(format);
def strftime(format): . as $time | format as $format
  | if $format | type == "string" then ($format | _named("UTC")) as $given | _strftime($given) else _strftime($format) end;
def strflocaltime(format): . as $time | format as $format
  | if $format | type == "string"
    then ($time | if type == "array" then mktime else . end | _zone_name) as $zone
      | ($format | _named($zone)) as $given | _strflocaltime($given)
    else _strflocaltime($format) end;
`;

/** @returns the browser's name of its zone */
function nameOfBrowser(): string {
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "short" }).formatToParts(new Date());
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "UTC";
}

/**
 * Return definitions for a filter with `%Z`, or "".
 * @param args - of jq
 * @param changes - of the zone; null for the browser's
 */
export function zoneDefinitions(args: string[], changes: Change[] | null) {
  if (!args.some((word) => word.includes("%Z"))) return "";
  const rows = JSON.stringify((changes ?? [[0, 0, nameOfBrowser()]]).map(([since, , name]) => [since, name]));
  const table = `${rows} as $zones | ([$zones[] | select(.[0] <= $second)] | last) // $zones[0]`;
  return `def _zone_name: . as $second | ${table} | .[1];${DEFINITIONS}`;
}
