/** Feeds the store from the kernel: a snapshot, then ordered events, and a new snapshot after a gap. */

import type { Snapshot, ToolRow } from "../../generated/types.ts";
import type { Store } from "./store.ts";
import type { Batch, Wire } from "./types.ts";

/** @returns requests the full state; call it when a kernel is ready */
export function synchronise(connection: Wire, store: Store): () => Promise<void> {
  let fetching: Promise<void> | null = null;
  const fetchSnapshot = async () => {
    const snapshot: Snapshot = await connection.request("state/snapshot", {});
    store.dispatch({ type: "snapshot", snapshot });
  };
  const refresh = () => {
    fetching ??= fetchSnapshot().finally(() => {
      fetching = null;
    });
    return fetching;
  };
  const report = (error: unknown) => console.error("The kernel's state could not be read.", error);
  connection.on("events", (batch: Batch) => {
    store.dispatch({ type: "events", batch });
    if (store.state.stale && store.state.seq !== null) refresh().catch(report);
  });
  const listTools = async () => {
    const { tools }: { tools: ToolRow[] } = await connection.request("tools/list", {});
    store.dispatch({ type: "tools", tools });
  };
  connection.on("notifications/tools/list_changed", () => listTools().catch(report));
  return refresh;
}
