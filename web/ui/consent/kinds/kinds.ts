/** All kinds of questions, by name. */

import { browser } from "./browser.ts";
import { credential } from "./credential.ts";
import { dav } from "./dav.ts";
import { download } from "./download.ts";
import { gitProxy } from "./git_proxy.ts";
import { host } from "./host.ts";
import type { Kind } from "./kind.ts";
import { mcpQuestion } from "./mcp_question.ts";
import { mcpServer } from "./mcp_server.ts";
import { mcpSignIn } from "./mcp_sign_in.ts";
import { mcpTool } from "./mcp_tool.ts";
import { model } from "./model.ts";
import { network } from "./network.ts";
import { open } from "./open.ts";
import { pageTool } from "./page_tool.ts";
import { personal } from "./personal.ts";
import { privateOrigin } from "./private_origin.ts";
import { screen } from "./screen.ts";
import { script } from "./script.ts";
import { secret } from "./secret.ts";
import { sharedOrigin } from "./shared_origin.ts";
import { signIn } from "./sign_in.ts";
import { siteNetwork } from "./site_network.ts";
import { tool } from "./tool.ts";
import { visit } from "./visit.ts";

export const KINDS: Readonly<Record<string, Kind>> = Object.freeze({
  browser,
  credential,
  dav,
  download,
  "git-proxy": gitProxy,
  host,
  "mcp-question": mcpQuestion,
  "mcp-server": mcpServer,
  "mcp-sign-in": mcpSignIn,
  "mcp-tool": mcpTool,
  model,
  network,
  open,
  "page-tool": pageTool,
  personal,
  "private-origin": privateOrigin,
  screen,
  script,
  secret,
  "shared-origin": sharedOrigin,
  "sign-in": signIn,
  "site-network": siteNetwork,
  tool,
  visit,
});
