/** The connection to the page script of one document at a time (web/page). */

import { Connection, RemoteError } from "../../webmcp_bridge.js";
import { PageProblem } from "../page/errors.js";
import { HAS_ERROR } from "../page/console.js";
import { DOWNLOADED } from "../page/downloads.js";
import { OPENS_PALETTE } from "../page/shortcuts.js";
import { TOOLS_CHANGED } from "../page/webmcp/tools.js";
import { fits, LIMITS } from "./limits.js";
import { Waiters } from "./waiters.js";

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

export class DocumentLink {
  /** @type {Connection | null} */
  #connection = null;
  #ready = new Waiters();

  /**
   * @param {object} [callbacks]
   * @param {() => void} [callbacks.shortcut] called when the document reports a key that opens the palette
   * @param {() => void} [callbacks.error] called when the document reports new errors
   * @param {(names: string[]) => void} [callbacks.tools] called when the document offers other tools
   * @param {(report: any) => void} [callbacks.download] called at each change of a download
   */
  constructor({ shortcut = () => {}, error = () => {}, tools = () => {}, download = () => {} } = {}) {
    this.callbacks = { shortcut, error, tools, download };
  }

  get linked() {
    return this.#connection !== null;
  }

  /** Connect to a new document's script. @returns {MessagePort} the port to give to it */
  renew() {
    const { port1, port2 } = new MessageChannel();
    this.use(port1);
    return port2;
  }

  /** Connect to a new document's script through a port. @param {MessagePort} port */
  use(port) {
    this.drop();
    this.#connection = new Connection(port, LIMITS.message);
    this.#connection.on(OPENS_PALETTE, () => this.callbacks.shortcut());
    this.#connection.on(HAS_ERROR, () => this.callbacks.error());
    this.#connection.on(TOOLS_CHANGED, ({ tools }) => this.callbacks.tools(namesOf(tools)));
    this.#connection.on(DOWNLOADED, (/** @type {any} */ report) => fits(report, "request") && this.callbacks.download(report));
    this.#ready.release();
  }

  /** Disconnect: the document is gone. Pending requests are rejected. */
  drop() {
    this.#connection?.port?.close();
    this.#connection?.detach(new RemoteError(GONE));
    this.#connection = null;
  }

  /** @param {string} method @param {object} params @param {AbortSignal} [signal] @returns {Promise<any>} */
  async ask(method, params, signal) {
    if (!this.#connection) await this.#ready.wait(READY_MS, signal);
    if (!this.#connection) throw problem({ type: "TimedOut", message: "The document is still loading.", hint: "Try again." });
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

/** Return an error as the page's own code throws it. @param {{ type: string, message: string, hint?: string, data?: any }} details */
export function problem({ type, message, hint, data }) {
  return Object.assign(new PageProblem(message, { hint, data }), { type });
}

/** Return the names of a document's tools; it may send anything. @param {unknown} tools @returns {string[]} */
export function namesOf(tools) {
  return Array.isArray(tools) ? tools.slice(0, MOST_TOOLS).map((name) => String(name).slice(0, LONGEST_NAME)) : [];
}
