/** The origins of the surface itself, which no page made of files may be allowed to reach. */

import { companionOrigin } from "../../shared/companion_address.js";
import { serving } from "../serving.js";

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0)$/;

/** Return a check of whether an origin is the page's, the kernel's, the companion's, or one of sites. */
export function ownOrigins() {
  /** @type {URL[]} */
  const own = [];
  const add = (/** @type {string | null} */ url) => url !== null && own.push(new URL(url.replace("*.", ""), document.baseURI));
  add(location.href);
  add(companionOrigin());
  void serving().then(({ kernel, sites }) => [kernel, sites].forEach(add));
  return (/** @type {string} */ origin) => {
    const { hostname, port } = new URL(origin);
    return own.some((each) => each.port === port && isSame(each.hostname, hostname));
  };
}

/** @param {string} own @param {string} hostname */
function isSame(own, hostname) {
  return own === hostname || hostname.endsWith(`.${own}`) || (LOOPBACK.test(own) && LOOPBACK.test(hostname));
}
