/**
 * The surface's side of the sites: where they are, and the answers to their requests (web/site/ has the other side).
 */

const PATIENCE_MS = 10_000;

/**
 * @typedef {{ status: number, headers: Record<string, string>, content: string }} Answer `content` in base64
 * @typedef {(path: string) => Promise<Answer>} Read gives what a site has at a path, percent-encoded as in its URL;
 *   rejects where this surface hasn't the files
 * @typedef {{ url: string, own_origin: boolean }} Base the address of `/`, with a slash at its end; whether its pages are
 *   cut off from the surface by the browser, because they have an origin of their own
 */

/**
 * @param {Read} read
 * @returns {{ base: () => Promise<Base> }} connects on first use; rejects where the browser has no service workers, or
 *   the host can't be reached
 */
export function connectSites(read) {
  /** @type {Promise<Base> | null} */
  let connected = null;
  const connect = async () => {
    const root = new URL("../", document.baseURI);
    const beside = new URL("site/", root).href;
    const own = await servedElsewhere(root);
    if (own === null) return connectTo(beside, read);
    // Where a port is forwarded, the second one often isn't.
    return connectTo(own, read).catch(() => connectTo(beside, read));
  };
  return {
    base() {
      connected ??= connect().catch((error) => {
        connected = null;
        throw error;
      });
      return connected;
    },
  };
}

/** What the server tells: an address on another origin, or null on plain static hosts. @param {URL} root
 * @returns {Promise<string | null>} */
async function servedElsewhere(root) {
  try {
    const { sites } = await (await fetch(new URL("serving.json", root))).json();
    return sites;
  } catch (error) {
    // Offline, or a host that has an error page for what it hasn't.
    console.info("The host doesn't say where sites are, so they are beside the surface.", error);
    return null;
  }
}

/** @param {string} url @param {Read} read @returns {Promise<Base>} */
function connectTo(url, read) {
  const { origin } = new URL(url);
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.title = "The host of sites";
  frame.src = `${url}host.html`;
  return new Promise((resolve, reject) => {
    /** @param {string} reason */
    const fail = (reason) => {
      clearTimeout(timer);
      removeEventListener("message", hear);
      frame.remove();
      reject(new Error(`Files can't be shown as pages: ${reason}`));
    };
    const timer = setTimeout(fail, PATIENCE_MS, `${url} does not answer.`);
    /** @param {MessageEvent} event */
    const hear = ({ source, data, origin: sender }) => {
      if (source !== frame.contentWindow || sender !== origin) return;
      if (data?.geminiSites === "failed") fail(data.reason);
      if (data?.geminiSites !== "ready") return;
      clearTimeout(timer);
      frame.contentWindow?.postMessage({ geminiSites: "serve" }, origin, [serve(read)]);
      resolve({ url, own_origin: origin !== location.origin });
    };
    // Kept for as long as the page lives: the host may be loaded anew.
    addEventListener("message", hear);
    document.body.append(frame);
  });
}

/** @param {Read} read @returns {MessagePort} what the host sends its requests through */
function serve(read) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data: { path }, ports: [reply] }) => void answer(read, path, reply);
  return port2;
}

/** @param {Read} read @param {string} path @param {MessagePort} reply */
async function answer(read, path, reply) {
  try {
    const { status, headers, content } = await read(path);
    const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    reply.postMessage({ status, headers, content: bytes.buffer }, [bytes.buffer]);
  } catch (error) {
    reply.postMessage({ reason: error instanceof Error ? error.message : String(error) });
  }
}
