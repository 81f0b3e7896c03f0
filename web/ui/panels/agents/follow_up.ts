/**
 * Whether a task continues the last run. The kernel decides by rules (py/gemini/agents/continuing/), and asks a model where
 * they don't.
 */

import type { GuessFollowUpResult as FollowUp, ModelsRow } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { AGENT, paidModel } from "../../state/model_tickets.ts";

// Nothing waits longer for the kernel, which may be busy: then the task starts a new run.
const MOST_MS = 700;
const SHOWN_TASK = 60;
/** A model is asked once the user has stopped typing for so long, since it takes the device's time. */
export const ASK_MS = 1_200;

/** @returns null if there is no run to continue */
export async function guessFollowUp(actions: Actions, message: string): Promise<FollowUp | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, MOST_MS, null));
  const guessed = await Promise.race([actions.guessFollowUp({ message }), late]);
  return guessed === null || isFailure(guessed) || guessed.run_id === null ? null : guessed;
}

/**
 * Ask a model that costs nothing.
 *
 * @returns null if there is none
 */
export async function askFollowUp(actions: Actions, models: ModelsRow, message: string): Promise<FollowUp | null> {
  if (!models.chosen || paidModel(models, AGENT) !== null) return null;
  const asked = await actions.askFollowUp({ message });
  return isFailure(asked) ? null : asked;
}

export const shortTask = (task: string) => (task.length > SHOWN_TASK ? `${task.slice(0, SHOWN_TASK - 1)}…` : task);
