/**
 * What the kernel asks of the door, checked; py/gemini_companion/network has the same rules.
 *
 * @typedef {object} Call
 * @property {string} url
 * @property {string} method
 * @property {[string, string][]} headers
 * @property {"follow" | "error" | "manual"} redirect
 * @property {object} words
 *
 * @typedef {{ url: string, method: string, bytes: number, origin: string, access: "read" | "send" }} Facts
 */

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const READS = ["GET", "HEAD"];
const REDIRECTS = ["follow", "error", "manual"];
const LONGEST_URL = 8 * 1024;
// A longer URL or query could carry what a program has read.
const LONGEST_READ = 1024;
const LONGEST_QUERY = 256;
// These say nothing but which form of the content is wanted.
const PLAIN = new Set([
  "accept", "accept-encoding", "accept-language", "cache-control", "if-modified-since", "if-none-match", "if-range",
  "if-unmodified-since", "pragma", "range", "user-agent",
]);
const LONGEST_PLAIN = 256;

/** Why the door gives no answer; the names are those of py/gemini_companion/network/errors.py. */
export class Problem extends Error {
  /** @param {string} name @param {string} message @param {string} [hint] */
  constructor(name, message, hint) {
    super(message);
    this.name = name;
    this.hint = hint;
  }
}

/** @param {string} text the header that describes it @returns {Call} @throws {Problem} */
export function callOf(text) {
  /** @type {any} */
  let asked;
  try {
    asked = JSON.parse(text);
  } catch {
    throw new Problem("RequestMalformed", "the request's description is no JSON");
  }
  const { url, method, headers = [], redirect = "follow", words = {} } = asked ?? {};
  const named = Array.isArray(headers) && headers.every((each) => Array.isArray(each) && each.length === 2 && each.every((part) => typeof part === "string"));
  if (!METHODS.includes(method) || !named || !REDIRECTS.includes(redirect) || typeof words !== "object" || words === null) {
    throw new Problem("RequestMalformed", "the request's description is wrong");
  }
  return { url: addressOf(url), method, headers, redirect, words };
}

/** @param {Call} call @param {number} size */
export function refuseSpecial({ method }, size) {
  if (size > 0 && READS.includes(method)) throw new Problem("RequestMalformed", `${method} takes no body`);
}

/** @param {Call} call @param {number} size of the body @returns {"read" | "send"} */
export function accessOf({ url, method, headers }, size) {
  const short = url.length <= LONGEST_READ && new URL(url).search.length <= LONGEST_QUERY + 1;
  const plain = headers.every(([name]) => PLAIN.has(name.toLowerCase()));
  const little = headers.reduce((sum, [, value]) => sum + value.length, 0) <= LONGEST_PLAIN;
  return READS.includes(method) && size === 0 && short && plain && little ? "read" : "send";
}

/** A URL as the browser spells it, so that what is shown is what is fetched. @param {unknown} text @returns {string} */
function addressOf(text) {
  const url = typeof text === "string" && text.length <= LONGEST_URL ? URL.parse(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password || url.hash) {
    throw new Problem("AddressRefused", "this is no URL that can be fetched", "Use http: or https:, at most 8,192 characters, and no user name.");
  }
  return url.href;
}
