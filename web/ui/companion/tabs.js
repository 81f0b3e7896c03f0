/**
 * Tabs in the companion's own browser (py/gemini_companion/tabs/tabs.py), for the page alone: Python asks the page's
 * gate, which asks the person.
 *
 * @import { OuterListener, OuterTabs } from "../../shared/outer_tabs.js"
 */

import { RemoteError } from "../../../webmcp_bridge.js";
import { problem } from "../../shared/document_link.js";

/** @typedef {(method: string, params: object, signal?: AbortSignal) => Promise<any>} Request */

// Names of this machine and of nearby ones (https://www.rfc-editor.org/rfc/rfc6761, RFC 6762, RFC 8375).
const LOCAL = /(^|\.)(localhost|local|localdomain|internal|intranet|private|lan|home|corp|home\.arpa)$/;

/** @implements {OuterTabs} */
export class CompanionTabs {
  name = "the companion's browser";
  available = false;
  /** @type {Set<string>} */
  #sites = new Set();
  /** @type {Set<OuterListener>} */
  #listeners = new Set();

  /** @param {Request} request */
  constructor(request) {
    this.send = request;
  }

  /** Update what the companion allows; nothing while it isn't connected. @param {{ on: boolean, sites: string[] } | null} allowed */
  update(allowed) {
    const before = this.available;
    this.available = allowed?.on ?? false;
    this.#sites = new Set(allowed?.sites);
    if (before && !this.available) this.#report({ kind: "lost", tab: null });
  }

  /** @param {string} origin */
  allows(origin) {
    return this.available && (this.#sites.has(origin) || (this.#sites.has("*") && isPublic(origin)));
  }

  /** @param {OuterListener} listener */
  listen(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Pass on a notification of the companion. @param {string} method @param {any} params */
  receive(method, params) {
    if (method === "tabs/changed") this.#report({ kind: "changed", state: params });
    else if (method === "tabs/has_error") this.#report({ kind: "error", tab: params.tab });
    else if (method === "tabs/downloaded") this.#report({ kind: "download", tab: params.tab, report: params });
    else if (method === "tabs/picture") this.#report({ kind: "picture", tab: params.tab, data: params.data });
  }

  /** @param {string} method @param {object} params @param {AbortSignal} [signal] */
  async request(method, params, signal) {
    try {
      return await this.send(`tabs/${method}`, params, signal);
    } catch (error) {
      throw error instanceof RemoteError ? problem(error.error) : error;
    }
  }

  /** @param {"download" | "discard"} method @param {object} params */
  requestDownload(method, params) {
    return this.request(method, params);
  }

  /** @param {Parameters<OuterListener>[0]} report */
  #report(report) {
    for (const listener of [...this.#listeners]) listener(report);
  }
}

/** Return whether an origin has a public name and is encrypted; an address is never public here. @param {string} origin */
function isPublic(origin) {
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" && /\.[a-z][a-z0-9-]*$/.test(hostname) && !LOCAL.test(hostname);
}
