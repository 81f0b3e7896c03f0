/** The settings of the companion, and the dialog that connects an MCP client. The bundle loads with the first of them. */

import type { CompanionLink } from "../../companion/link.ts";
import type { Store } from "../../state/store.ts";
import { showCompanionSettings } from "./companion.ts";
import { showMcpServers } from "./mcp_servers.ts";
import { showPrivateOrigins } from "./private_origins.ts";
import { showSecrets } from "./secrets.ts";

export { connectDialog } from "./connect.ts";

export function showOfCompanion(store: Store, link: CompanionLink) {
  showCompanionSettings(store, link);
  showPrivateOrigins(store, link);
  showSecrets(store, link);
  showMcpServers(store, link);
}
