// The page's connection to Python, which also records when it is used.
import { Connection } from "../../../webmcp_bridge.js";
import { IdleWatch } from "../../kernel/idle.js";
import { LIMITS } from "../../shared/limits.js";
import { Deaths } from "./deaths.js";

/** Reports calls and cancellations, because the kernel may be too busy to receive messages. */
export class KernelConnection extends Connection {
  idle = new IdleWatch();
  deaths = new Deaths();

  /** @param {(id: number) => void} onCancelled @param {(name: string, given: Record<string, any>, id: number) => void} onCall */
  constructor(onCancelled, onCall) {
    super(undefined, LIMITS.message);
    this.onCancelled = onCancelled;
    this.onCall = onCall;
  }

  /** @param {any} message */
  send(message) {
    super.send(message);
    this.idle.touch();
    const { id, method, params } = message;
    if (method === "tools/call" || method === "python/evaluate") this.deaths.used = true;
    if (method === "notifications/cancelled") this.onCancelled(params.requestId);
    else if (method === "tools/call") this.onCall(params.name, params.arguments, id);
  }

  /** @param {string} text */
  receive(text) {
    this.idle.touch();
    super.receive(text);
  }
}
