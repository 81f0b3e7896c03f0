// The security headers of a site's responses. The worker derives them from its own URL: neither Python, which provides
// the files, nor the site, whose scripts can access host.html, can change them.

// Documents in frames of an isolated page need these (https://html.spec.whatwg.org/multipage/browsers.html#coep).
const ISOLATION = {
  "cross-origin-embedder-policy": "credentialless",
  "cross-origin-resource-policy": "cross-origin",
  "origin-agent-cluster": "?1",
};

// No new windows and no navigation of the top page.
const SANDBOX = "sandbox allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-pointer-lock";
// https://wicg.github.io/connection-allowlists/: blocks WebRTC, DNS look-ups and navigation, which a CSP doesn't.
// Redirects are allowed because the worker adds the slash of a directory.
const STAY = { "connection-allowlist": "(response-origin);redirects=allow" };
// The person's clipboard, for the interface that a policy covers (web/page/clipboard.js for the other one).
const PERMISSIONS = { "permissions-policy": "clipboard-read=(), clipboard-write=()" };
const ORIGIN = /^(?:https?|chrome-extension):\/\/[\w.-]+(?::\d+)?$/;
// The first label of a site's host says whether the site may reach other origins (web/ui/browser/labels.js).
const LABEL = /^(n?)[0-9a-f]{32}\./;

/**
 * Return whether a site may reach other origins, or null if its origin doesn't say so.
 * @param {string} hostname
 * @returns {boolean | null}
 */
export function reachesOut(hostname) {
  const label = LABEL.exec(hostname);
  return label && label[1] === "n";
}

/**
 * Create the headers of a site's file.
 * @param {{ folder: string, path: string, surface: string, outside: boolean }} options `folder`: the URL that the
 *   worker answers for; `path`: the file's URL path below it; `surface`: the origin that may frame it; `outside`:
 *   whether the site may reach other origins
 * @returns {Record<string, string>}
 */
export function siteHeaders({ folder, path, surface, outside }) {
  // Workers may run the site's files, but not the host's own, which are directly in the folder.
  const first = path.split("/")[1].replace(/[^\w.%~-]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  const policy = [`worker-src ${folder}${first}/ blob: data:`, `frame-ancestors 'self' ${framer(surface)}`.trimEnd()];
  if (!outside) {
    policy.unshift("default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'", "form-action 'self'", "base-uri 'self'", SANDBOX);
  }
  return headers(policy, outside ? {} : STAY);
}

/**
 * Create the headers of the host's own files, for hosts that don't send them. A site can script host.html, so host.html
 * may do no more than the site.
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

// What a server in the page may say about its answers. Others would contact other origins (reports, preconnections,
// speculation rules) or concern the frame that shows the page.
const SAID = new Set([
  "accept-ranges", "allow", "content-disposition", "content-language", "content-range", "content-type", "etag", "last-modified",
  "retry-after", "vary", "www-authenticate",
]);
const OWN_NAME = /^(?:x|hx)-(?!frame-options$|dns-prefetch-control$|content-type-options$|sourcemap$)/;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "[::]"]);

/**
 * Return the headers of a server's answer that a page gets besides those of its policy.
 * @param {[string, string][]} headers
 * @returns {[string, string][]}
 */
export function saidHeaders(headers) {
  return headers.flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    return SAID.has(lower) || OWN_NAME.test(lower) ? [/** @type {[string, string]} */ ([lower, value])] : [];
  });
}

/**
 * Return where a server's redirect leads, or null if the page can't go there.
 * @param {string} location the server's header
 * @param {{ url: string, port: number, outside: boolean }} request `url` is on the site's origin
 * @returns {string | null}
 */
export function redirectOf(location, { url, port, outside }) {
  const here = new URL(url);
  const target = URL.parse(location, `http://localhost:${port}${here.pathname}${here.search}`);
  if (target === null) return null;
  const isServer = target.protocol === "http:" && LOOPBACK.has(target.hostname) && (target.port || "80") === String(port);
  if (isServer) return `${here.origin}${target.pathname}${target.search}${target.hash}`;
  return outside ? target.href : null;
}

/** Return the origin, or "" for other text: a site's script may have registered the worker. @param {string} surface */
function framer(surface) {
  return ORIGIN.test(surface) ? surface : "";
}

/** @param {string[]} policy @param {Record<string, string>} more */
function headers(policy, more) {
  return {
    ...ISOLATION,
    ...PERMISSIONS,
    ...more,
    "content-security-policy": policy.join("; "),
    "cache-control": "no-store",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
  };
}
