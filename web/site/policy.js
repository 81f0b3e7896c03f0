// What the answers of a site's origin allow. The worker writes it, from its own address: neither Python, which the files come
// from, nor the site, whose scripts can reach host.html, has a say in it.

// Documents of an isolated page's frames need these (https://html.spec.whatwg.org/multipage/browsers.html#coep).
const ISOLATION = {
  "cross-origin-embedder-policy": "credentialless",
  "cross-origin-resource-policy": "cross-origin",
  "origin-agent-cluster": "?1",
};

// No windows, and no way to put another page in the surface's place.
const SANDBOX = "sandbox allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-pointer-lock";
// https://wicg.github.io/connection-allowlists/: WebRTC, look-ups of names and navigation, which a CSP leaves open. Redirections
// are the worker's, for the slash of a directory.
const STAY = { "connection-allowlist": "(response-origin);redirects=allow" };
const ORIGIN = /^https?:\/\/[\w.-]+(?::\d+)?$/;
// The first label of a site's host says what the page allows it (web/ui/browser/labels.js).
const LABEL = /^(n?)[0-9a-f]{32}\./;

/**
 * Return whether the origin says that its site may reach others; null where the origin doesn't say.
 * @param {string} hostname
 * @returns {boolean | null}
 */
export function reachesOut(hostname) {
  const label = LABEL.exec(hostname);
  return label && label[1] === "n";
}

/**
 * The headers of a file of a site.
 * @param {{ folder: string, path: string, surface: string, outside: boolean }} options `folder`: what the worker answers
 *   for; `path`: the file's URL path below it; `surface`: the origin that may frame it
 * @returns {Record<string, string>}
 */
export function siteHeaders({ folder, path, surface, outside }) {
  // Scripts of workers are the site's files, never the host's own, which stand directly in the folder.
  const first = path.split("/")[1].replace(/[^\w.%~-]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  const policy = [`worker-src ${folder}${first}/ blob: data:`, `frame-ancestors 'self' ${framer(surface)}`.trimEnd()];
  if (!outside) {
    policy.unshift("default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'", "form-action 'self'", "base-uri 'self'", SANDBOX);
  }
  return headers(policy, outside ? {} : STAY);
}

/**
 * The headers of the host's own files, for hosts that don't send them. A site can script host.html, so it allows no more
 * than any page of the site does.
 * @param {{ folder: string, surface: string }} options
 */
export function hostHeaders({ folder, surface }) {
  return headers([
    "default-src 'none'",
    `script-src ${folder}host.js`,
    `worker-src ${folder}worker.js`,
    "form-action 'none'",
    "base-uri 'none'",
    "sandbox allow-scripts allow-same-origin",
    `frame-ancestors ${framer(surface) || "'none'"}`,
  ], STAY);
}

/** An origin, or nothing: a site's script may have registered the worker with some text. @param {string} surface */
function framer(surface) {
  return ORIGIN.test(surface) ? surface : "";
}

/** @param {string[]} policy @param {Record<string, string>} more */
function headers(policy, more) {
  return {
    ...ISOLATION,
    ...more,
    "content-security-policy": policy.join("; "),
    "cache-control": "no-store",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
  };
}
