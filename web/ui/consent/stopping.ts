/**
 * Stops what a caller does, by what the page itself can stop.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { Callers } from "./callers.js"
 */

import { RemoteError } from "../../../webmcp_bridge.js";
import { UNKNOWN } from "./callers.js";

const STOPPED = { type: "Cancelled", message: "The person stopped the call in the question that it asked." };

/**
 * @param {Callers} callers
 * @param {{ store: Store, actions: Actions, interrupt: (terminal: string) => unknown }} page `interrupt` stops a terminal's command
 * @returns {(caller: string) => void}
 */
export function stopper(callers, { store, actions, interrupt }) {
  return (caller) => {
    const { runs, terminals } = store.state;
    const run = runs.find(({ id }) => caller === `run ${id}`);
    if (run) void actions.controlRun({ run_id: run.id, action: "cancel" });
    else callers.stop(caller, new RemoteError(STOPPED));
    // Any of them may be the one that asks.
    if (caller === UNKNOWN) for (const { id, running } of terminals) if (running !== null) interrupt(id);
  };
}
