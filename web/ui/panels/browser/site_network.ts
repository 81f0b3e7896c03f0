/**
 * The owner of what pages made of files may reach: which hosts, for which site, until when. The user answers for each
 * host. Python provides the pages, so a host gets whatever Python can read.
 */

import type { Consent } from "../../consent/consent.ts";
import type { Grant } from "../../consent/grants.ts";
import { siteNetwork as kind } from "../../consent/kinds/site_network.ts";

const KIND = "site-network";
const HOUR_MS = 3_600_000;
// The browser's limit on timers, in milliseconds.
const LONGEST_MS = 2 ** 31 - 1;
const HOST = /^(?:https?):\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?$/;

export class SiteNetwork {
  /** The subjects of answers that were given after text from outside had been read. */
  #afterText = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #listeners = new Set<() => void>();
  consent: Consent;
  isOwn: (host: string) => boolean;

  /** @param isOwn - whether an origin is one of the surface's own */
  constructor(consent: Consent, isOwn: (host: string) => boolean) {
    this.consent = consent;
    this.isOwn = isOwn;
    consent.subscribe(() => this.#changed());
    consent.grants.subscribe(() => this.#changed());
  }

  /** Call `listener` when sites may have lost access to hosts. */
  subscribe(listener: () => void) {
    this.#listeners.add(listener);
  }

  /** Return the hosts that a site may reach now, sorted. */
  hosts(root: string): string[] {
    const counting = this.#of(root).filter((grant) => this.#counts(grant));
    return [...new Set(counting.map(({ subject }) => subject.slice(subjectOf(root, "").length)))].sort();
  }

  /**
   * Ask the user whether a site may reach a host.
   *
   * @param host - as `hostOf` returns it
   */
  async ask(root: string, host: string): Promise<boolean> {
    const { allowed } = await this.consent.ask({ kind: KIND, facts: { root, host }, words: { caller: "person" } });
    if (allowed && this.consent.taint !== null) this.#afterText.add(subjectOf(root, host));
    this.#changed();
    return allowed;
  }

  /** Cut a site off, and revoke its permissions. */
  cutOff(root: string) {
    for (const grant of this.#of(root)) this.consent.grants.revoke(grant);
  }

  /** End what was allowed while the site is open: no tab shows it any more. */
  leave(root: string) {
    for (const grant of this.#of(root)) if (grant.answer === "run") this.consent.grants.revoke(grant);
  }

  /**
   * Return the origin that a text means, or null if a site can't be allowed to reach it.
   *
   * @param text - typed by the user, or named by the page
   */
  hostOf(text: unknown): string | null {
    const named = String(text).trim();
    const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(named) ? named.replace(/^ws/i, "http") : `https://${named}`);
    const host = url && /^https?:$/.test(url.protocol) ? url.origin : "";
    // A policy can't name addresses of IPv6.
    return HOST.test(host) && !this.isOwn(host) ? host : null;
  }

  /** Return all grants for sites. */
  #all(): Grant[] {
    const { grants } = this.consent;
    return [...grants.rows(), ...grants.ofRuns()].filter((grant) => grant.kind === KIND);
  }

  /** Return the grants for a site. */
  #of(root: string): Grant[] {
    const subject = subjectOf(root, "");
    return this.#all().filter(
      (grant) => grant.subject.startsWith(subject) && HOST.test(grant.subject.slice(subject.length)),
    );
  }

  /** Return whether a grant counts now. A standing one that was given before text from outside was read doesn't. */
  #counts(grant: Grant) {
    if (grant.answer === "run") return endOf(grant) > this.consent.now();
    return this.consent.taint === null || this.#afterText.has(grant.subject);
  }

  #changed() {
    // What was allowed knowing of one text doesn't count after another one.
    if (this.consent.taint === null) this.#afterText.clear();
    const now = this.consent.now();
    const all = this.#all();
    clearTimeout(this.#timer);
    const next = Math.min(...all.map(endOf).filter((end) => end > now));
    if (next < Infinity) this.#timer = setTimeout(() => this.#changed(), Math.min(next - now + 1, LONGEST_MS));
    const ended = all.find((grant) => grant.answer === "run" && endOf(grant) <= now);
    // Notifies again.
    if (ended) return this.consent.grants.revoke(ended);
    for (const listener of this.#listeners) listener();
  }
}

/** Return when a grant ends, in milliseconds since the epoch. */
function endOf({ answer, since, until }: Grant) {
  if (answer === "run") return Date.parse(since) + HOUR_MS;
  return until === null ? Infinity : Date.parse(until);
}

function subjectOf(root: string, host: string) {
  return kind.subject({ root, host }, "always", {});
}
