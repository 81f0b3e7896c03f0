/** The Settings panel, and the dialog that connects an MCP client. The bundle loads with the first of them. */

import type { CompanionLink } from "../../companion/link.ts";
import type { Consent } from "../../consent/consent.ts";
import type { Actions } from "../../state/actions.ts";
import type { Store } from "../../state/store.ts";
import type { Terminals } from "../terminals/terminals.ts";
import { showCompanionSettings } from "./companion.ts";
import { showGitProxy } from "./git_proxy.ts";
import { showGrants } from "./grants.ts";
import { showHistoryLimits } from "./history.ts";
import { showMcpServers } from "./mcp_servers.ts";
import { showPackageList } from "./packages.ts";
import { showSettings } from "./panel.ts";
import { showPrivateOrigins } from "./private_origins.ts";
import { showSecrets } from "./secrets.ts";

export { connectDialog } from "./connect.ts";
export { ExchangeDialog } from "./exchange.ts";

export interface Settings {
  store: Store;
  actions: Actions;
  link: CompanionLink;
  consent: Consent;
  terminals: Terminals;
}

export function showAll({ store, actions, link, consent, terminals }: Settings) {
  showSettings(store, actions, terminals);
  showHistoryLimits(store, actions);
  showPackageList(store, actions);
  showGitProxy();
  showCompanionSettings(store, link);
  showPrivateOrigins(store, link);
  showSecrets(store, link);
  showMcpServers(store, link);
  showGrants(consent);
}
