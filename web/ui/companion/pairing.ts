/**
 * Asks the companion to connect this browser, which has no code (py/gemini_companion/admission/pairing.py). The
 * companion remembers the browser's public key once the user has agreed, and this page then enters by it.
 */

import { IN_EXTENSION } from "../../shared/in_extension.ts";
import { serving } from "../lib/serving.ts";
import { EntryRefused, post, reason } from "./entrance.ts";
import { newKeys, savedKeys } from "./keys.ts";

const IDENTITY = "/.well-known/control-surface";

/** `number`: what questions at connected pages show; `shown`: whether the companion's terminal shows a code */
export type Asked = { pairing: string; number: string; shown: boolean; seconds: number };

export type PairingState = "waiting" | "connected" | "over";

/**
 * @returns whether a companion serves this page and runs; false if the page is of another host
 * @throws {TypeError} if it has stopped
 */
export async function companionRuns(): Promise<boolean> {
  if (IN_EXTENSION || !(await serving()).network) return false;
  return (await fetch(new URL(IDENTITY, location.origin), { cache: "no-store", credentials: "omit" })).ok;
}

/** @throws {EntryRefused} */
export async function beginPairing(): Promise<Asked> {
  const { key } = (await savedKeys()) ?? (await newKeys());
  return await answerOf("pair", { key });
}

/** @throws {EntryRefused} if the code is wrong */
export async function enterCode({ pairing }: Asked, code: string): Promise<PairingState> {
  return (await answerOf("pair/code", { pairing, code })).state;
}

export async function pairingState({ pairing }: Asked): Promise<PairingState> {
  return (await answerOf("pair/state", { pairing })).state;
}

export async function cancelPairing({ pairing }: Asked): Promise<void> {
  await answerOf("pair/cancel", { pairing });
}

async function answerOf(path: string, body: object) {
  const answer = await post(path, body);
  if (!answer.ok) throw new EntryRefused(await reason(answer));
  return await answer.json();
}
