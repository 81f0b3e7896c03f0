/**
 * The page's side of the network door: its address for the kernel, and the answers of a door without a companion. The
 * companion asks over its own socket (companion/link.ts).
 */

import type { NetworkPlan } from "../../kernel/messages.ts";
import type { Facts } from "../../network_door/call.ts";
import { parseProxy } from "../../network_door/git.ts";
import { untilWhen } from "../consent/refusals.ts";
import { pageKey } from "../lib/page_key.ts";
import { loadSaved, save } from "../../shared/local_state.ts";
import type { Consent, Words } from "../consent/consent.ts";
import type { Serving } from "../lib/serving.ts";

export type NetworkQuestion = { facts: Facts; words: Words };

// The service worker on the kernel's origin next to its scripts.
const WORKER = "network_worker.js";
const WHY = { nobody: "nobody is at the page to answer", full: "too many questions are waiting for an answer" };

const GIT_PROXY = "git-proxy";

/** Return the CORS proxy that git's requests take without a companion. */
export const gitProxy = (): string | null => parseProxy(loadSaved(GIT_PROXY, ""));

/**
 * Save the user's CORS proxy for git.
 * @param text - "" for none
 * @returns false if it can't be one, or isn't saved
 */
export function saveGitProxy(text: string): boolean {
  const proxy = text.trim() === "" ? undefined : parseProxy(text.trim());
  return proxy !== null && save(GIT_PROXY, proxy);
}

/** Return the network door of a kernel's origin. */
export function planNetwork(origin: string, { network }: Serving): NetworkPlan {
  const key = pageKey();
  return { key, door: network ? `${origin}/network/${key}` : null, worker: origin === location.origin ? null : WORKER };
}

// Without a tool, a run or a caller, the user reads the error of their own command.
const asker = ({ tool, caller, run }: Words) => (tool || caller || run ? "the user" : "you");

/** Answer a service worker's question through its port. A message on the port withdraws the question. */
export async function answerNetwork(consent: Consent, { facts, words }: NetworkQuestion, port: MessagePort) {
  const withdrawn = new AbortController();
  port.onmessage = () => withdrawn.abort(new DOMException("Withdrawn.", "AbortError"));
  try {
    const { git, ...asked } = facts;
    const proxy = git ? gitProxy() : null;
    const request =
      proxy === null
        ? { kind: "network", facts: asked, words }
        : { kind: "git-proxy", facts: { ...asked, proxy }, words };
    const outcome = await consent.ask(request, withdrawn.signal);
    const { allowed, decision } = outcome;
    const problem =
      decision === "nobody" || decision === "full" ? WHY[decision] : `${asker(words)} refused${untilWhen(outcome)}`;
    port.postMessage(!allowed ? { allowed, problem } : proxy === null ? { allowed } : { allowed, proxy });
  } catch (error) {
    // A question that can't be drawn is refused; a withdrawn one needs no answer.
    if (!withdrawn.signal.aborted) port.postMessage({ allowed: false, problem: String(error) });
  } finally {
    port.close();
  }
}
