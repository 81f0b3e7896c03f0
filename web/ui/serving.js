/** What the host says about itself in serving.json: the origins that it has beside the page's own. */

/**
 * @typedef {object} Serving
 * @property {string | null} sites the URL of the origin for files shown as pages, with a `*` in its host where each
 *   site has one of its own; null: they share the page's
 * @property {string | null} kernel the URL of the kernel's origin; null: it shares the page's
 * @property {boolean} network whether a companion answers there as the network door
 */

const LOOPBACK = new Set(["127.0.0.1", "localhost"]);
const KNOWN = "gemini:serving";

/** @type {Promise<Serving> | null} */
let asked = null;

/** @returns {Promise<Serving>} as known from the last visit where the host can't be reached */
export function serving() {
  asked ??= ask();
  return asked;
}

async function ask() {
  const known = /** @type {Serving} */ (JSON.parse(localStorage.getItem(KNOWN) ?? "null"));
  try {
    const { sites = null, kernel = null, network = false } = await (await fetch(new URL("../serving.json", document.baseURI))).json();
    localStorage.setItem(KNOWN, JSON.stringify({ sites, kernel, network }));
    return { sites: here(sites), kernel: here(kernel), network };
  } catch (error) {
    console.info("The host doesn't say which origins it has.", error);
    return { sites: null, kernel: here(known?.kernel ?? null), network: known?.network ?? false };
  }
}

/** The same place by the name of loopback that the page was opened by, so that both are one site. @param {string | null} url */
function here(url) {
  // Browsers don't agree on a host with a star in it.
  if (url === null || url.includes("*")) return url;
  const place = new URL(url, document.baseURI);
  if (LOOPBACK.has(place.hostname) && LOOPBACK.has(location.hostname)) place.hostname = location.hostname;
  return place.href;
}
