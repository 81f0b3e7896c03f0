/** The Machines panel. */

import type { Actions } from "../../state/actions.ts";
import { showListPanel } from "../list_panel.ts";
import type { Store } from "../../state/store.ts";
import type { State } from "../../state/types.ts";

/** @param create - opens a terminal */
export function showMachines(store: Store, actions: Actions, create: (machine: string) => void) {
  // Machines start and end with terminals.
  const select = ({ kernel, terminals }: State) => [kernel, terminals.map(({ id }) => id).join()];
  return showListPanel(
    store,
    "machines",
    select,
    (part: typeof import("./main.ts")) => new part.MachinesPanel(actions, create),
  );
}
