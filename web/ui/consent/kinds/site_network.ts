/**
 * A host that a page made of files, or of a server in the page, may reach: `{root, host}`, the site's directory or server,
 * and the host's origin. The user asks for it by the button Network (web/ui/panels/browser/site_network.ts).
 */

import { html } from "lit";
import { factList, name } from "../text.ts";
import type { Kind } from "./kind.ts";

export const siteNetwork: Kind = {
  name: "Network of pages",
  answers: ["run", "hour", "always"],
  ofPerson: true,
  labels: { run: "Allow while it is open" },
  reach: { run: "until no tab shows them, for at most an hour" },
  // The host comes last and has no spaces, so that no other root and host have the same subject.
  subject: ({ root, host }) => `let pages of ${root} reach ${host}`,
  title: ({ host }) => html`Let this page reach ${name(host)}?`,
  question: ({ root, host }) => html`
    <p>This page is made of files that Python provides. Whatever Python can read may leave to this host.</p>
    ${factList([
      ["Pages of", name(root)],
      ["Host", name(host)],
    ])}`,
};
