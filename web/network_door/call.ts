/** Checks the kernel's requests to the door. py/gemini_companion/network has the same rules. */

export interface Call {
  url: string;
  method: string;
  headers: [string, string][];
  redirect: "follow" | "error" | "manual";
  /** the caller and the reason, as Python describes them */
  words: object;
}

/** `git`: it is one of git's protocol, without credentials */
export type Facts = { url: string; method: string; bytes: number; origin: string; access: "read" | "send"; git?: true };

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const READS = ["GET", "HEAD"];
const REDIRECTS = ["follow", "error", "manual"] as const;
const LONGEST_URL = 8 * 1024;
// A longer URL or query could carry data that a program has read.
const LONGEST_READ = 1024;
const LONGEST_QUERY = 256;
// These headers only select a form of the content.
const PLAIN = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "pragma",
  "range",
  "user-agent",
]);
const LONGEST_PLAIN = 256;

/** A request that the door refuses or can't fetch. The names are those in py/gemini_companion/network/errors.py. */
export class Problem extends Error {
  hint: string | undefined;

  constructor(name: string, message: string, hint?: string) {
    super(message);
    this.name = name;
    this.hint = hint;
  }
}

/**
 * Parse and check a request.
 * @param text - of the header that describes it
 * @throws {Problem}
 */
export function parseCall(text: string): Call {
  let asked: unknown;
  try {
    asked = JSON.parse(text);
  } catch {
    throw new Problem("RequestMalformed", "the request's description isn't JSON");
  }
  const {
    url,
    method,
    headers = [],
    redirect = "follow",
    words = {},
  }: Partial<Record<keyof Call, unknown>> = Object(asked ?? {});
  const paired =
    Array.isArray(headers) &&
    headers.every((each) => Array.isArray(each) && each.length === 2 && each.every((part) => typeof part === "string"));
  const way = REDIRECTS.find((each) => each === redirect);
  if (
    typeof method !== "string" ||
    !METHODS.includes(method) ||
    !paired ||
    way === undefined ||
    typeof words !== "object" ||
    words === null
  ) {
    throw new Problem("RequestMalformed", "the request's description is invalid");
  }
  return { url: parseUrl(url), method, headers, redirect: way, words };
}

/** @throws {Problem} the method allows no body */
export function checkBody({ method }: Call, size: number) {
  if (size > 0 && READS.includes(method)) throw new Problem("RequestMalformed", `${method} takes no body`);
}

/**
 * Classify a request: "read" if it can't carry data out, else "send".
 * @param size - of the body
 */
export function accessOf({ url, method, headers }: Call, size: number): "read" | "send" {
  const short = url.length <= LONGEST_READ && new URL(url).search.length <= LONGEST_QUERY + 1;
  const plain = headers.every(([name]) => PLAIN.has(name.toLowerCase()));
  const little = headers.reduce((sum, [, value]) => sum + value.length, 0) <= LONGEST_PLAIN;
  return READS.includes(method) && size === 0 && short && plain && little ? "read" : "send";
}

/** Normalize a URL as the browser does, so that the user sees the URL that is fetched. */
function parseUrl(text: unknown): string {
  const url = typeof text === "string" && text.length <= LONGEST_URL ? URL.parse(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password || url.hash) {
    throw new Problem(
      "AddressRefused",
      "this URL can't be fetched",
      "Use http: or https:, at most 8,192 characters, and no user name.",
    );
  }
  return url.href;
}
