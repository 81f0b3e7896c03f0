/** The connection to the page script of one document at a time (web/page). */

import { Connection, RemoteError } from "../../webmcp_bridge.js";
import { PageProblem } from "../page/errors.ts";
import { HAS_MESSAGES } from "../page/console.ts";
import { DOWNLOADED } from "../page/downloads.ts";
import { OPENS_PALETTE } from "../page/shortcuts.ts";
import { TOOLS_CHANGED } from "../page/webmcp/tools.ts";
import { fits, LIMITS } from "./limits.ts";
import type { Report } from "./outer_tabs.ts";
import { Waiters } from "./waiters.ts";

/** The time that a request waits for the script of a loading document. */
const READY_MS = 10_000;
// Of the names of a document's own tools.
const MOST_TOOLS = 100;
const LONGEST_NAME = 128;
const GONE = {
  type: "PageGone",
  message: "Another document replaced this one before it answered.",
  hint: "Take a new snapshot: refs belong to the current document.",
};

interface Callbacks {
  /** called when the document reports a key that opens the palette */
  shortcut?: () => void;
  /** called when the document reports new messages */
  messages?: () => void;
  /** called when the document offers other tools */
  tools?: (names: string[]) => void;
  /** called at each change of a download */
  download?: (report: Report) => void;
}

export class DocumentLink {
  #connection: Connection | null = null;
  #ready = new Waiters();
  callbacks;

  constructor({ shortcut = () => {}, messages = () => {}, tools = () => {}, download = () => {} }: Callbacks = {}) {
    this.callbacks = { shortcut, messages, tools, download };
  }

  get linked() {
    return this.#connection !== null;
  }

  /**
   * Connect to a new document's script.
   * @returns the port to give to it
   */
  renew(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.use(port1);
    return port2;
  }

  /** Connect to a new document's script through a port. */
  use(port: MessagePort) {
    this.drop();
    this.#connection = new Connection(port, null, LIMITS.message);
    this.#connection.on(OPENS_PALETTE, () => this.callbacks.shortcut());
    this.#connection.on(HAS_MESSAGES, () => this.callbacks.messages());
    this.#connection.on(TOOLS_CHANGED, ({ tools }) => this.callbacks.tools(namesOf(tools)));
    this.#connection.on(DOWNLOADED, (report: Report) => fits(report, "request") && this.callbacks.download(report));
    this.#ready.release();
  }

  /** Disconnect: the document is gone. Pending requests are rejected. */
  drop() {
    this.#connection?.port?.close();
    this.#connection?.detach(new RemoteError(GONE));
    this.#connection = null;
  }

  async ask<Result = unknown>(method: string, params: object, signal?: AbortSignal): Promise<Result> {
    if (!this.#connection) await this.#ready.wait(READY_MS, signal);
    if (!this.#connection)
      throw problem({ type: "TimedOut", message: "The document is still loading.", hint: "Try again." });
    try {
      return await this.#connection.request(method, params, { signal });
    } catch (error) {
      throw error instanceof RemoteError ? problem(error.error) : error;
    }
  }
}

/** Return the error of a request to a document that another one has replaced. */
export function hasLeft() {
  return problem(GONE);
}

/** Return whether a request has failed because another document replaced this one. */
export function isGone(error: unknown): boolean {
  return Object(error).type === GONE.type;
}

/** Return an error as the page's own code throws it. */
export function problem({
  type,
  message,
  hint,
  data,
}: {
  type: string;
  message: string;
  hint?: string;
  data?: unknown;
}) {
  return Object.assign(new PageProblem(message, { hint, data }), { type });
}

/** Return the names of a document's tools; it may send anything. */
export function namesOf(tools: unknown): string[] {
  return Array.isArray(tools) ? tools.slice(0, MOST_TOOLS).map((name) => String(name).slice(0, LONGEST_NAME)) : [];
}
