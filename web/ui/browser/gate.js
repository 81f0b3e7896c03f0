/**
 * Asks the person before Python's requests to documents: opening another origin, files on the surface's own origin,
 * secrets, JavaScript. The page decides by its own facts, never by Python's description.
 *
 * @import { Consent, Outcome, Words } from "../consent/consent.js"
 * @import { EnteredAddress } from "./entered.js"
 * @import { Facts } from "../consent/kinds/kind.js"
 */

import { untilWhen } from "../consent/refusals.js";
import { problem } from "../../shared/document_link.js";

/**
 * @typedef {object} Place the document of an action
 * @property {string | null} origin verified by the browser
 * @property {string} url
 * @property {boolean} own whether it is the surface's own document
 * @property {boolean} shares whether it has an origin of the surface's own documents
 * @property {boolean} inside whether it is made of files and cut off from the network by its policy
 *
 * @typedef {(params: object) => Promise<any>} Act calls the document's script
 */

const FOCUSED = ":focus";

export class Gate {
  /** URLs that the person has allowed in a tab; opening one again sends nothing new. @type {Map<string, Set<string>>} */
  #opened = new Map();
  /** Origins that the person has allowed for an address that they entered. @type {Set<string>} */
  #visited = new Set();

  /**
   * @param {Consent} consent
   * @param {EnteredAddress} entered
   * @param {(origin: string) => boolean} allows whether the person has allowed an origin before the page started
   */
  constructor(consent, entered, allows) {
    this.consent = consent;
    this.entered = entered;
    this.allows = allows;
  }

  /**
   * Ask before a tab opens another origin. For addresses that the person enters, ask once for each origin.
   *
   * @param {string} tab
   * @param {URL} url
   * @param {Words} [words]
   * @param {AbortSignal} [signal]
   */
  async open(tab, url, words, signal) {
    const opened = this.#opened.get(tab) ?? new Set();
    if (opened.has(url.href)) return;
    const entered = this.entered.take(url);
    if (!entered || !this.#visited.has(url.origin)) {
      await this.#ask(entered ? "visit" : "open", { url: url.href, origin: url.origin }, `open pages of ${url.origin}`, words, signal);
    }
    if (entered) this.#visited.add(url.origin);
    this.#opened.set(tab, opened.add(url.href));
  }

  /**
   * Ask before a document outside of this page is read or used, unless the person has allowed its origin in this tab.
   *
   * @param {string} tab
   * @param {string} text the URL that the tab's browser reports
   * @param {Words} [words]
   * @param {AbortSignal} [signal]
   */
  async stay(tab, text, words, signal) {
    const url = URL.parse(text);
    if (url?.protocol !== "http:" && url?.protocol !== "https:") return;
    if (this.#isAllowed(tab, url)) return;
    await this.#ask("open", { url: url.href, origin: url.origin }, `use pages of ${url.origin}`, words, signal);
    this.#opened.set(tab, (this.#opened.get(tab) ?? new Set()).add(url.href));
  }

  /**
   * Ask before a file is stored that a document outside of this page has downloaded from an origin that the person hasn't
   * allowed in this tab.
   *
   * @param {string} tab
   * @param {string} text the URL that the tab's browser reports
   */
  async download(tab, text) {
    const url = URL.parse(text);
    if (url === null || url.origin === "null" || this.#isAllowed(tab, url)) return;
    const source = `a page of ${url.origin}`;
    await this.#ask("download", { url: url.href, origin: url.origin }, `download files of ${url.origin}`, undefined, undefined, source);
  }

  /** @param {string} tab @param {URL} url */
  #isAllowed(tab, { origin }) {
    return Array.from(this.#opened.get(tab) ?? []).some((each) => URL.parse(each)?.origin === origin);
  }

  /** Forget the allowed URLs of a closed tab. @param {string} tab */
  forget(tab) {
    this.#opened.delete(tab);
  }

  /**
   * Ask before a file becomes a page on the surface's own origin.
   *
   * @param {string} path
   * @param {Words} [words]
   * @param {AbortSignal} [signal]
   */
  share(path, words, signal) {
    return this.#ask("shared-origin", { path }, "open a page on the surface's own origin", words, signal);
  }

  /**
   * Ask the courtesy question of a script's tool. All of its text is Python's.
   *
   * @param {Words} [words]
   * @param {AbortSignal} [signal]
   */
  courtesy(words, signal) {
    return this.#ask("tool", {}, String(words?.tool ?? "the call"), words, signal);
  }

  /**
   * Run an action in a document, with the person's consent if needed. Only the gate may set `consented`.
   *
   * @param {Place} place
   * @param {string} method
   * @param {any} params
   * @param {Act} act
   * @param {Words} [words]
   * @param {AbortSignal} [signal]
   */
  async act(place, method, { consented: _, ...params }, act, words, signal) {
    if (method === "evaluate") await this.#evaluate(place, params.code, words, signal);
    try {
      return await act(params);
    } catch (error) {
      const { type, data } = /** @type {any} */ (error);
      if (type !== "ConsentNeeded") throw error;
      await this.#needed(place, { ...data, method, params }, words, signal);
    }
    return { ...await act({ ...params, consented: true }), consented: true };
  }

  /** @param {Place} place @param {unknown} code @param {Words} [words] @param {AbortSignal} [signal] */
  async #evaluate({ origin, shares, inside }, code, words, signal) {
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
   * @param {Place} place
   * @param {any} needs the request, and `leads_to` for another origin, or else a description of a field
   * @param {Words} [words]
   * @param {AbortSignal} [signal]
   */
  async #needed({ origin, url }, { leads_to, field, method, params }, words, signal) {
    if (leads_to !== undefined) {
      const to = new URL(leads_to);
      await this.#ask("open", { url: to.href, origin: to.origin }, `open pages of ${to.origin}`, words, signal);
      return;
    }
    if (method === "callTool") {
      // What will be called, not what the page script says of it.
      const facts = { origin, tool: String(params.name), arguments: JSON.stringify(params.input ?? {}, null, 2) };
      await this.#ask("page-tool", facts, `call a tool of ${origin} that has consequences`, words, signal);
      return;
    }
    const what = `type passwords, codes or payment data at ${origin}`;
    await this.#ask("secret", { origin, url, field: String(field ?? "a field") }, what, words, signal);
  }

  /** @param {string} kind @param {Facts} facts @param {string} what the action, in words @param {Words} [words] @param {AbortSignal} [signal] @param {string} [source] */
  async #ask(kind, facts, what, words, signal, source) {
    if ((kind === "open" || kind === "download") && this.allows(facts.origin)) return;
    const outcome = await this.consent.ask({ kind, facts, words, source }, signal);
    if (!outcome.allowed) throw refused(outcome, what);
  }
}

/** @param {Outcome} outcome @param {string} what */
function refused(outcome, what) {
  const { decision } = outcome;
  if (decision === "nobody") {
    return problem({
      type: "Refused",
      message: `${what} needs a person's consent, and nobody is at the page to answer`,
      hint: "Open the surface's page, where the person can agree, or continue without it.",
    });
  }
  if (decision === "full") {
    return problem({
      type: "Refused",
      message: `${what} needs a person's consent, and too many requests are waiting`,
      hint: "Send fewer requests at once, and wait for the person's answers.",
    });
  }
  return problem({
    type: "Refused",
    message: `the person refused ${what}${untilWhen(outcome)}`,
    hint: "Don't repeat it unchanged. Ask the person what they would prefer.",
  });
}

/**
 * Throw unless an action in the surface's own document targets an element. The page script excludes panels, but not the
 * focused element or the document.
 *
 * @param {Place} place
 * @param {string} method
 * @param {any} params
 */
export function requireTarget({ own }, method, { ref, selector, x }) {
  const isTargeted = method !== "go" && method !== "reload" && (ref ?? selector ?? x) !== undefined;
  if (!own || (isTargeted && selector !== FOCUSED)) return;
  throw problem({
    type: "OffLimits",
    message: "'page' is the surface itself, where only people act.",
    hint: "Open a page in a tab and act on that; for the surface, use its tools.",
  });
}
