/**
 * Feeds the store from the kernel: a snapshot, then ordered events, and a new snapshot after a gap.
 *
 * @import { Batch, Wire } from "./types.js"
 * @import { Snapshot, ToolRow } from "../generated/types.js"
 * @import { Store } from "./store.js"
 */

/**
 * @param {Wire} connection
 * @param {Store} store
 * @returns {() => Promise<void>} requests the whole state; call it when a kernel is ready
 */
export function synchronise(connection, store) {
  /** @type {Promise<void> | null} */
  let fetching = null;
  const fetchSnapshot = async () => {
    /** @type {Snapshot} */
    const snapshot = await connection.request("state/snapshot", {});
    store.dispatch({ type: "snapshot", snapshot });
  };
  const refresh = () => {
    fetching ??= fetchSnapshot().finally(() => {
      fetching = null;
    });
    return fetching;
  };
  /** @param {unknown} error */
  const report = (error) => console.error("The kernel's state could not be read.", error);
  connection.on("events", (/** @type {Batch} */ batch) => {
    store.dispatch({ type: "events", batch });
    if (store.state.stale && store.state.seq !== null) refresh().catch(report);
  });
  const listTools = async () => {
    /** @type {{tools: ToolRow[]}} */
    const { tools } = await connection.request("tools/list", {});
    store.dispatch({ type: "tools", tools });
  };
  connection.on("notifications/tools/list_changed", () => listTools().catch(report));
  return refresh;
}
