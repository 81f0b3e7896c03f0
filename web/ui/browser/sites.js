/**
 * The sites that tabs show: directories of files, each with an origin of its own where the host can give one. What a site
 * may read, and whether it may reach other origins, is decided here; Python gives the files.
 */

import { serving } from "../serving.js";
import { isProven, labelOf, prove } from "./labels.js";
import { SiteHost } from "./site_host.js";

/**
 * @typedef {{ status: number, type: string, content: string }} File `content` in base64
 * @typedef {(request: { path: string, roots: string[], outside: boolean }) => Promise<File>} Read what is at a path,
 *   percent-encoded as in its URL, if it is below one of the roots
 *
 * @typedef {object} Site
 * @property {string} root the directory
 * @property {string} url where `/` is, with a slash at its end
 * @property {string} origin
 * @property {boolean} own_origin whether the browser keeps it apart from the surface
 * @property {boolean} alone whether the browser keeps it apart from other sites
 * @property {boolean} outside whether it may reach other origins
 */

export class Sites {
  /** The sites that are shown, by their tab. @type {Map<string, Site>} */
  #shown = new Map();
  /** By their address. @type {Map<string, SiteHost>} */
  #hosts = new Map();
  /** Where sites may stand, the best first; what can't be reached is left out from then on. @type {Promise<string[]> | null} */
  #places = null;
  /** How many tabs are about to show each address. @type {Map<string, number>} */
  #wanted = new Map();
  /** @type {Set<() => void>} */
  #watchers = new Set();

  /** @param {Read} read */
  constructor(read) {
    this.read = read;
  }

  /** Call `watcher` when another site is shown, or may reach others. @param {() => void} watcher */
  watch(watcher) {
    this.#watchers.add(watcher);
  }

  /** The site of a tab. @param {string} tab @returns {Site | null} */
  of(tab) {
    return this.#shown.get(tab) ?? null;
  }

  /** Whether a URL is on an origin that a tab's site has now. @param {string} url */
  has(url) {
    return [...this.#shown.values()].some((site) => url.startsWith(site.url));
  }

  /**
   * Find where a directory is shown from, without letting it be read yet.
   * @param {string} root
   * @returns {Promise<Site>} rejects where the browser has no service workers, or no host can be reached
   */
  async find(root) {
    return this.#connect(root, this.#isOutside(root), () => {});
  }

  /** Show a directory in a tab, in place of what it had. @param {string} tab @param {string} root @returns {Promise<Site>} */
  async show(tab, root) {
    return this.#connect(root, this.#isOutside(root), (site) => this.#put([tab], site));
  }

  /** A tab has another page, or is closed. @param {string} tab */
  leave(tab) {
    const site = this.of(tab);
    if (!site) return;
    this.#shown.delete(tab);
    this.#release(site.url);
    this.#tell();
  }

  /**
   * Let the site of a tab reach other origins, or not any more. Only a press of the person's may lead here. The site gets
   * another origin, so nothing that was loaded before is on it.
   * @param {string} tab
   * @returns {Promise<string[]>} the tabs that show it, to be loaded again
   */
  async switchOutside(tab) {
    const before = this.of(tab);
    if (!before) return [];
    const tabs = () => [...this.#shown].flatMap(([id, { root }]) => (root === before.root ? [id] : []));
    await this.#connect(before.root, !before.outside, (site) => this.#put(tabs(), site));
    return tabs();
  }

  /** @param {string} root */
  #isOutside(root) {
    return [...this.#shown.values()].some((site) => site.root === root && site.outside);
  }

  /** @param {string[]} tabs @param {Site} site */
  #put(tabs, site) {
    const before = tabs.map((tab) => this.of(tab));
    for (const tab of tabs) this.#shown.set(tab, site);
    for (const left of before) if (left) this.#release(left.url);
    this.#tell();
  }

  /** End an address that nothing is shown from any more. @param {string} url */
  #release(url) {
    if (this.#wanted.has(url) || [...this.#shown.values()].some((site) => site.url === url)) return;
    this.#hosts.get(url)?.close();
    this.#hosts.delete(url);
  }

  #tell() {
    for (const watcher of this.#watchers) watcher();
  }

  /** @param {string} root @param {boolean} outside @param {(site: Site) => void} use @returns {Promise<Site>} */
  async #connect(root, outside, use) {
    this.#places ??= places();
    const found = await this.#places;
    for (;;) {
      const [place] = found;
      const url = place.includes("*") ? place.replace("*", labelOf(root, outside)) : place;
      this.#wanted.set(url, (this.#wanted.get(url) ?? 0) + 1);
      try {
        await this.#host(url);
        prove(place);
        const { origin } = new URL(url);
        const site = { root, url, origin, own_origin: origin !== location.origin, alone: url !== place, outside };
        use(site);
        return site;
      } catch (error) {
        // What has worked fails for reasons of a site's own, which must not bring sites together.
        if (found.length === 1 || isProven(place)) throw error;
        // A browser may not know the host's names, and where a port is forwarded, the second one often isn't.
        if (found[0] === place) found.shift();
      } finally {
        this.#unwant(url);
      }
    }
  }

  /** @param {string} url */
  #unwant(url) {
    const left = (this.#wanted.get(url) ?? 1) - 1;
    if (left > 0) this.#wanted.set(url, left);
    else this.#wanted.delete(url);
  }

  /** @param {string} url */
  async #host(url) {
    const host = this.#hosts.get(url) ?? new SiteHost(url, (path) => this.#answer(url, path));
    this.#hosts.set(url, host);
    try {
      await host.ready;
    } catch (error) {
      if (this.#hosts.get(url) === host) this.#hosts.delete(url);
      throw error;
    }
  }

  /** @param {string} url @param {string} path */
  async #answer(url, path) {
    const sites = [...this.#shown.values()].filter((site) => site.url === url);
    const roots = [...new Set(sites.map(({ root }) => root))];
    if (roots.length === 0) throw new Error("No tab shows this site any more.");
    // Sites that share an origin can act for each other.
    const outside = sites.some((site) => site.outside);
    return { ...(await this.read({ path, roots, outside })), outside };
  }
}

/** Where this host shows files from, the best first. */
async function places() {
  const beside = new URL("../site/", document.baseURI).href;
  const { sites } = await serving();
  if (sites === null) return [beside];
  // Names below localhost are this machine's by themselves, but not in every browser.
  const together = sites.includes("//*.localhost") ? [sites.replace("*.localhost", location.hostname)] : [];
  return [sites, ...together, beside];
}
