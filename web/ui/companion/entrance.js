/**
 * The page's admission by the companion (py/gemini_companion/entrance.py). The first visit brings a one-time code after
 * the `#` of its address, which goes to no server and is removed before anything else runs. With the code the page
 * sends the public key of a pair that no script can export. After a reload, or a restart of the companion, it signs the
 * companion's challenge instead. The token that it receives opens one WebSocket and is stored nowhere.
 */

import { companionAddress, companionOrigin, saveCompanion } from "../../shared/companion_address.js";
import { base64url, newKeys, savedKeys } from "./keys.js";
import { followMove, takeOver } from "./moved.js";

const FRAGMENT = "companion";
const PATH = "/entrance/";

/**
 * @typedef {{token: string, attended: boolean, waits: boolean}} Pass `attended`: whether a person is at the page; `waits`: whether
 *   questions wait for one, since the page was woken for a schedule
 */

/** The companion refused this page, or its code. */
export class EntryRefused extends Error {}

// Read when this module loads, before all others.
let first = takeCode();

export class Entrance {
  /** @type {string | null} */
  #code = first;

  /** @param {() => void} onCode called when an address with another code is opened in this tab, which doesn't reload it */
  constructor(onCode) {
    first = null;
    addEventListener("hashchange", () => {
      const code = takeCode();
      if (code === null) return;
      this.#code = code;
      onCode();
    });
    this.onCode = onCode;
  }

  /** Use an address that the user has entered. @param {string} address @returns {boolean} false if it isn't a companion's */
  enter(address) {
    const url = companionAddress(address);
    const code = url && codeOf(url.hash);
    if (url === null || code === null) return false;
    saveCompanion(url.origin);
    this.#code = code;
    this.onCode();
    return true;
  }

  /**
   * @returns {Promise<Pass | null>} null if this page has no companion
   * @throws {EntryRefused}
   * @throws {TypeError} if the companion can't be reached
   */
  async pass() {
    const code = this.#code;
    if (globalThis.crypto.subtle === undefined || companionOrigin() === null) return null;
    const keys = await savedKeys();
    if (code === null) return keys === null ? null : await signIn(keys);
    const { pair, key } = keys ?? await newKeys();
    const answer = await post("open", { code, key });
    // The code is used up by any answer. Without an answer it is tried again.
    this.#code = null;
    if (answer.ok) {
      const { store, ...pass } = await answer.json();
      takeOver(store);
      return pass;
    }
    if (keys !== null) return await signIn({ pair, key });
    throw new EntryRefused(await reason(answer));
  }
}

/** @param {import("./keys.js").Keys} keys @returns {Promise<Pass>} */
async function signIn({ pair, key }) {
  const asked = await post("challenge", {});
  if (!asked.ok) throw new EntryRefused(await reason(asked));
  const { challenge } = await asked.json();
  const statement = new TextEncoder().encode(`control-surface page\n${location.origin}\n${challenge}`);
  const signed = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, pair.privateKey, statement);
  const answer = await post("return", { key, challenge, signature: base64url(signed) });
  followMove(answer);
  if (!answer.ok) throw new EntryRefused(await reason(answer));
  return await answer.json();
}

/** @param {string} name @param {object} body */
function post(name, body) {
  return fetch(new URL(PATH + name, companionOrigin() ?? location.origin), {
    method: "POST",
    // Browsers send it to another origin without asking there first (https://fetch.spec.whatwg.org/#cors-preflight-fetch).
    headers: { "Content-Type": "text/plain" },
    body: JSON.stringify(body),
    cache: "no-store",
    credentials: "omit",
  });
}

/** @param {Response} answer @returns {Promise<string>} */
async function reason(answer) {
  try {
    return (await answer.json()).message;
  } catch (error) {
    // Any server may serve this page's files.
    if (error instanceof SyntaxError) return `The server answered ${answer.status}.`;
    throw error;
  }
}

/** @param {string} hash @returns {string | null} */
function codeOf(hash) {
  return new URLSearchParams(hash.slice(1)).get(FRAGMENT);
}

/** @returns {string | null} the code, removed from the address */
function takeCode() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const code = parameters.get(FRAGMENT);
  if (code === null) return null;
  parameters.delete(FRAGMENT);
  const rest = parameters.toString();
  history.replaceState(history.state, "", `${location.pathname}${location.search}${rest === "" ? "" : `#${rest}`}`);
  return code;
}
