/**
 * The agents' runs in the page's state: a row for each, with its model's output so far.
 *
 * @import { KernelEvent, RunRow } from "../../generated/types.js"
 */

const NO_OUTPUT = { thought: "", text: "", calls: "", retry: "" };

/**
 * @param {RunRow[]} runs
 * @param {Extract<KernelEvent, {type: "run_changed" | "run_streamed" | "run_forgotten"}>} event
 * @returns {RunRow[]}
 */
export function applyToRuns(runs, event) {
  switch (event.type) {
    case "run_changed":
      return [...runs.filter(({ id }) => id !== event.run.id), event.run].sort((left, right) => left.began - right.began);
    case "run_streamed":
      return runs.map((run) => (run.id === event.run_id ? { ...run, stream: extended(run.stream ?? NO_OUTPUT, event) } : run));
    case "run_forgotten":
      return runs.filter(({ id }) => id !== event.run_id);
  }
}

/**
 * @param {typeof NO_OUTPUT} stream
 * @param {{part: "thought" | "text" | "calls", text: string}} event
 */
function extended(stream, { part, text }) {
  return { ...stream, [part]: stream[part] + text };
}
