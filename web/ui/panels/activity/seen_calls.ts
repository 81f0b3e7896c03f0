/**
 * Calls as people see them: sentences, and what they open to. Python has the words, and says them only of the calls that
 * are shown, because agents call several tools a second.
 */

import type { CallRow } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { SeenCall } from "../../state/types.ts";
import { keyOf, statusOf } from "./calls.ts";

/** The calls that are asked for at a time. */
const MOST = 100;

export class SeenCalls {
  #known = new Map<string, SeenCall>();
  #asking = false;
  actions: Actions;
  draw: () => void;

  /** @param draw - called when more is known */
  constructor(actions: Actions, draw: () => void) {
    this.actions = actions;
    this.draw = draw;
  }

  get(call: CallRow): SeenCall | null {
    return this.#known.get(nameOf(call)) ?? null;
  }

  /**
   * Ask for what isn't known yet.
   * @param calls - the first ones come first
   */
  async ask(calls: CallRow[]) {
    const unknown = calls.filter((call) => !this.#known.has(nameOf(call))).slice(0, MOST);
    if (this.#asking || unknown.length === 0) return;
    this.#asking = true;
    const answer = await this.actions.seeCalls({ ids: unknown.map(({ id }) => id) });
    this.#asking = false;
    if (isFailure(answer)) return console.info("The calls are listed by their tools.", answer.error.message);
    const found = new Map(answer.map((each) => [each.id, each]));
    // The calls that have left the list are forgotten.
    const before = this.#known;
    this.#known = new Map();
    for (const call of calls) {
      const seen = before.get(nameOf(call)) ?? (unknown.includes(call) ? found.get(call.id) : undefined);
      if (seen) this.#known.set(nameOf(call), seen);
    }
    this.draw();
  }
}

/** A call has another sentence once it has ended. */
function nameOf(call: CallRow) {
  return `${keyOf(call)} ${statusOf(call)}`;
}
