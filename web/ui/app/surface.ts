/** The parts of the page below its panels: the kernel, consent, tabs and the companion. */

import { IN_EXTENSION } from "../../shared/in_extension.ts";
import type { Connection } from "../../../webmcp_bridge.js";
import type { ToolRow } from "../../generated/types.ts";
import type { OuterTabs } from "../../shared/outer_tabs.ts";
import { isOver } from "../panels/agents/labels.ts";
import { EnteredAddress } from "../panels/browser/entered.ts";
import { Frames } from "../panels/browser/frames.ts";
import { ownOrigins } from "../panels/browser/own_origins.ts";
import { serversOf } from "../panels/browser/servers.ts";
import { SiteNetwork } from "../panels/browser/site_network.ts";
import { Sites } from "../panels/browser/sites.ts";
import { CompanionLink } from "../companion/link.ts";
import { Callers } from "../consent/callers.ts";
import { Consent } from "../consent/consent.ts";
import { browserGrants } from "../consent/grants.ts";
import { browserRecord } from "../consent/record.ts";
import { TaintWatch } from "../consent/taint.ts";
import { TypedCommands } from "../consent/typed.ts";
import { byId } from "../lib/elements.ts";
import { Kernel } from "../kernel/kernel.ts";
import { mirror } from "../state/follower_tab.ts";
import { answerNetwork } from "../kernel/network_door.ts";
import { cacheForOffline } from "../lib/offline.ts";
import { loadPart } from "../lib/lazy_bundles.ts";
import { measure } from "../status/measure.ts";
import { createStore } from "../state/store.ts";
import { synchronise } from "../state/sync.ts";
import type { KernelState } from "../state/types.ts";

/** web/extension/page.ts, which only the extension has */
export interface ExtensionPart {
  start(): Promise<OuterTabs>;
  restoreTabs(tabs: OuterTabs, frames: Frames): Promise<void>;
  sharing(tabs: OuterTabs, open: (url: string) => Promise<unknown>): () => void;
}

const OFFLINE_AFTER_MS = 3_000;

/** Return a function that logs an error. */
export function report(message: string) {
  return (error: unknown) => console.error(message, error);
}

export class Surface {
  store = createStore();
  host: Window;
  callers = new Callers((run) => this.store.state.runs.some((row) => row.id === run && !isOver(row)));
  /** the lines that the user has typed in terminals */
  typed = new TypedCommands();
  consent: Consent;
  frames: Frames;
  extension: OuterTabs | null = null;
  kernel!: Kernel;
  taint!: TaintWatch;
  /** the kernel's connection, which notes the tools that read text from outside */
  watched!: Connection;
  link!: CompanionLink;
  #attended = true;
  /** True if questions wait for the user while nobody is there. */
  #waits = false;
  #refresh = async () => {};
  #watch = () => {};

  /** @param host - the window whose agents use the page */
  constructor(host: Window) {
    this.host = host;
    this.consent = this.#createConsent();
    this.frames = this.#createFrames();
  }

  /** Start the kernel, and connect the companion if there is one. */
  start() {
    this.kernel = this.#startKernel();
    const { connection } = this.kernel;
    this.callers.follow(connection);
    this.taint = new TaintWatch(this.consent, () => this.store.state.tools);
    this.taint.listen(connection);
    this.watched = this.taint.watch(connection);
    this.link = this.#createLink();
    this.link.want(true);
    this.#refresh = synchronise(connection, this.store);
    this.#watch = mirror(connection, this.store);
  }

  #createConsent() {
    return new Consent({
      grants: browserGrants(),
      record: browserRecord(),
      attended: () => this.#attended,
      waits: () => this.#waits,
      identify: (words) => this.callers.of(words),
      typed: (kind, facts, words) => this.typed.useOf(kind, facts, words),
    });
  }

  #createFrames() {
    const sites = new Sites({
      network: new SiteNetwork(this.consent, ownOrigins()),
      read: (request) => this.kernel.connection.request("site/read", request),
      servers: serversOf((method, params) => this.kernel.connection.request(method, params)),
      relay: () => this.link?.sites ?? null,
    });
    return new Frames({
      entered: new EnteredAddress(byId("browser-url", HTMLInputElement)),
      place: byId("browser-stage", HTMLElement),
      host: this.host,
      sites,
      consent: this.consent,
      outer: () => [this.extension, this.link?.tabs].filter((tabs) => tabs != null),
      onChange: (document) => void this.kernel.connection.request("document/changed", document),
      framing: (url) => this.link?.framing(url) ?? Promise.resolve("unknown"),
    });
  }

  #startKernel() {
    const { store, consent } = this;
    return new Kernel({
      onNetwork: (question, port) => void answerNetwork(consent, question, port),
      serveDocuments: (port) => this.frames.serve(port),
      onProgress: (stage, fraction) => store.dispatch({ type: "progress", stage, fraction }),
      onState: (state, error) => this.#onState(state, error ?? null),
      onStart: (bare) => consent.record.start(bare),
      onFresh: () => {
        this.typed.clear();
        consent.renew();
      },
      onSilent: (silent) => store.dispatch({ type: "silent", silent }),
      onBeat: (sizes) => measure(store, sizes),
      onFilesProblem: (problem) => store.dispatch({ type: "files_problem", problem }),
      onPlace: (apart) => store.dispatch({ type: "kernel_place", apart }),
      onSnapshot: (state) => {
        document.documentElement.dataset.snapshot = state;
      },
    });
  }

  #createLink() {
    return new CompanionLink({
      connection: this.watched,
      consent: this.consent,
      attach: (port) => this.kernel.attachCompanion(port),
      onState: (companion) => this.store.dispatch({ type: "companion", companion }),
      onAttended: (now, later) => {
        const changed = now !== this.#attended;
        this.#attended = now;
        this.#waits = later;
        if (!now && !later) this.consent.refuseAll();
        if (changed && this.store.state.kernel === "ready") this.#tellAttended();
      },
    });
  }

  #tellAttended() {
    void this.kernel.connection.request("page/attended", { attended: this.#attended });
  }

  #onState(state: KernelState, error: Error | null) {
    this.#show(state, error);
    this.link?.want(state === "booting" || state === "ready");
    if (state === "ready" && !this.#attended) this.#tellAttended();
    if (state === "ready") this.link?.renew();
    if (state === "elsewhere") this.#watch();
  }

  /** Update the page when the kernel's state changes. */
  #show(state: KernelState, error: Error | null) {
    const { store } = this;
    document.documentElement.dataset.kernel = state;
    if (state === "booting" || state === "elsewhere") store.dispatch({ type: "disconnected" });
    store.dispatch({ type: "kernel", kernel: state, reason: error && error.message });
    if (state !== "ready") return;
    this.#refresh().catch(report("The kernel's state could not be read."));
    // Delayed so that it doesn't compete with the start and the first calls.
    // A cache on this origin doesn't help a kernel with its own origin.
    if (store.state.kernelApart === false && !IN_EXTENSION) setTimeout(() => void cacheForOffline(), OFFLINE_AFTER_MS);
  }

  /** List the tools known at build time until the kernel sends its list. */
  listBuiltTools(tools: ToolRow[]) {
    this.kernel.learnTools(tools);
    this.taint.learn(tools);
    if (this.store.state.tools.length === 0) this.store.dispatch({ type: "tools", tools });
  }

  /** Use the tabs that the user shares through the extension, in whose page the surface runs. Call it before `start`. */
  async useExtension() {
    const part = await loadPart<ExtensionPart>("ui-extension.js");
    this.extension = await part.start();
    await part.restoreTabs(this.extension, this.frames);
  }
}
