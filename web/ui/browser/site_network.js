/**
 * The owner of what pages made of files may reach: which hosts, for which site, until when. The person answers for each
 * host. Python provides the pages, so a host gets whatever Python can read.
 *
 * @import { Consent } from "../consent/consent.js"
 * @import { Answer } from "../consent/kinds/kind.js"
 */

import { siteNetwork as kind } from "../consent/kinds/site_network.js";

export const KIND = "site-network";
const HOUR_MS = 3_600_000;
// The browser's limit on timers, in milliseconds.
const LONGEST_MS = 2 ** 31 - 1;
const HOST = /^(?:https?):\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?$/;

/** @typedef {{ answer: Answer, until: number, tainted: boolean }} Given `tainted`: whether text from outside had been read */

export class SiteNetwork {
  /** What the person has answered since the page opened, by root and host. @type {Map<string, Map<string, Given>>} */
  #given = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Set<() => void>} */
  #listeners = new Set();

  /** @param {Consent} consent @param {(host: string) => boolean} isOwn whether an origin is one of the surface's own */
  constructor(consent, isOwn) {
    this.consent = consent;
    this.isOwn = isOwn;
    consent.subscribe(() => this.#changed());
    consent.grants.subscribe(() => this.#changed());
  }

  /** Call `listener` when sites may have lost access to hosts. @param {() => void} listener */
  subscribe(listener) {
    this.#listeners.add(listener);
  }

  /** Return the hosts that a site may reach now, sorted. @param {string} root @returns {string[]} */
  hosts(root) {
    const once = [...this.#given.get(root) ?? []].filter(([, { answer, until }]) => answer === "once" && until > this.consent.now());
    const standing = this.#standing(root).filter((host) => this.#counts(root, host));
    return [...new Set([...once.map(([host]) => host), ...standing])].sort();
  }

  /**
   * Ask the person whether a site may reach a host.
   *
   * @param {string} root
   * @param {string} host as `hostOf` returns it
   * @returns {Promise<boolean>}
   */
  async ask(root, host) {
    const { allowed, decision, until, standing } = await this.consent.ask({ kind: KIND, facts: { root, host }, words: { caller: "person" } });
    if (!allowed || decision === "refuse" || decision === "nobody" || decision === "full") return false;
    const given = { answer: decision, until: until ?? this.consent.now() + HOUR_MS, tainted: this.consent.taint !== null };
    if (!standing) this.#given.set(root, new Map(this.#given.get(root)).set(host, given));
    this.#changed();
    return true;
  }

  /** Cut a site off, and revoke what it was allowed. @param {string} root */
  cutOff(root) {
    this.#given.delete(root);
    const subjects = new Set(this.#standing(root).map((host) => subjectOf(root, host)));
    for (const grant of this.consent.grants.rows()) if (grant.kind === KIND && subjects.has(grant.subject)) this.consent.grants.revoke(grant);
    this.#changed();
  }

  /** Forget what was allowed once: no tab shows the site any more. @param {string} root */
  leave(root) {
    const kept = [...this.#given.get(root) ?? []].filter(([, { answer }]) => answer !== "once");
    this.#given.set(root, new Map(kept));
  }

  /**
   * Return the origin that a text means, or null if a site can't be allowed to reach it.
   *
   * @param {unknown} text typed by the person, or named by the page
   * @returns {string | null}
   */
  hostOf(text) {
    const named = String(text).trim();
    const url = URL.parse(named.replace(/^ws/i, "http")) ?? URL.parse(`https://${named}`);
    const host = url && /^https?:$/.test(url.protocol) ? url.origin : "";
    // A policy can't name addresses of IPv6.
    return HOST.test(host) && !this.isOwn(host) ? host : null;
  }

  /** Return the hosts for which there are standing grants. @param {string} root @returns {string[]} */
  #standing(root) {
    const subject = subjectOf(root, "");
    const rows = this.consent.grants.rows().filter((grant) => grant.kind === KIND && grant.subject.startsWith(subject));
    return rows.map((grant) => grant.subject.slice(subject.length)).filter((host) => HOST.test(host));
  }

  /** Return whether a standing grant counts: one that was given before text from outside was read doesn't. @param {string} root @param {string} host */
  #counts(root, host) {
    return this.consent.taint === null || this.#given.get(root)?.get(host)?.tainted === true;
  }

  #changed() {
    const now = this.consent.now();
    const ends = [...this.#given.values()].flatMap((hosts) => [...hosts.values()].map(({ until }) => until));
    const saved = this.consent.grants.rows().filter((grant) => grant.kind === KIND && grant.until !== null);
    const next = Math.min(...[...ends, ...saved.map(({ until }) => Date.parse(String(until)))].filter((end) => end > now));
    clearTimeout(this.#timer);
    if (next < Infinity) this.#timer = setTimeout(() => this.#changed(), Math.min(next - now + 1, LONGEST_MS));
    for (const listener of this.#listeners) listener();
  }
}

/** @param {string} root @param {string} host */
function subjectOf(root, host) {
  return kind.subject({ root, host }, "always", {});
}
