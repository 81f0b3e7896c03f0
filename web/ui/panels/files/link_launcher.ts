/** Loads what makes and opens links with files or the demo (shared_link.ts), once there is one. */

import type { StartDemoGiven } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { commands } from "../../lib/commands.ts";
import { copyText } from "../../lib/copying.ts";
import { loadPart } from "../../lib/lazy_bundles.ts";
import type { Store } from "../../state/store.ts";
import type { Failure } from "../../state/types.ts";

export const FILES = "#files=";
const DEMO = "#demo";

export interface Does {
  /** shows a folder in the panel */
  show: (path: string) => unknown;
  demo: (example: StartDemoGiven["example"]) => unknown;
}

/** shared_link.ts */
interface LinkPart {
  copyLink(actions: Actions, paths: string[]): Promise<string | Failure>;
  openLink(fragment: string, actions: Actions, does: Does): Promise<void>;
}

const part = () => loadPart<LinkPart>("ui-link.js");

/** Return this page's address with a fragment. */
export const addressWith = (fragment: string) => new URL(fragment, location.href.split("#")[0]).href;

/**
 * Copy a link with files to the clipboard.
 * @returns what the user reads
 */
export async function copyLink(actions: Actions, paths: string[]): Promise<string | Failure> {
  return (await part()).copyLink(actions, paths);
}

/** Ask about the link in the address, now and when another is opened in this tab. */
export function followSharedLinks(store: Store, actions: Actions, does: Does) {
  commands.add({
    id: "copy-demo-link",
    title: "Copy a link to the demo",
    keywords: "share send address",
    run: () => copyText(addressWith(DEMO)),
  });
  const open = () => {
    const fragment = takeFragment();
    if (fragment !== null)
      whenReady(store, () => void part().then(({ openLink }) => openLink(fragment, actions, does)));
  };
  addEventListener("hashchange", open);
  open();
}

/** Take a link out of the address, so that a reload doesn't ask again. */
function takeFragment(): string | null {
  const { hash } = location;
  if (!hash.startsWith(FILES) && hash.split("=")[0] !== DEMO) return null;
  history.replaceState(history.state, "", location.href.split("#")[0]);
  return hash;
}

function whenReady(store: Store, act: () => void) {
  let waits = true;
  store.subscribe(({ kernel }) => {
    if (!waits || kernel !== "ready") return;
    waits = false;
    act();
  });
}
