/** Mirrors the state of the tab that owns the surface in the tabs that wait for it. They draw it and change nothing. */

import type { Snapshot } from "../../generated/types.ts";
import type { Store } from "./store.ts";
import type { Batch, Wire } from "./types.ts";

const NAME = "gemini-surface-state";

type Message = { type: "watch" } | { type: "snapshot"; snapshot: Snapshot } | { type: "events"; batch: Batch };

/** @returns starts mirroring; call it when another tab owns the surface */
export function mirror(connection: Wire, store: Store): () => void {
  const channel = new BroadcastChannel(NAME);
  const owns = () => store.state.kernel === "ready";
  let watched = false;
  const post = (message: Message) => channel.postMessage(message);
  const sendSnapshot = async () => {
    watched = true;
    post({ type: "snapshot", snapshot: await connection.request("state/snapshot", {}) });
  };
  connection.on("events", (batch: Batch) => {
    if (watched) post({ type: "events", batch });
  });
  channel.onmessage = ({ data }) => {
    const message: Message = data;
    if (message.type !== "watch") {
      if (store.state.kernel === "elsewhere") store.dispatch(message);
    } else if (owns()) {
      sendSnapshot().catch((error) => console.error("The state could not be sent to another tab.", error));
    }
  };
  return () => post({ type: "watch" });
}
