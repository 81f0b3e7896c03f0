/**
 * When text from outside reaches agents or clients. Python says so for what it runs itself; for callers whose calls the
 * page passes on, the page looks by itself, by the tools' hints.
 *
 * @import { ToolRow, Wire } from "../types.js"
 * @import { Consent } from "./consent.js"
 */

const HINT = "untrustedContentHint";

export class TaintWatch {
  /** Tools of the build that give text from outside, whatever Python lists later. @type {Set<string>} */
  #known = new Set();

  /**
   * @param {Consent} consent
   * @param {() => ToolRow[]} tools those that Python lists now
   */
  constructor(consent, tools) {
    this.consent = consent;
    this.tools = tools;
  }

  /** Note the tools of the build. @param {ToolRow[]} tools */
  learn(tools) {
    this.#known = new Set(tools.filter(isUntrusted).map(({ name }) => name));
  }

  /** Hear what Python says. @param {Wire} connection */
  hear(connection) {
    connection.on("notifications/tainted", (/** @type {any} */ { run, origin }) => this.consent.noteTaint({ run, origin }));
  }

  /**
   * The same connection for those who pass on calls of others: what they pass on is looked at.
   *
   * @template {Wire} Connection
   * @param {Connection} connection
   * @returns {Connection}
   */
  watching(connection) {
    /** @type {Wire["request"]} */
    const request = (method, params, options) => {
      if (method === "tools/call") this.#note(/** @type {any} */ (params));
      return connection.request(method, params, options);
    };
    return Object.assign(Object.create(connection), { request });
  }

  /** @param {{name: string, _meta?: {caller?: string}}} call */
  #note({ name, _meta }) {
    const gives = this.#known.has(name) || this.tools().some((tool) => tool.name === name && isUntrusted(tool));
    if (gives) this.consent.noteTaint({ run: _meta?.caller ?? "", origin: name });
  }
}

/** @param {ToolRow} tool */
function isUntrusted({ annotations }) {
  return annotations?.[HINT] === true;
}
