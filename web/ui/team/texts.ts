/**
 * The words of the Team panel.
 *
 * @import { ListTeamsResult } from "../../generated/types.js"
 */

import { firstLine } from "../format.js";

/** @typedef {ListTeamsResult["teams"][number]["tasks"][number]} Task */

/** Each state has a sign of its own, so that it doesn't depend on colors. @type {Record<string, [sign: string, words: string]>} */
const STATES = {
  waiting: ["○", "waits"],
  running: ["▶", "works"],
  parked: ["‖", "waits"],
  asking: ["?", "asks"],
  blocked: ["⊘", "can't begin"],
  done: ["✓", "done"],
  dead: ["✕", "failed"],
  cancelled: ["–", "cancelled"],
};

/** Return the state that a task is shown in. @param {Task} task */
export function stateOf(task) {
  const status = task.question !== null ? "asking" : task.blocked_by !== null ? "blocked" : task.status;
  const [sign, words] = STATES[status];
  return { status, sign, words };
}

/** The end of a team, by the status of its leader's task. @type {Record<string, string>} */
export const ENDINGS = { done: "The team is done.", dead: "The team failed.", cancelled: "The team was cancelled." };

/** Return what a task waits for as an end of a sentence, or "" if its state says enough. @param {Task} task */
export function waitOf({ waits_for: wait, blocked_by: blocked, question }) {
  return wait === null || blocked !== null || question !== null ? "" : ` for ${wait}`;
}

/** Return the name of a task for screen readers. @param {Task} task @param {Task[]} tasks */
export function labelOf(task, tasks) {
  const before = task.after.flatMap((id) => tasks.find((other) => other.id === id) ?? []);
  const after = before.length === 0 ? "" : `, after ${before.map((other) => `${other.agent}: ${firstLine(other.brief)}`).join("; ")}`;
  return `${task.agent} ${stateOf(task).words}${waitOf(task)}${price(task.cost)}: ${firstLine(task.brief)}${after}`;
}

/** @param {number} cost in dollars */
export function price(cost) {
  return cost > 0 ? `, $${cost.toFixed(2)}` : "";
}
