/**
 * What the tab that owns the surface shows, for those that wait for it: they draw the same state, and change nothing.
 *
 * @import { Batch, Snapshot, Wire } from "./types.js"
 * @import { Store } from "./store.js"
 */

const NAME = "gemini-surface-state";

/** @typedef {{type: "watch"} | {type: "snapshot", snapshot: Snapshot} | {type: "events", batch: Batch}} Message */

/**
 * @param {Wire} connection
 * @param {Store} store
 * @returns {() => void} draws what the owner shows from now on: to be called when another tab owns the surface
 */
export function mirror(connection, store) {
  const channel = new BroadcastChannel(NAME);
  const owns = () => store.state.kernel === "ready";
  let watched = false;
  /** @param {Message} message */
  const post = (message) => channel.postMessage(message);
  const tell = async () => {
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
      tell().catch((error) => console.error("Another tab could not be told what is here.", error));
    }
  };
  return () => post({ type: "watch" });
}
