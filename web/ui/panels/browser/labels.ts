/**
 * The host names of sites: random for each root, so that two sites have two origins. A site that may reach other hosts
 * has another name for each set of them, from which the worker learns that the page has allowed them. A site that is
 * opened again finds its stored data.
 */

import { digestOf } from "../../../site/policy.ts";

const LABELS = "gemini:sites";
const PLACE = "gemini:sites-place";
const MAX_SITES = 200;
const BYTES = 128 / 8;

/** Holds values that the browser doesn't store, for as long as the page. */
const memory = new Map<string, string>();

/**
 * @param root - the directory of the site
 * @param hosts - the other origins that it may reach, sorted
 * @returns the first label of the host name, and what its digest of the hosts was salted with (web/site/policy.ts)
 */
export async function labelOf(root: string, hosts: string[]): Promise<{ label: string; salt: string }> {
  /** last used at the end */
  const known: { root: string; inside: string; outside: string }[] = JSON.parse(read(LABELS) ?? "[]");
  const saved = known.find((each) => each.root === root);
  const entry = saved ?? { root, inside: random(), outside: random() };
  write(LABELS, JSON.stringify([...known.filter((each) => each !== saved), entry].slice(-MAX_SITES)));
  const salt = entry.outside;
  return { label: hosts.length > 0 ? `n${await digestOf(salt, hosts)}` : entry.inside, salt };
}

/** Return whether sites have worked at a place in this browser. */
export function isProven(place: string) {
  return read(PLACE) === place;
}

export function prove(place: string) {
  if (!isProven(place)) write(PLACE, place);
}

function random() {
  return Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
}

function read(key: string) {
  if (!memory.has(key)) {
    try {
      memory.set(key, localStorage.getItem(key) ?? "");
    } catch (error) {
      console.warn("The host names of earlier sites can't be read, so sites start with empty storage.", error);
    }
  }
  return memory.get(key) || null;
}

function write(key: string, value: string) {
  memory.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch (error) {
    console.warn("The host names of sites can't be saved, so they start with empty storage on the next visit.", error);
  }
}
