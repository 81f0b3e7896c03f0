/**
 * The page's admission by the companion (py/gemini_companion/admission/admission.py). The first visit brings a one-time
 * code after the `#` of its address, which goes to no server and is removed before anything else runs. With the code
 * the page sends the public key of a pair that no script can export. After a reload, or a restart of the companion, it
 * signs the companion's challenge instead. The token that it receives opens one WebSocket and is stored nowhere.
 */

import { companionAddress, companionOrigin, saveCompanion } from "../../shared/companion_address.ts";
import { base64url, newKeys, savedKeys, type Keys } from "./keys.ts";
import { followMove, takeOver } from "./moved.ts";

const FRAGMENT = "companion";
const PATH = "/entrance/";

/**
 * `attended`: whether a user is at the page; `waits`: whether questions wait for one, since the page was woken for a
 * schedule
 */
type Pass = { token: string; attended: boolean; waits: boolean };

/** The companion refused this page, or its code. */
export class EntryRefused extends Error {}

// Read when this module loads, before all others.
let first = takeCode();

export class Entrance {
  #code: string | null = first;
  onCode: () => void;

  /** @param onCode - called when an address with another code is opened in this tab, which doesn't reload it */
  constructor(onCode: () => void) {
    first = null;
    addEventListener("hashchange", () => {
      const code = takeCode();
      if (code === null) return;
      this.#code = code;
      onCode();
    });
    this.onCode = onCode;
  }

  /**
   * Use an address that the user has entered.
   * @returns false if it isn't a companion's
   */
  enter(address: string): boolean {
    const url = companionAddress(address);
    const code = url && codeOf(url.hash);
    if (url === null || code === null) return false;
    saveCompanion(url.origin);
    this.#code = code;
    this.onCode();
    return true;
  }

  /**
   * @returns null if this page has no companion
   * @throws {EntryRefused}
   * @throws {TypeError} if the companion can't be reached
   */
  async pass(): Promise<Pass | null> {
    const code = this.#code;
    if (globalThis.crypto.subtle === undefined || companionOrigin() === null) return null;
    const keys = await savedKeys();
    if (code === null) return keys === null ? null : await signIn(keys);
    const { pair, key } = keys ?? (await newKeys());
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

async function signIn({ pair, key }: Keys): Promise<Pass> {
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

/** Send the companion a request of a page that it may not know. */
export function post(name: string, body: object) {
  return fetch(new URL(PATH + name, companionOrigin() ?? location.origin), {
    method: "POST",
    // Browsers send it to another origin without asking there first (https://fetch.spec.whatwg.org/#cors-preflight-fetch).
    headers: { "Content-Type": "text/plain" },
    body: JSON.stringify(body),
    cache: "no-store",
    credentials: "omit",
  });
}

/** Return why the companion refused a request. */
export async function reason(answer: Response): Promise<string> {
  try {
    return (await answer.json()).message;
  } catch (error) {
    // Any server may serve this page's files.
    if (error instanceof SyntaxError) return `The server answered ${answer.status}.`;
    throw error;
  }
}

function codeOf(hash: string): string | null {
  return new URLSearchParams(hash.slice(1)).get(FRAGMENT);
}

/** @returns the code, removed from the address */
function takeCode(): string | null {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const code = parameters.get(FRAGMENT);
  if (code === null) return null;
  parameters.delete(FRAGMENT);
  const rest = parameters.toString();
  history.replaceState(history.state, "", `${location.pathname}${location.search}${rest === "" ? "" : `#${rest}`}`);
  return code;
}
