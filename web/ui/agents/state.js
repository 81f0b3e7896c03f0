/**
 * What the page knows of agents' runs: a row for each, with what its model is saying.
 *
 * @import { KernelEvent, RunRow } from "../types.js"
 */

const SILENCE = { thought: "", text: "", calls: "" };

/**
 * @param {RunRow[]} runs
 * @param {Extract<KernelEvent, {type: "run_changed" | "run_streamed" | "run_forgotten"}>} event
 * @returns {RunRow[]}
 */
export function applyToRuns(runs, event) {
  switch (event.type) {
    case "run_changed":
      return [...runs.filter(({ id }) => id !== event.run.id), event.run].sort((one, other) => one.began - other.began);
    case "run_streamed":
      return runs.map((run) => (run.id === event.run_id ? { ...run, stream: said(run.stream ?? SILENCE, event) } : run));
    case "run_forgotten":
      return runs.filter(({ id }) => id !== event.run_id);
  }
}

/**
 * @param {typeof SILENCE} stream
 * @param {{part: "thought" | "text" | "calls", text: string}} event
 */
function said(stream, { part, text }) {
  return { ...stream, [part]: stream[part] + text };
}
