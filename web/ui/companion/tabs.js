/**
 * Tabs in the companion's own browser (py/gemini_companion/tabs/tabs.py), for the page alone: Python asks the page's
 * gate, which asks the person.
 *
 * @import { OuterListener, OuterTabs } from "../browser/outer_tab.js"
 */

import { RemoteError } from "../../../webmcp_bridge.js";
import { problem } from "../browser/document_link.js";

/** @typedef {(method: string, params: object, signal?: AbortSignal) => Promise<any>} Request */

/** @implements {OuterTabs} */
export class CompanionTabs {
  available = false;
  /** @type {Set<OuterListener>} */
  #listeners = new Set();

  /** @param {Request} request */
  constructor(request) {
    this.send = request;
  }

  /** Set whether the companion is connected and lets this page open tabs. @param {boolean} available */
  setAvailable(available) {
    if (this.available && !available) this.#report({ kind: "lost", tab: null });
    this.available = available;
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

  /** @param {Parameters<OuterListener>[0]} report */
  #report(report) {
    for (const listener of [...this.#listeners]) listener(report);
  }
}
