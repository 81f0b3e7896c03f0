/**
 * git's requests through a CORS proxy, which the user enters in the settings: most git servers allow no other
 * origins.
 */

import { Problem, type Call } from "./call.ts";

// https://git-scm.com/docs/http-protocol
const SERVICES = ["git-upload-pack", "git-receive-pack"];
const LONGEST_PROXY = 2000;
// Only these are sent through a proxy. No credentials are among them.
const PASSED = ["accept", "content-type", "git-protocol"];
const SECRET = ["authorization", "cookie", "proxy-authorization"];

/** Return whether a request belongs to git's protocol. */
export function isOfGit({ url, method, headers }: Call) {
  const { protocol, pathname, search } = new URL(url);
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return (
    protocol === "https:" &&
    SERVICES.some((service) =>
      method === "GET"
        ? pathname.endsWith("/info/refs") && search === `?service=${service}`
        : method === "POST" &&
          pathname.endsWith(`/${service}`) &&
          search === "" &&
          type === `application/x-${service}-request`,
    )
  );
}

/** Return whether a request has credentials, which no proxy gets. */
export const hasCredentials = ({ headers }: Call) => headers.some(([name]) => SECRET.includes(name.toLowerCase()));

/** Return the headers that a proxy gets. */
export const passed = (headers: Headers) => new Headers([...headers].filter(([name]) => PASSED.includes(name)));

/**
 * Normalize a proxy's address. One that ends with `?` gets the full URL after it, others the URL without its scheme, as those
 * of isomorphic-git do.
 *
 * @returns null if it isn't one: `https:`, or `http:` on this computer, without a user name
 */
export function parseProxy(text: unknown): string | null {
  const url = typeof text === "string" && text.length <= LONGEST_PROXY ? URL.parse(text) : null;
  if (url === null || url.username || url.password || url.href.includes("#") || (url.search && !url.href.endsWith("?")))
    return null;
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isHere)) return null;
  return url.href.endsWith("?") ? url.href : url.href.replace(/\/*$/, "/");
}

/**
 * Return the address of a request at a proxy.
 * @throws {Problem} it isn't a proxy's
 */
export function addressAt(given: string, url: string) {
  const proxy = parseProxy(given);
  if (proxy === null)
    throw new Problem("AddressRefused", "the CORS proxy's address is invalid", "Correct it in the settings.");
  return proxy + (proxy.endsWith("?") ? url : url.replace(/^https:\/\//, ""));
}
