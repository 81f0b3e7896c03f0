/**
 * All kinds of questions, by name.
 *
 * @import { Kind } from "./kind.js"
 */

import { credential } from "./credential.js";
import { dav } from "./dav.js";
import { download } from "./download.js";
import { gitProxy } from "./git_proxy.js";
import { host } from "./host.js";
import { model } from "./model.js";
import { network } from "./network.js";
import { open } from "./open.js";
import { pageTool } from "./page_tool.js";
import { personal } from "./personal.js";
import { screen } from "./screen.js";
import { script } from "./script.js";
import { secret } from "./secret.js";
import { sharedOrigin } from "./shared_origin.js";
import { signIn } from "./sign_in.js";
import { siteNetwork } from "./site_network.js";
import { tool } from "./tool.js";
import { visit } from "./visit.js";

/** @type {Readonly<Record<string, Kind>>} */
export const KINDS = Object.freeze({
  credential, dav, download, "git-proxy": gitProxy, host, model, network, open, "page-tool": pageTool, personal, screen, script, secret, "shared-origin": sharedOrigin, "sign-in": signIn, "site-network": siteNetwork, tool, visit,
});
