/** The origins of the surface itself, which no page made of files may be allowed to reach. */

import { companionOrigin } from "../../../shared/companion_address.ts";
import { serving } from "../../lib/serving.ts";

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0)$/;

/** Return a check of whether an origin is the page's, the kernel's, the companion's, or one of sites. */
export function ownOrigins() {
  const own: URL[] = [];
  const add = (url: string | null) => url !== null && own.push(new URL(url.replace("*.", ""), document.baseURI));
  add(location.href);
  add(companionOrigin());
  void serving().then(({ kernel, sites }) => [kernel, sites].forEach(add));
  return (origin: string) => {
    const { hostname, port } = new URL(origin);
    return own.some((each) => each.port === port && isSame(each.hostname, hostname));
  };
}

function isSame(own: string, hostname: string) {
  return own === hostname || hostname.endsWith(`.${own}`) || (LOOPBACK.test(own) && LOOPBACK.test(hostname));
}
