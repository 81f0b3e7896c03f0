/**
 * Mirrors the state of the tab that owns the surface in the tabs that wait for it. They draw it and change nothing.
 *
 * @import { Batch, Wire } from "./types.js"
 * @import { Snapshot } from "../generated/types.js"
 * @import { Store } from "./store.js"
 */

const NAME = "gemini-surface-state";

/** @typedef {{type: "watch"} | {type: "snapshot", snapshot: Snapshot} | {type: "events", batch: Batch}} Message */

/**
 * @param {Wire} connection
 * @param {Store} store
 * @returns {() => void} starts mirroring; call it when another tab owns the surface
 */
export function mirror(connection, store) {
  const channel = new BroadcastChannel(NAME);
  const owns = () => store.state.kernel === "ready";
  let watched = false;
  /** @param {Message} message */
  const post = (message) => channel.postMessage(message);
  const sendSnapshot = async () => {
    watched = true;
    post({ type: "snapshot", snapshot: await connection.request("state/snapshot", {}) });
  };
  connection.on("events", (/** @type {Batch} */ batch) => {
    if (watched) post({ type: "events", batch });
  });
  channel.onmessage = ({ data }) => {
    const message = /** @type {Message} */ (data);
    if (message.type !== "watch") {
      if (store.state.kernel === "elsewhere") store.dispatch(message);
    } else if (owns()) {
      sendSnapshot().catch((error) => console.error("The state could not be sent to another tab.", error));
    }
  };
  return () => post({ type: "watch" });
}
