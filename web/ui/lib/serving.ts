/** The host's serving.json: the origins it has in addition to the page's own. */

import { companionOrigin } from "../../shared/companion_address.ts";

export interface Serving {
  /**
   * the URL of the origin that shows files as pages, with `*` in the host name if each site has its own; null: they
   * share the page's origin
   */
  sites: string | null;
  /** the URL of the kernel's origin; null: it shares the page's */
  kernel: string | null;
  /** whether a companion answers there as the network door */
  network: boolean;
  /** the program that runs the companion, as the user types it; null: another server has sent the page */
  program: string | null;
}

const LOOPBACK = new Set(["127.0.0.1", "localhost"]);
const SAVED = "gemini:serving";
const INSTALLED = "control-surface";
const OF_SOURCE = "python3 build.py";

// Shared by the page's scripts, of which each has its own copy of this module.
const REQUEST = Symbol.for("gemini.serving");
const shared: typeof globalThis & { [REQUEST]?: Promise<Serving> } = globalThis;

/** @returns from the last visit if the host can't be reached */
export function serving(): Promise<Serving> {
  shared[REQUEST] ??= load();
  return shared[REQUEST];
}

async function load() {
  const last: Serving = JSON.parse(localStorage.getItem(SAVED) ?? "null");
  try {
    const {
      sites = null,
      kernel = null,
      network = false,
      program = null,
    } = await (await fetch(new URL("../serving.json", document.baseURI))).json();
    localStorage.setItem(SAVED, JSON.stringify({ sites, kernel, network, program }));
    return { sites: sameLoopback(sites), kernel: sameLoopback(kernel), network, program };
  } catch (error) {
    console.info("The host has no serving.json.", error);
    return {
      sites: null,
      kernel: sameLoopback(last?.kernel ?? null),
      network: last?.network ?? false,
      program: last?.program ?? null,
    };
  }
}

/** Return a command of the companion as the user types it where they have started the companion. */
export function namedCommand(name: string): string {
  return `${program() ?? INSTALLED} ${name}`;
}

/** Return the same in a sentence, with both forms if it isn't known how the user starts the companion. */
export function everyCommand(name: string): string {
  return program() === null ? `${INSTALLED} ${name} (in a source tree: ${OF_SOURCE} ${name})` : namedCommand(name);
}

function program() {
  const saved: Partial<Serving> | null = JSON.parse(localStorage.getItem(SAVED) ?? "null");
  return saved?.program ?? null;
}

/**
 * Return the URL of the origins that the extension's companion has for sites.
 *
 * @returns null if no companion can be reached
 */
export async function sitesOfCompanion(): Promise<string | null> {
  const companion = companionOrigin();
  if (companion === null) return null;
  try {
    const { sites } = await (await fetch(new URL("/serving.json", companion), { credentials: "omit" })).json();
    return sites;
  } catch (error) {
    console.info("The companion can't be reached.", error);
    return null;
  }
}

/** Use the loopback name that the page was opened with, so that both are one site. */
function sameLoopback(url: string | null) {
  // Browsers parse a host with a star differently.
  if (url === null || url.includes("*")) return url;
  const place = new URL(url, document.baseURI);
  if (LOOPBACK.has(place.hostname) && LOOPBACK.has(location.hostname)) place.hostname = location.hostname;
  return place.href;
}
