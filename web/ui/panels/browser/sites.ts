/**
 * The sites that tabs show: directories of files and servers in the page, each with its own origin if the host provides
 * one. This module decides what a site may read and whether it may reach other origins; Python returns the files, and
 * the servers' answers.
 */

import { IN_EXTENSION } from "../../../shared/in_extension.ts";
import { everyCommand, serving, sitesOfCompanion } from "../../lib/serving.ts";
import { base64 } from "../../lib/base64.ts";
import { problem } from "../../../shared/document_link.ts";
import { isProven, labelOf, prove } from "./labels.ts";
import { portTo, type Sockets } from "./page_sockets.ts";
import { SiteHost, type Opening, type Connect, type FromServer, type More } from "./site_host.ts";
import type { SiteNetwork } from "./site_network.ts";
import type { Asked, SiteRelay } from "../../companion/site_relay.ts";

interface Options {
  read: Read;
  servers: Servers;
  /** which hosts each site may reach */
  network: SiteNetwork;
  /** returns the companion's relay, if there is one */
  relay: () => SiteRelay | null;
}

/** `content` in base64 */
type File = { status: number; type: string; content: string };

/** returns the file at a path, percent-encoded as in its URL, if it is below one of the roots */
type Read = (request: { path: string; roots: string[] }) => Promise<File>;

/** `path` has the query, too; `body` is in base64 */
interface ToServer {
  port: number;
  method: string;
  path: string;
  headers: [string, string][];
  body: string;
  isDocument: boolean;
}

/** `content` in base64; the rest of it comes by `more(stream)` */
type ServerAnswer = { status: number; content: string; stream: number | null } & Omit<FromServer, "port">;

export interface Servers {
  ask: (request: ToServer) => Promise<ServerAnswer>;
  /** returns what arrives next of an answer */
  more: (stream: number) => Promise<More>;
  /** stops an answer */
  end: (stream: number) => void;
  sockets: Sockets;
}

export interface Site {
  /** the directory; for a server in the page, `http://localhost:8000` (`rootOf`) */
  root: string;
  /** of `/`, with a trailing slash */
  url: string;
  origin: string;
  /** whether the browser keeps it apart from the surface */
  own_origin: boolean;
  /** whether the browser keeps it apart from other sites */
  alone: boolean;
  /** the other origins that it may reach */
  hosts: string[];
  /** of the digest of `hosts` in the name of its origin */
  salt: string;
}

export class Sites {
  /** The sites shown, by tab. */
  #shown = new Map<string, Site>();
  /** By URL. */
  #hosts = new Map<string, SiteHost>();
  /** The places where sites can be, best first; unreachable ones are removed. */
  #places: Promise<string[]> | null = null;
  /** The number of tabs about to show each URL. */
  #wanted = new Map<string, number>();
  #watchers = new Set<() => void>();
  read: Read;
  servers: Servers;
  network: SiteNetwork;
  relay: () => SiteRelay | null;

  constructor({ read, servers, network, relay }: Options) {
    this.read = read;
    this.servers = servers;
    this.network = network;
    this.relay = relay;
  }

  /** Call `watcher` when the shown sites or their network access change. */
  watch(watcher: () => void) {
    this.#watchers.add(watcher);
  }

  /** Return the site of a tab. */
  of(tab: string): Site | null {
    return this.#shown.get(tab) ?? null;
  }

  /** Return whether a document of a tab, at an origin, is one of its site and cut off from other origins. */
  confines(tab: string, origin: string) {
    const site = this.of(tab);
    return site !== null && site.own_origin && site.hosts.length === 0 && origin === site.origin;
  }

  /** Return whether a URL belongs to the site of a tab. */
  has(url: string) {
    return [...this.#shown.values()].some((site) => url.startsWith(site.url));
  }

  /**
   * Find the site of a directory, without letting it be read yet.
   *
   * @returns rejects if the browser has no service workers, or no host can be reached
   */
  async find(root: string): Promise<Site> {
    return this.#connect(root, this.#hostsOf(root), () => {});
  }

  /** Show a directory in a tab. */
  async show(tab: string, root: string): Promise<Site> {
    return this.#connect(root, this.#hostsOf(root), (site) => this.#put([tab], site));
  }

  /** Answer what a tab's site would ask its service worker. */
  receive(tab: string, { socket }: { socket?: Opening }, reply: MessagePort) {
    const host = this.#hosts.get(this.of(tab)?.url ?? "");
    if (host && socket) void host.open(socket, reply);
  }

  /** Remove the site of a tab that was closed or shows another page. */
  leave(tab: string) {
    const site = this.of(tab);
    if (!site) return;
    this.#shown.delete(tab);
    this.#leave(site);
    this.#notify();
  }

  /** Return the tabs that show a directory. */
  tabsOf(root: string): string[] {
    return [...this.#shown].flatMap(([id, site]) => (site.root === root ? [id] : []));
  }

  /** Return the directories that tabs show. */
  get roots(): Set<string> {
    return new Set([...this.#shown.values()].map(({ root }) => root));
  }

  /**
   * Give a site the network access that it has now. It gets another origin, so nothing that was loaded before is on it.
   *
   * @returns the tabs that show the site, to be reloaded
   */
  async renew(root: string): Promise<string[]> {
    await this.#connect(root, this.network.hosts(root), (site) => this.#put(this.tabsOf(root), site));
    return this.tabsOf(root);
  }

  /** Return the hosts that a site may reach; all of its tabs have one origin. */
  #hostsOf(root: string) {
    return [...this.#shown.values()].find((site) => site.root === root)?.hosts ?? this.network.hosts(root);
  }

  #put(tabs: string[], site: Site) {
    const before = tabs.map((tab) => this.of(tab));
    for (const tab of tabs) this.#shown.set(tab, site);
    for (const left of before) if (left) this.#leave(left);
    this.#notify();
  }

  /** End what a site had that a tab no longer shows. */
  #leave({ url, root }: Site) {
    this.#release(url);
    if (this.tabsOf(root).length === 0) this.network.leave(root);
  }

  /** Close the host of a URL that no tab shows. */
  #release(url: string) {
    if (this.#wanted.has(url) || [...this.#shown.values()].some((site) => site.url === url)) return;
    this.#hosts.get(url)?.close();
    this.#hosts.delete(url);
  }

  #notify() {
    for (const watcher of this.#watchers) watcher();
  }

  async #connect(root: string, allowed: string[], use: (site: Site) => void): Promise<Site> {
    // The extension's companion may start later, or have another port then.
    if (this.#places === null || IN_EXTENSION) this.#places = places();
    const found = await this.#places;
    for (;;) {
      const [place] = found;
      // Sites that share an origin could act for each other, so they reach nothing else.
      const hosts = place.includes("*") ? allowed : [];
      const { label, salt } = await labelOf(root, hosts);
      const url = place.replace("*", label);
      this.#wanted.set(url, (this.#wanted.get(url) ?? 0) + 1);
      try {
        await this.#host(url);
        prove(place);
        const { origin } = new URL(url);
        const site = { root, url, origin, own_origin: origin !== location.origin, alone: url !== place, hosts, salt };
        use(site);
        return site;
      } catch (error) {
        // A proven place fails for a reason of this site, which must not move sites to a shared origin.
        if (found.length === 1 || isProven(place)) throw error;
        // Next to the surface, the gate asks first.
        if (found[0] === place) found.shift();
      } finally {
        this.#unreserve(url);
      }
    }
  }

  #unreserve(url: string) {
    const left = (this.#wanted.get(url) ?? 1) - 1;
    if (left > 0) this.#wanted.set(url, left);
    else this.#wanted.delete(url);
  }

  async #host(url: string) {
    const host =
      this.#hosts.get(url) ??
      new SiteHost(
        url,
        {
          read: (path, request) => this.#answer(url, path, request),
          connect: (to, signal) => this.#openSocket(url, to, signal),
        },
        this.relay(),
      );
    this.#hosts.set(url, host);
    try {
      await host.ready;
    } catch (error) {
      if (this.#hosts.get(url) === host) this.#hosts.delete(url);
      throw error;
    }
  }

  /** Return the sites at a URL, and their roots. */
  #at(url: string) {
    const sites = [...this.#shown.values()].filter((site) => site.url === url);
    const roots = [...new Set(sites.map(({ root }) => root))];
    if (roots.length === 0) throw new Error("No tab shows this site.");
    return { sites, roots };
  }

  async #openSocket(
    url: string,
    { path, search, protocols }: Parameters<Connect>[0],
    signal: AbortSignal,
  ): ReturnType<Connect> {
    const port = portOf(this.#at(url).roots[0]);
    if (port === null) throw new Error("Pages made of files have no server.");
    const { sockets } = this.servers;
    const { socket, protocol } = await sockets.open({
      port,
      path: path + search,
      protocols,
      agent: navigator.userAgent,
    });
    if (signal.aborted) sockets.leave(socket);
    signal.throwIfAborted();
    return { protocol, port: portTo(sockets, socket, signal) };
  }

  async #answer(url: string, path: string, request: Asked) {
    const { sites, roots } = this.#at(url);
    const [{ hosts, salt }] = sites;
    // A server's pages share no origin with others.
    const port = portOf(roots[0]);
    if (port !== null)
      return { ...(await this.#serverAnswer({ port, path: path + request.search }, request)), hosts, salt };
    if (request.method !== "GET" && request.method !== "HEAD")
      return { status: 405, type: "text/html", content: "", hosts, salt };
    const { status, type, content } = await this.read({ path, roots });
    return { status, type, content, hosts, salt };
  }

  async #serverAnswer(target: { port: number; path: string }, { method, headers, body, isDocument }: Asked) {
    const sent = { ...target, method, headers, isDocument, body: body ? base64(new Uint8Array(body)) : "" };
    const { status, reason, headers: said, content, stream } = await this.servers.ask(sent);
    const rest =
      stream === null ? null : { more: () => this.servers.more(stream), end: () => this.servers.end(stream) };
    return { status, type: "", content, server: { port: target.port, reason, headers: said }, rest };
  }
}

const SERVER = /^http:\/\/localhost:(\d+)$/;
/** Return the root of the site that shows a server in the page. */
export function rootOf(port: number) {
  return `http://localhost:${port}`;
}

function portOf(root: string) {
  const found = SERVER.exec(root);
  return found && Number(found[1]);
}

/** Return the places where this host can show files, best first. */
async function places() {
  if (IN_EXTENSION) return [await placeOfCompanion()];
  const beside = new URL("../site/", document.baseURI).href;
  const { sites, network: hasCompanion } = await serving();
  if (!hasCompanion) return sites === null ? [beside] : [sites, beside];
  if (sites !== null) return [sites];
  // The companion has an origin for each, so an answer that is missing must not lead to a shared one.
  throw problem({
    type: "Unsupported",
    message: "Files and servers can't be shown as pages: the companion hasn't said where their origins are.",
    hint: "Reload the page while the companion runs. Or read the files.",
  });
}

/** Return the place of sites in the extension, whose own origin has its APIs and must show no page of an agent. */
async function placeOfCompanion() {
  const sites = await sitesOfCompanion();
  if (sites !== null) return sites;
  throw problem({
    type: "Unsupported",
    message:
      "The browser extension has no origin for files and servers as pages; the companion has, and isn't connected.",
    hint: `Start it with ${everyCommand("serve --no-open")}, and enter its address in the settings. Or read the files.`,
  });
}
