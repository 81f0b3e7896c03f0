/**
 * Tabs in the companion's own browser (py/gemini_companion/browser/tabs/tabs.py), for the page alone: Python asks the
 * page's gate, which asks the user.
 */

import { RemoteError } from "../../../webmcp_bridge.js";
import { problem } from "../../shared/document_link.ts";
import type { DocumentState, OuterListener, OuterTabs, Report } from "../../shared/outer_tabs.ts";

type Request = <Result>(method: string, params: object, signal?: AbortSignal) => Promise<Result>;

// Names of this machine and of nearby ones (https://www.rfc-editor.org/rfc/rfc6761, RFC 6762, RFC 8375).
const LOCAL = /(^|\.)(localhost|local|localdomain|internal|intranet|private|lan|home|corp|home\.arpa)$/;

/** of the companion, by its method: a document's state, a download with its tab, a picture, or a tab */
type TabsReport = DocumentState & Report & { data: string };

export class CompanionTabs implements OuterTabs {
  name = "the companion's browser";
  available = false;
  #sites = new Set<string>();
  #listeners = new Set<OuterListener>();
  send: Request;

  constructor(request: Request) {
    this.send = request;
  }

  /** Update the companion's permissions; nothing while it isn't connected. */
  update(allowed: { on: boolean; sites: string[] } | null) {
    const before = this.available;
    this.available = allowed?.on ?? false;
    this.#sites = new Set(allowed?.sites);
    if (before && !this.available) this.#report({ kind: "lost", tab: null });
  }

  allows(origin: string) {
    return this.available && (this.#sites.has(origin) || (this.#sites.has("*") && isPublic(origin)));
  }

  listen(listener: OuterListener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Pass on a notification of the companion. */
  receive(method: string, params: TabsReport) {
    if (method === "tabs/changed") this.#report({ kind: "changed", state: params });
    else if (method === "tabs/has_messages") this.#report({ kind: "messages", tab: params.tab });
    else if (method === "tabs/downloaded") this.#report({ kind: "download", tab: params.tab, report: params });
    else if (method === "tabs/picture") this.#report({ kind: "picture", tab: params.tab, data: params.data });
  }

  async request<Result>(method: string, params: object, signal?: AbortSignal): Promise<Result> {
    try {
      return await this.send<Result>(`tabs/${method}`, params, signal);
    } catch (error) {
      throw error instanceof RemoteError ? problem(error.error) : error;
    }
  }

  requestDownload<Result>(method: "download" | "discard", params: object) {
    return this.request<Result>(method, params);
  }

  #report(report: Parameters<OuterListener>[0]) {
    for (const listener of [...this.#listeners]) listener(report);
  }
}

/** Return whether an origin has a public name and is encrypted; an address is never public here. */
function isPublic(origin: string) {
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" && /\.[a-z][a-z0-9-]*$/.test(hostname) && !LOCAL.test(hostname);
}
