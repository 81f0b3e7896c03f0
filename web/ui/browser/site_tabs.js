/**
 * The tabs of sites, as far as their network access is concerned: which hosts they ask for, and what happens to them when
 * the person has answered, or an answer no longer counts.
 *
 * @import { Frame } from "./frame.js"
 * @import { Site, Sites } from "./sites.js"
 */

// How long a page may take to say which hosts it has tried to reach, in milliseconds.
const SAYS_MS = 1_000;
const MAX_HOSTS = 5;

export class SiteTabs {
  /** @param {Sites} sites @param {(tab: string) => Frame | undefined} frameOf */
  constructor(sites, frameOf) {
    this.sites = sites;
    this.frameOf = frameOf;
    sites.network.subscribe(() => this.#narrow());
  }

  /**
   * Return the hosts that the site in a tab has tried to reach. The site says so, and could say anything.
   *
   * @param {string} tab
   * @returns {Promise<string[]>}
   */
  async hostsTried(tab) {
    const late = new Promise((resolve) => setTimeout(resolve, SAYS_MS, []));
    const asked = this.frameOf(tab)?.ask("refused", {}).catch(() => []);
    const said = await Promise.race([asked, late]);
    const hosts = Array.isArray(said) ? said.map((each) => this.sites.network.hostOf(each)) : [];
    return [...new Set(hosts.filter((host) => host !== null))].slice(0, MAX_HOSTS);
  }

  /** Ask the person, who has pressed Network, whether a tab's site may reach hosts. @param {string} tab @param {string[]} hosts */
  async allow(tab, hosts) {
    const site = this.sites.of(tab);
    if (!site?.alone) return;
    const answers = await Promise.all(hosts.map((host) => this.sites.network.ask(site.root, host)));
    if (answers.includes(true) && this.sites.roots.has(site.root)) await this.#renew(site.root);
  }

  /** Cut off the sites that may no longer reach a host. */
  #narrow() {
    for (const root of this.sites.roots) {
      const allowed = new Set(this.sites.network.hosts(root));
      const [tab] = this.sites.tabsOf(root);
      if (this.sites.of(tab)?.hosts.some((host) => !allowed.has(host))) void this.#renew(root);
    }
  }

  /** Load the pages of a site again, at the origin for its present network access. @param {string} root */
  async #renew(root) {
    const pages = this.sites.tabsOf(root).flatMap((tab) => {
      const frame = this.frameOf(tab);
      const site = /** @type {Site} */ (this.sites.of(tab));
      if (!frame) return [];
      // What was loaded before is gone at once.
      frame.close();
      return [{ tab, frame, path: frame.state.url.slice(site.url.length) }];
    });
    await this.sites.renew(root);
    await Promise.all(pages.map(async ({ tab, frame, path }) => {
      const site = this.sites.of(tab);
      if (site?.root === root && this.frameOf(tab) === frame) await frame.open(site.url + path, "file", { site });
    }));
  }
}
