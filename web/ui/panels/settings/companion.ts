/**
 * The settings of the companion: MCP clients, this computer, language models, the search engine, git credentials. Only the page can ask
 * the companion (companion/link.ts).
 */

import { html, nothing, render } from "lit";
import { IN_EXTENSION } from "../../../shared/in_extension.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { UNCONNECTED } from "../../companion/unconnected.ts";
import type { CompanionLink } from "../../companion/link.ts";
import type {
  CompanionStatus,
  GitCredentials,
  PlaceSettings,
  Providers,
  SearchSettings,
} from "../../companion/types.ts";
import { byId, expect } from "../../lib/elements.ts";
import { everyCommand, namedCommand } from "../../lib/serving.ts";
import type { Store } from "../../state/store.ts";
import type { CompanionState, Failure } from "../../state/types.ts";
import { Attempts } from "./attempts.ts";
import { CompanionAddress } from "./companion_address.ts";
import { browsersView } from "./browsers.ts";
import { Configurations } from "./configurations.ts";
import { gitCredentialsView } from "./git_credentials.ts";
import { hostView } from "./host.ts";
import { PortForm } from "./port.ts";
import { mcpView } from "./mcp.ts";
import { providersView } from "./providers.ts";
import { placesView } from "./places.ts";
import { searchEngineView } from "./search_engine.ts";

const STATUS = "companion";
const KEYS = "keys";
const GIT = "git-credentials";
const SEARCH = "search";

class CompanionSettings {
  #panel = byId("settings", HTMLElement);
  #mcp = byId("settings-mcp", HTMLElement);
  #host = byId("settings-host", HTMLElement);
  #models = byId("settings-models", HTMLElement);
  #git = byId("settings-git-credentials", HTMLElement);
  #search = byId("settings-search-engine", HTMLElement);
  #seen = false;
  /** True if the companion's state has changed since the last request. */
  #stale = true;
  #asking = false;
  #state: CompanionState["state"] = "none";
  #reason: string | null = null;
  #status: CompanionStatus | null = null;
  #providers: Providers | null = null;
  #gitCredentials: GitCredentials | null = null;
  #searchSettings: SearchSettings | null = null;
  #places: PlaceSettings | null = null;
  /** The number of changes of git credentials when they were last requested. */
  #gitChanges = 0;
  #attempts = new Attempts(() => this.#draw());
  #configurations: Configurations;
  #port: PortForm;
  #address: CompanionAddress;
  link: CompanionLink;

  constructor(link: CompanionLink) {
    this.link = link;
    this.#address = new CompanionAddress(
      (address) => link.enter(address),
      () => this.#draw(),
    );
    this.#port = new PortForm(this.#attempts, (port) => link.settings("move_port", { port }));
    this.#configurations = new Configurations(this.#attempts, "mcp", link);
    new IntersectionObserver((entries) => this.#onVisible(entries.at(-1)?.isIntersecting ?? false)).observe(
      this.#panel,
    );
  }

  /** @param companion - a new object after each change */
  render({ state, reason, mcp }: CompanionState) {
    if (state !== "connected") {
      this.#status = null;
      this.#providers = null;
      this.#gitCredentials = null;
      this.#searchSettings = null;
    }
    if (this.#seen && this.#gitCredentials !== null && (mcp?.git ?? 0) !== this.#gitChanges) void this.#askGit();
    this.#gitChanges = mcp?.git ?? 0;
    this.#state = state;
    this.#reason = reason;
    this.#stale = true;
    this.#draw();
    void this.#ask();
  }

  #onVisible(seen: boolean) {
    this.#seen = seen;
    // A sign-in elsewhere in the page may have added some.
    if (seen && this.#status !== null) void this.#askGit();
    // A model may have been connected meanwhile.
    if (seen && this.#status !== null) void this.#askProviders();
    if (!seen) this.#configurations.hide();
    this.#draw();
    void this.#ask();
  }

  /** Request the data that the user is looking at, until nothing has changed meanwhile. */
  async #ask() {
    if (this.#asking) return;
    this.#asking = true;
    while (this.#stale && this.#seen && this.#state === "connected") {
      this.#stale = false;
      const status = await this.link.settings<CompanionStatus>("status");
      if (isFailure(status)) this.#attempts.fail(STATUS, status.error);
      else this.#status = status;
      if (this.#providers === null) await this.#askProviders();
      if (this.#gitCredentials === null) await this.#askGit();
      if (this.#searchSettings === null) await this.#askSearch();
      this.#draw();
    }
    this.#asking = false;
  }

  async #askProviders() {
    const providers = await this.link.settings<Providers>("providers");
    if (isFailure(providers)) this.#attempts.fail(KEYS, providers.error);
    else this.#providers = providers;
    this.#draw();
  }

  async #askSearch() {
    const [found, places] = await Promise.all([
      this.link.settings<SearchSettings>("search"),
      this.link.settings<PlaceSettings>("places"),
    ]);
    if (isFailure(found)) this.#attempts.fail(SEARCH, found.error);
    else this.#searchSettings = found;
    this.#places = isFailure(places) ? null : places;
    this.#draw();
  }

  async #askGit() {
    const found = await this.link.settings<GitCredentials>("git_credentials");
    if (isFailure(found)) this.#attempts.fail(GIT, found.error);
    else this.#gitCredentials = found;
    this.#draw();
  }

  async #deleteGit(origin: string): Promise<{ deleted: boolean } | Failure> {
    const answer = await this.link.settings<{ deleted: boolean }>("delete_git_credential", { origin });
    await this.#askGit();
    // The focused button is removed.
    this.#git.focus();
    return answer;
  }

  #draw() {
    render(this.#status === null ? this.#withoutMcp() : this.#withMcp(this.#status), this.#mcp);
    for (const place of [this.#host, this.#models, this.#search, this.#git]) {
      const section = expect(place.parentElement, HTMLElement);
      section.hidden = this.#status === null;
    }
    render(
      this.#status === null ? nothing : hostView(this.#status.host, this.#attempts, (grant) => this.#revoke(grant)),
      this.#host,
    );
    render(this.#providersPart(), this.#models);
    render(this.#status === null ? nothing : this.#gitPart(), this.#git);
    render(this.#status === null ? nothing : this.#searchPart(), this.#search);
  }

  #withMcp(status: CompanionStatus) {
    return html`${mcpView(status, this.#attempts, {
      setOn: (on) => this.link.settings("mcp", { on }),
      chooseTools: (tools) => this.link.settings("mcp_tools", { tools }),
      test: () => this.link.settings("test_mcp"),
      copy: (what, text) => this.#attempts.copy(what, text),
      port: () => this.#port.view(status),
    })}${this.#configurations.view(status.configurations, status.saved)}
      ${browsersView(status.browsers, this.#attempts, () => this.#forget())}`;
  }

  #withoutMcp() {
    if (IN_EXTENSION && this.#state !== "connecting") return this.#address.view(this.#reason);
    if (this.#state === "none") {
      return html`<p class="muted">The companion is a small program on your computer. It lets Claude Desktop, Claude Code,
        Cursor and VS Code use this page, and adds terminals on your computer and language models. To start it, run
        ${everyCommand("serve")}, and open the address that it prints.</p>`;
    }
    if (this.#state === "connected" || this.#state === "connecting") {
      return html`<p class="muted">Connecting to the companion…</p>${this.#attempts.outcome(STATUS)}`;
    }
    if (this.#state === "refused") {
      return html`<p>The companion refused this browser.</p><p>${this.#reason}</p>`;
    }
    if (this.#state === "unconnected") return html`<p>${UNCONNECTED}</p>`;
    return html`<p>The companion no longer responds. To start it again, run <code>${namedCommand("serve")}</code>; this page
      keeps trying to connect.</p>`;
  }

  #providersPart() {
    if (this.#status === null) return nothing;
    return html`${
      this.#providers === null
        ? html`<p class="muted">Looking for keys…</p>`
        : providersView(this.#providers, this.#attempts, {
            deleteKey: (provider) => this.link.settings("delete_key", { provider }),
            removeServer: (provider) => this.link.settings("remove_server", { provider }),
            revokeAllowance: (provider, model) => this.link.settings("revoke_allowance", { provider, model }),
            onChanged: () => this.#onKeyDeleted(),
          })
    }${this.#attempts.outcome(KEYS)}`;
  }

  async #onKeyDeleted() {
    await this.#askProviders();
    // The focused button is removed.
    this.#models.focus();
  }

  #searchPart() {
    if (this.#searchSettings === null) return this.#attempts.outcome(SEARCH);
    return html`${this.#enginePart(this.#searchSettings)}${
      this.#places === null
        ? nothing
        : placesView(this.#places, this.#attempts, {
            choose: (address) => this.link.settings("choose_places", { address }),
            onChanged: () => this.#onSearchChanged(),
          })
    }`;
  }

  #enginePart(settings: SearchSettings) {
    return searchEngineView(settings, this.#attempts, {
      choose: (engine, address) => this.link.settings("choose_search", { engine, address }),
      setKey: (engine, key, inFile) => this.link.settings("set_search_key", { engine, key, in_file: inFile }),
      deleteKey: (engine) => this.link.settings("delete_search_key", { engine }),
      onChanged: () => this.#onSearchChanged(),
    });
  }

  async #onSearchChanged() {
    await this.#askSearch();
    // A focused button or field may be removed.
    if (document.activeElement === document.body) this.#search.focus();
  }

  #gitPart() {
    return this.#gitCredentials === null
      ? this.#attempts.outcome(GIT)
      : gitCredentialsView(this.#gitCredentials, this.#attempts, (origin) => this.#deleteGit(origin));
  }

  async #forget(): Promise<{ forgotten: number } | Failure> {
    const answer = await this.link.settings<{ forgotten: number }>("forget_browsers");
    this.#stale = true;
    void this.#ask();
    return answer;
  }

  async #revoke(grant?: number): Promise<object | Failure> {
    try {
      await this.link.revokeHost(grant);
      // The focused button is removed.
      this.#host.focus();
      return {};
    } catch (error) {
      return { isError: true, error: { type: "NotRevoked", message: String(error) } };
    }
  }
}

export function showCompanionSettings(store: Store, link: CompanionLink) {
  const settings = new CompanionSettings(link);
  store.follow(["companion"], ({ companion }) => settings.render(companion));
}
