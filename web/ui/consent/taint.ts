/**
 * Watches for untrusted text that reaches agents or clients. Python reports its own runs; for callers whose calls the
 * page relays, the page checks the tools' hints.
 *
 * @import { Wire } from "../types.js"
 * @import { ToolRow } from "../../generated/types.js"
 * @import { Consent } from "./consent.js"
 */

const HINT = "untrustedContentHint";

export class TaintWatch {
  /** The build's tools that return untrusted text, whatever Python lists later. @type {Set<string>} */
  #known = new Set();

  /**
   * @param {Consent} consent
   * @param {() => ToolRow[]} tools the tools that Python lists now
   */
  constructor(consent, tools) {
    this.consent = consent;
    this.tools = tools;
  }

  /** Record the build's tools. @param {ToolRow[]} tools */
  learn(tools) {
    this.#known = new Set(tools.filter(isUntrusted).map(({ name }) => name));
  }

  /** Listen for Python's reports. @param {Wire} connection */
  listen(connection) {
    connection.on("notifications/saved_code", () => this.consent.record.useSavedCode());
    connection.on("notifications/tainted", (/** @type {any} */ { run, origin }) => this.consent.noteTaint({ run, origin }));
  }

  /**
   * Return the same connection for components that relay calls of others, with those calls checked.
   *
   * @template {Wire} Connection
   * @param {Connection} connection
   * @returns {Connection}
   */
  watch(connection) {
    /** @type {Wire["request"]} */
    const request = (method, params, options) => {
      if (method === "tools/call") this.#check(/** @type {any} */ (params));
      return connection.request(method, params, options);
    };
    return Object.assign(Object.create(connection), { request });
  }

  /** @param {{name: string, _meta?: {caller?: string}}} call */
  #check({ name, _meta }) {
    const untrusted = this.#known.has(name) || this.tools().some((tool) => tool.name === name && isUntrusted(tool));
    if (untrusted) this.consent.noteTaint({ run: _meta?.caller ?? "", origin: name });
  }
}

/** @param {ToolRow} tool */
function isUntrusted({ annotations }) {
  return annotations?.[HINT] === true;
}
