/** The agents' runs in the page's state: a row for each, with its model's output so far. */

import type { KernelEvent, RunRow, RunStreamed, StreamRow } from "../../generated/types.ts";

const NO_OUTPUT: StreamRow = { thought: "", text: "", calls: "", retry: "", doing: null, tokens: 0 };

export function applyToRuns(
  runs: RunRow[],
  event: Extract<KernelEvent, { type: "run_changed" | "run_streamed" | "run_forgotten" }>,
): RunRow[] {
  switch (event.type) {
    case "run_changed":
      return [...runs.filter(({ id }) => id !== event.run.id), event.run].sort(
        (left, right) => left.began - right.began,
      );
    case "run_streamed":
      return runs.map((run) =>
        run.id === event.run_id ? { ...run, stream: extended(run.stream ?? NO_OUTPUT, event) } : run,
      );
    case "run_forgotten":
      return runs.filter(({ id }) => id !== event.run_id);
  }
}

function extended(stream: StreamRow, { part, text, tokens }: RunStreamed) {
  return { ...stream, [part]: stream[part] + text, tokens };
}
