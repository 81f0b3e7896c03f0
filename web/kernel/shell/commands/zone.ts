// The time zone of a shell: the one that its TZ names, or else the browser's or the settings'. Python has the data.

import type { Change } from "../../clock.ts";
import type { Shell } from "../shell.ts";

/** Return the table of the shell's zone; null for the one that `Date` has. If TZ names no zone, an error says so. */
export async function zoneOf(shell: Shell): Promise<Change[] | null> {
  // Undefined is None in Python; null isn't.
  const { TZ }: Record<string, string | undefined> = shell.variables.exported();
  const { changes, problem } = JSON.parse(await shell.host.options.zone(TZ));
  if (problem) await shell.complain(problem);
  return changes;
}
