/**
 * The tabs of sites, as far as their network access is concerned: which hosts they ask for, and what happens to them when
 * the user has answered, or an answer no longer counts.
 */

import type { Frame } from "./frame.ts";
import type { Sites } from "./sites.ts";

// How long a page may take to say which hosts it has tried to reach, in milliseconds.
const SAYS_MS = 1_000;
const MAX_HOSTS = 5;

export class SiteTabs {
  /** The sites that load again. */
  #renewing = new Set<string>();
  sites: Sites;
  frameOf: (tab: string) => Frame | undefined;

  constructor(sites: Sites, frameOf: (tab: string) => Frame | undefined) {
    this.sites = sites;
    this.frameOf = frameOf;
    sites.network.subscribe(() => this.#narrow());
    // An answer may have ended while a site opened.
    sites.watch(() => this.#narrow());
  }

  /** Return the hosts that the site in a tab has tried to reach. The site says so, and could say anything. */
  async hostsTried(tab: string): Promise<string[]> {
    const late = new Promise((resolve) => setTimeout(resolve, SAYS_MS, []));
    const asked = this.frameOf(tab)
      ?.ask("refused", {})
      .catch(() => []);
    const said = await Promise.race([asked, late]);
    const hosts = Array.isArray(said) ? said.map((each) => this.sites.network.hostOf(each)) : [];
    return [...new Set(hosts.filter((host) => host !== null))].slice(0, MAX_HOSTS);
  }

  /** Ask the user, who has pressed Network, whether a tab's site may reach hosts. */
  async allow(tab: string, hosts: string[]) {
    const site = this.sites.of(tab);
    if (!site?.alone) return;
    const answers = await Promise.all(hosts.map((host) => this.sites.network.ask(site.root, host)));
    if (answers.includes(true) && this.sites.roots.has(site.root)) await this.#renew(site.root);
  }

  /** Cut off the sites that may no longer reach a host. */
  #narrow() {
    for (const root of this.sites.roots) {
      const allowed = new Set(this.sites.network.hosts(root));
      if (this.#sitesOf(root).some(({ hosts }) => hosts.some((host) => !allowed.has(host)))) void this.#renew(root);
    }
  }

  /** Load the pages of a site again until they have its present network access. */
  async #renew(root: string) {
    if (this.#renewing.has(root)) return;
    this.#renewing.add(root);
    try {
      do await this.#reload(root);
      while (this.#isOld(root));
    } finally {
      this.#renewing.delete(root);
    }
  }

  /** Return whether a site has other hosts than it may reach now. */
  #isOld(root: string) {
    const allowed = this.sites.network.hosts(root).join();
    return this.#sitesOf(root).some(({ alone, hosts }) => alone && hosts.join() !== allowed);
  }

  #sitesOf(root: string) {
    return this.sites.tabsOf(root).flatMap((tab) => this.sites.of(tab) ?? []);
  }

  /** Load the pages of a site at the origin for its present network access. */
  async #reload(root: string) {
    // What was loaded before is gone at once.
    for (const tab of this.sites.tabsOf(root)) this.frameOf(tab)?.close();
    const tabs = await this.sites.renew(root);
    // Others may have opened meanwhile.
    await Promise.all(
      tabs.map(async (tab) => {
        const [frame, site] = [this.frameOf(tab), this.sites.of(tab)];
        const shown = URL.parse(frame?.state.url ?? "");
        if (frame && site && shown)
          await frame.open(site.url + shown.href.slice(shown.origin.length + 1), "file", { site });
      }),
    );
  }
}
