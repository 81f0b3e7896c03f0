// The page's connection to Python, which also records when it is used.
import { Connection } from "../../../webmcp_bridge.js";
import { IdleWatch } from "../../kernel/idle.ts";
import { LIMITS } from "../../shared/limits.ts";
import { Deaths } from "./deaths.ts";

/** Reports calls and cancellations, because the kernel may be too busy to receive messages. */
export class KernelConnection extends Connection {
  idle = new IdleWatch();
  deaths = new Deaths();
  onCancelled: (id: number) => void;
  onCall: (name: string, given: Record<string, any>, id: number) => void;

  constructor(
    onCancelled: (id: number) => void,
    onCall: (name: string, given: Record<string, any>, id: number) => void,
  ) {
    super(undefined, null, LIMITS.message);
    this.onCancelled = onCancelled;
    this.onCall = onCall;
  }

  send(message: any) {
    super.send(message);
    this.idle.touch();
    const { id, method, params } = message;
    if (method === "tools/call" || method === "python/evaluate") this.deaths.used = true;
    if (method === "notifications/cancelled") this.onCancelled(params.requestId);
    else if (method === "tools/call") this.onCall(params.name, params.arguments, id);
  }

  receive(text: string) {
    this.idle.touch();
    super.receive(text);
  }
}
