/** The Python console in the page's state. */

import type { ConsoleEntry, ConsoleRow, KernelEvent, Printed } from "../../generated/types.ts";

const MAX_ENTRIES = 200;
const PERSON = "person";

export function applyToConsole(
  console: ConsoleRow,
  event: Extract<KernelEvent, { type: `console_${string}` }>,
): ConsoleRow {
  const { entries } = console;
  switch (event.type) {
    case "console_changed":
      return changed(console, event.entry);
    case "console_printed":
      return {
        ...console,
        entries: entries.map((entry) =>
          entry.id === event.entry_id ? { ...entry, output: event.output.reduce(printed, entry.output) } : entry,
        ),
      };
    case "console_cleared":
      return { ...console, entries: entries.filter(({ id }) => event.remaining.includes(id)) };
  }
}

function changed({ entries, inputs }: ConsoleRow, entry: ConsoleEntry): ConsoleRow {
  const index = entries.findIndex(({ id }) => id === entry.id);
  if (index >= 0) return { entries: entries.with(index, entry), inputs };
  const typed = entry.caller === PERSON && inputs.at(-1) !== entry.code;
  return { entries: [...entries, entry].slice(-MAX_ENTRIES), inputs: typed ? [...inputs, entry.code] : inputs };
}

function printed(output: Printed[], piece: Printed): Printed[] {
  const last = output.at(-1);
  if (piece.stream === "value" || last === undefined || last.stream !== piece.stream) return [...output, piece];
  return output.with(-1, { ...last, text: last.text + piece.text });
}
