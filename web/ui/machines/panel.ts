/** The Machines panel. */

import type { Actions } from "../actions.ts";
import { showListPanel } from "../list_panel.ts";
import type { Store } from "../store.ts";
import type { State } from "../types.ts";
import type { MachinesPanel } from "./main.ts";

/** @param create - opens a terminal */
export function showMachines(store: Store, actions: Actions, create: (machine: string) => void) {
  // Machines start and end with terminals.
  const select = ({ terminals }: State) => [terminals.map(({ id }) => id).join()];
  return showListPanel(store, "machines", select, (part) => new part.MachinesPanel(actions, create) as MachinesPanel);
}
