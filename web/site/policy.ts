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
// The user's clipboard, for the interface that a policy covers (web/page/clipboard.ts for the other one).
const PERMISSIONS = { "permissions-policy": "clipboard-read=(), clipboard-write=()" };
const ORIGIN = /^(?:https?|chrome-extension):\/\/[\w.-]+(?::\d+)?$/;
// The name of a site's own origin begins with its label: a digest of the hosts that it may reach, if there are any.
const LABEL = /^n([0-9a-f]{32})\./;
// As in web/ui/panels/browser/site_network.ts: an origin as a policy can name it.
const HOST = /^(?:https?):\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?$/;

/**
 * Return the digest that the label of a site's origin has for these hosts.
 * @param hosts - sorted
 */
export async function digestOf(salt: string, hosts: string[]) {
  const text = new TextEncoder().encode([salt, ...hosts].join("\n"));
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Return the hosts that a site may reach: an answer's, if the name of the site's origin confirms them. A site's
 * script can forge an answer, but not the name of its origin.
 */
export async function confirmedHosts(
  hostname: string,
  { salt, hosts }: { salt?: unknown; hosts?: unknown },
): Promise<string[]> {
  const [, digest] = LABEL.exec(hostname) ?? [];
  if (digest === undefined || typeof salt !== "string" || !Array.isArray(hosts)) return [];
  if (!hosts.every((host) => typeof host === "string" && HOST.test(host))) return [];
  return (await digestOf(salt, hosts)) === digest ? hosts : [];
}

/**
 * Create the headers of a site's file.
 * @param options - `folder`: the URL that the worker answers for; `path`: the file's URL path below it; `surface`: the
 * origin that may frame it; `hosts`: the other origins that the site may reach
 */
export function siteHeaders({
  folder,
  path,
  surface,
  hosts,
}: {
  folder: string;
  path: string;
  surface: string;
  hosts: string[];
}): Record<string, string> {
  // Workers may run the site's files, but not the host's own, which are directly in the folder.
  const first = path.split("/")[1].replace(/[^\w.%~-]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  const sockets = hosts.map((host) => host.replace(/^http/, "ws"));
  return headers(
    [
      ["default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'", ...hosts, ...sockets].join(" "),
      "form-action 'self'",
      "base-uri 'self'",
      SANDBOX,
      `worker-src ${folder}${first}/ blob: data:`,
      `frame-ancestors 'self' ${framer(surface)}`.trimEnd(),
    ],
    hosts.length > 0
      ? {
          "connection-allowlist": `(response-origin ${[...hosts, ...sockets].map((host) => `"${host}/*"`).join(" ")});redirects=allow`,
        }
      : STAY,
  );
}

/**
 * Create the headers of the host's own files, for hosts that don't send them. A site can script host.html, so host.html
 * may do no more than the site.
 */
export function hostHeaders({ folder, surface }: { folder: string; surface: string }) {
  return headers(
    [
      "default-src 'none'",
      `script-src ${folder}host.js`,
      `worker-src ${folder}worker.js`,
      "form-action 'none'",
      "base-uri 'none'",
      "sandbox allow-scripts allow-same-origin",
      `frame-ancestors ${framer(surface) || "'none'"}`,
    ],
    STAY,
  );
}

// What a server in the page may say about its answers. Others would contact other origins (reports, preconnections,
// speculation rules) or concern the frame that shows the page.
const SAID = new Set([
  "accept-ranges",
  "allow",
  "content-disposition",
  "content-language",
  "content-range",
  "content-type",
  "etag",
  "last-modified",
  "retry-after",
  "vary",
  "www-authenticate",
]);
const OWN_NAME = /^(?:x|hx)-(?!frame-options$|dns-prefetch-control$|content-type-options$|sourcemap$)/;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "[::]"]);

/** Return the headers of a server's answer that a page gets in addition to its policy. */
export function saidHeaders(headers: [string, string][]): [string, string][] {
  return headers.flatMap(([name, value]): [string, string][] => {
    const lower = name.toLowerCase();
    return SAID.has(lower) || OWN_NAME.test(lower) ? [[lower, value]] : [];
  });
}

/**
 * Return where a server's redirect leads, or null if the page can't go there.
 * @param location - the server's header
 * @param request - `url` is on the site's origin
 */
export function redirectOf(
  location: string,
  { url, port, hosts }: { url: string; port: number; hosts: string[] },
): string | null {
  const here = new URL(url);
  const target = URL.parse(location, `http://localhost:${port}${here.pathname}${here.search}`);
  if (target === null) return null;
  const isServer =
    target.protocol === "http:" && LOOPBACK.has(target.hostname) && (target.port || "80") === String(port);
  if (isServer) return `${here.origin}${target.pathname}${target.search}${target.hash}`;
  return hosts.includes(target.origin) ? target.href : null;
}

/** Return the origin, or "" for other text: a site's script may have registered the worker. */
function framer(surface: string) {
  return ORIGIN.test(surface) ? surface : "";
}

function headers(policy: string[], more: Record<string, string>) {
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
