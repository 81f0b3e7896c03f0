/**
 * How this page is let in by the companion (py/gemini_companion/entrance.py). It comes first with a one-time code, behind
 * the `#` of its address, which goes to no server and is gone from the address before anything else runs. With the code
 * the page gives the public half of a key pair that no script can export; after a reload, or a companion's restart, it
 * signs the companion's challenge instead. The token that it gets opens one WebSocket and is kept nowhere.
 */

import { base64url, keptKeys, newKeys } from "./keys.js";

const FRAGMENT = "companion";
const PATH = "/entrance/";

/** @typedef {{token: string, attended: boolean}} Pass `attended`: whether a person is here, as the companion knows */

/** The companion lets this page in no more, or not by that code. */
export class NotLetIn extends Error {}

// When this module is loaded, as the first of all.
let first = takeCode();

export class Entrance {
  /** @type {string | null} */
  #code = first;

  /** @param {() => void} onCode an address with another code was opened in this tab, which loads nothing anew */
  constructor(onCode) {
    first = null;
    addEventListener("hashchange", () => {
      const code = takeCode();
      if (code === null) return;
      this.#code = code;
      onCode();
    });
  }

  /**
   * @returns {Promise<Pass | null>} null where this page has nothing to do with a companion
   * @throws {NotLetIn}
   * @throws {TypeError} nobody answers
   */
  async pass() {
    const code = this.#code;
    if (globalThis.crypto.subtle === undefined) return null;
    const keys = await keptKeys();
    if (code === null) return keys === null ? null : await comeBack(keys);
    const { pair, key } = keys ?? await newKeys();
    const answer = await post("open", { code, key });
    // It is used up, whatever the answer is; where there is none, it is tried again.
    this.#code = null;
    if (answer.ok) return await answer.json();
    if (keys !== null) return await comeBack({ pair, key });
    throw new NotLetIn(await reason(answer));
  }
}

/** @param {import("./keys.js").Keys} keys @returns {Promise<Pass>} */
async function comeBack({ pair, key }) {
  const asked = await post("challenge", {});
  if (!asked.ok) throw new NotLetIn(await reason(asked));
  const { challenge } = await asked.json();
  const statement = new TextEncoder().encode(`control-surface page\n${location.origin}\n${challenge}`);
  const signed = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, pair.privateKey, statement);
  const answer = await post("return", { key, challenge, signature: base64url(signed) });
  if (!answer.ok) throw new NotLetIn(await reason(answer));
  return await answer.json();
}

/** @param {string} name @param {object} body */
function post(name, body) {
  return fetch(new URL(PATH + name, location.origin), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
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
    // Any server may have this page's files.
    if (error instanceof SyntaxError) return `The server answered ${answer.status}.`;
    throw error;
  }
}

/** @returns {string | null} what stands behind the `#`, and no longer does */
function takeCode() {
  const told = new URLSearchParams(location.hash.slice(1));
  const code = told.get(FRAGMENT);
  if (code === null) return null;
  told.delete(FRAGMENT);
  const rest = told.toString();
  history.replaceState(history.state, "", `${location.pathname}${location.search}${rest === "" ? "" : `#${rest}`}`);
  return code;
}
