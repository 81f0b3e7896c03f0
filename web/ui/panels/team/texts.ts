/** The words of the Team panel. */

import type { ListTeamsResult } from "../../../generated/types.ts";
import { firstLine } from "../../lib/format.ts";

export type Task = ListTeamsResult["teams"][number]["tasks"][number];

/** Each state has its own sign, so that it doesn't depend on colors. */
const STATES: Record<string, [sign: string, words: string]> = {
  waiting: ["○", "waits"],
  running: ["▶", "works"],
  parked: ["‖", "waits"],
  asking: ["?", "asks"],
  blocked: ["⊘", "can't begin"],
  done: ["✓", "done"],
  dead: ["✕", "failed"],
  cancelled: ["–", "cancelled"],
};

/** Return the state that a task is shown in. */
export function stateOf(task: Task) {
  const status = task.question !== null ? "asking" : task.blocked_by !== null ? "blocked" : task.status;
  const [sign, words] = STATES[status];
  return { status, sign, words };
}

/** The end of a team, by the status of its leader's task. */
export const ENDINGS: Record<string, string> = {
  done: "The team is done.",
  dead: "The team failed.",
  cancelled: "The team was cancelled.",
};

/** Return what a task waits for as an end of a sentence, or "" if its state says enough. */
export function waitOf({ waits_for: wait, blocked_by: blocked, question }: Task) {
  return wait === null || blocked !== null || question !== null ? "" : ` for ${wait}`;
}

/** Return the name of a task for screen readers. */
export function labelOf(task: Task, tasks: Task[]) {
  const before = task.after.flatMap((id) => tasks.find((other) => other.id === id) ?? []);
  const after =
    before.length === 0
      ? ""
      : `, after ${before.map((other) => `${other.agent}: ${firstLine(other.brief)}`).join("; ")}`;
  return `${task.agent} ${stateOf(task).words}${waitOf(task)}${price(task.cost)}: ${firstLine(task.brief)}${after}`;
}

/** @param cost - in dollars */
export function price(cost: number) {
  return cost > 0 ? `, $${cost.toFixed(2)}` : "";
}
