/** Stops a caller's actions, as far as the page itself can. */

import { RemoteError } from "../../../webmcp_bridge.js";
import type { Actions } from "../state/actions.ts";
import type { Store } from "../state/store.ts";
import { UNKNOWN, type Callers } from "./callers.ts";

const STOPPED = { type: "Cancelled", message: "The call was stopped in the page, at its question." };

/** @param page - `interrupt` stops a terminal's command */
export function stopper(
  callers: Callers,
  { store, actions, interrupt }: { store: Store; actions: Actions; interrupt: (terminal: string) => unknown },
): (caller: string) => void {
  return (caller) => {
    const { runs, terminals } = store.state;
    const run = runs.find(({ id }) => caller === `run ${id}`);
    if (run) void actions.controlRun({ run_id: run.id, action: "cancel" });
    else callers.stop(caller, new RemoteError(STOPPED));
    // Any of them may be the one that asks.
    if (caller === UNKNOWN) for (const { id, running } of terminals) if (running !== null) interrupt(id);
  };
}
