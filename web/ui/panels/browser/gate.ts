/**
 * Asks the user before Python's requests to documents: opening another origin, files on the surface's own origin,
 * secrets, JavaScript. The page decides by its own facts, never by Python's description.
 */

import { untilWhen } from "../../consent/refusals.ts";
import { problem } from "../../../shared/document_link.ts";
import type { Consent, Outcome, Words } from "../../consent/consent.ts";
import type { Facts } from "../../consent/kinds/kind.ts";
import type { EnteredAddress } from "./entered.ts";

/** the document of an action */
export interface Place {
  /** verified by the browser */
  origin: string | null;
  url: string;
  /** whether it is the surface's own document */
  own: boolean;
  /** whether it has an origin of the surface's own documents */
  shares: boolean;
  /** whether it is made of files and cut off from the network by its policy */
  inside: boolean;
}

/** calls the document's script */
export type Act = (params: object) => Promise<object | null>;

/** the params of a request to a document's script, which checks them */
export interface Asked {
  consented?: unknown;
  ref?: string;
  selector?: string;
  x?: number;
  code?: unknown;
  name?: unknown;
  input?: unknown;
}

/** what a document's script says that it needs the user's consent for */
interface Needs {
  leads_to?: string;
  field?: unknown;
  method: string;
  params: Asked;
}

const FOCUSED = ":focus";

export class Gate {
  /** URLs that the user has allowed in a tab; opening one again sends nothing new. */
  #opened = new Map<string, Set<string>>();
  /** Origins that the user has allowed for an address that they entered. */
  #visited = new Set<string>();
  consent: Consent;
  entered: EnteredAddress;
  allows: (origin: string) => boolean;

  /** @param allows - whether the user has allowed an origin before the page started */
  constructor(consent: Consent, entered: EnteredAddress, allows: (origin: string) => boolean) {
    this.consent = consent;
    this.entered = entered;
    this.allows = allows;
  }

  /** Ask before a tab opens another origin. For addresses that the user enters, ask once for each origin. */
  async open(tab: string, url: URL, words?: Words, signal?: AbortSignal) {
    const opened = this.#opened.get(tab) ?? new Set();
    if (opened.has(url.href)) return;
    const entered = this.entered.take(url);
    if (!entered || !this.#visited.has(url.origin)) {
      await this.#ask(
        entered ? "visit" : "open",
        { url: url.href, origin: url.origin },
        `open pages of ${url.origin}`,
        words,
        signal,
      );
    }
    if (entered) this.#visited.add(url.origin);
    this.#opened.set(tab, opened.add(url.href));
  }

  /**
   * Ask before a document outside of this page is read or used, unless the user has allowed its origin in this tab.
   *
   * @param text - the URL that the tab's browser reports
   */
  async stay(tab: string, text: string, words?: Words, signal?: AbortSignal) {
    const url = URL.parse(text);
    if (url?.protocol !== "http:" && url?.protocol !== "https:") return;
    if (this.#isAllowed(tab, url)) return;
    await this.#ask("open", { url: url.href, origin: url.origin }, `use pages of ${url.origin}`, words, signal);
    this.#opened.set(tab, (this.#opened.get(tab) ?? new Set()).add(url.href));
  }

  /**
   * Ask before a file is stored that a document outside of this page has downloaded from an origin that the user hasn't
   * allowed in this tab.
   *
   * @param text - the URL that the tab's browser reports
   */
  async download(tab: string, text: string) {
    const url = URL.parse(text);
    if (url === null || url.origin === "null" || this.#isAllowed(tab, url)) return;
    const source = `a page of ${url.origin}`;
    await this.#ask(
      "download",
      { url: url.href, origin: url.origin },
      `download files of ${url.origin}`,
      undefined,
      undefined,
      source,
    );
  }

  #isAllowed(tab: string, { origin }: URL) {
    return Array.from(this.#opened.get(tab) ?? []).some((each) => URL.parse(each)?.origin === origin);
  }

  /** Forget the allowed URLs of a closed tab. */
  forget(tab: string) {
    this.#opened.delete(tab);
  }

  /** Ask before a file becomes a page on the surface's own origin. */
  share(path: string, words?: Words, signal?: AbortSignal) {
    return this.#ask("shared-origin", { path }, "open a page on the surface's own origin", words, signal);
  }

  /** Ask the courtesy question of a script's tool. All of its text is Python's. */
  courtesy(words?: Words, signal?: AbortSignal) {
    return this.#ask("tool", {}, String(words?.tool ?? "the call"), words, signal);
  }

  /** Run an action in a document, with the user's consent if needed. Only the gate may set `consented`. */
  async act(
    place: Place,
    method: string,
    { consented: _, ...params }: Asked,
    act: Act,
    words?: Words,
    signal?: AbortSignal,
  ) {
    if (method === "evaluate") await this.#evaluate(place, params.code, words, signal);
    try {
      return await act(params);
    } catch (error) {
      const { type, data }: { type?: string; data?: object } = Object(error);
      if (type !== "ConsentNeeded") throw error;
      await this.#needed(place, { ...data, method, params }, words, signal);
    }
    return { ...(await act({ ...params, consented: true })), consented: true };
  }

  async #evaluate({ origin, shares, inside }: Place, code: unknown, words?: Words, signal?: AbortSignal) {
    if (shares) {
      throw problem({
        type: "OffLimits",
        message: "Agents can't run JavaScript in the surface's own document, nor in one of its origin.",
        hint: "Open a page made of files or of another site in a tab and name that tab, or use the surface's tools.",
      });
    }
    // The page script rejects code that isn't text.
    if (inside || typeof code !== "string") return;
    await this.#ask("script", { origin, code }, `run JavaScript at ${origin}`, words, signal);
  }

  /**
   * Ask for the consent that the page script requires.
   *
   * @param needs - the request, and `leads_to` for another origin, or else a description of a field
   */
  async #needed(
    { origin, url }: Place,
    { leads_to, field, method, params }: Needs,
    words?: Words,
    signal?: AbortSignal,
  ) {
    if (leads_to !== undefined) {
      const to = new URL(leads_to);
      await this.#ask("open", { url: to.href, origin: to.origin }, `open pages of ${to.origin}`, words, signal);
      return;
    }
    if (method === "callTool") {
      // The actual call, not the page script's account of it.
      const facts = { origin, tool: String(params.name), arguments: JSON.stringify(params.input ?? {}, null, 2) };
      await this.#ask("page-tool", facts, `call a tool of ${origin} that has consequences`, words, signal);
      return;
    }
    const what = `type passwords, codes or payment data at ${origin}`;
    await this.#ask("secret", { origin, url, field: String(field ?? "a field") }, what, words, signal);
  }

  /** @param what - the action, in words */
  async #ask(kind: string, facts: Facts, what: string, words?: Words, signal?: AbortSignal, source?: string) {
    if ((kind === "open" || kind === "download") && this.allows(facts.origin)) return;
    const outcome = await this.consent.ask({ kind, facts, words, source }, signal);
    if (!outcome.allowed) throw refused(outcome, what);
  }
}

function refused(outcome: Outcome, what: string) {
  const { decision } = outcome;
  if (decision === "nobody") {
    return problem({
      type: "Refused",
      message: `${what} needs a person's consent, and nobody is at the page to answer`,
      hint: "Open the surface's page, where the user can agree, or continue without it.",
    });
  }
  if (decision === "full") {
    return problem({
      type: "Refused",
      message: `${what} needs a person's consent, and too many requests are waiting`,
      hint: "Send fewer requests at once, and wait for the user's answers.",
    });
  }
  return problem({
    type: "Refused",
    message: `the user refused ${what}${untilWhen(outcome)}`,
    hint: "Don't repeat it unchanged. Ask the user what they would prefer.",
  });
}

/**
 * Throw unless an action in the surface's own document targets an element. The page script excludes panels, but not the
 * focused element or the document.
 */
export function requireTarget({ own }: Place, method: string, { ref, selector, x }: Asked) {
  const isTargeted = method !== "go" && method !== "reload" && (ref ?? selector ?? x) !== undefined;
  if (!own || (isTargeted && selector !== FOCUSED)) return;
  throw problem({
    type: "OffLimits",
    message: "'page' is the surface itself, where only people act.",
    hint: "Open a page in a tab and act on that; for the surface, use its tools.",
  });
}
