// Waits for visible text or elements.

import { rootsBelow } from "../composed.ts";
import * as dom from "../dom.ts";
import { InvalidArguments, NotFound, StaleRef, TimedOut } from "../errors.ts";
import { oneLine } from "../short_texts.ts";
import type { Target } from "../targets.ts";
import type { Page } from "./actions.ts";
import { isShown } from "./ready.ts";
import { pause } from "./waiting.ts";

interface Awaited {
  text?: string;
  gone?: boolean | string;
  ref?: string;
  selector?: string;
}

const SECONDS = 10;
const POLL_MS = 50;
// Checking a large page is slow, so the pause is at least this many times as long as the check.
const SHARE = 4;

/**
 * Wait until a text or an element appears or disappears, or for some seconds.
 * @param options - `text`, or a ref or selector, that appears; `gone`, a text that disappears, or true for the ref,
 * selector or text; `seconds`, the longest wait, or the exact one without a condition
 */
export async function waitFor(
  page: Page,
  { text, gone, seconds, ref, selector, signal }: Awaited & { seconds?: number; signal?: AbortSignal },
): Promise<{ success: true; waited_s: number }> {
  const start = performance.now();
  const waited = () => (performance.now() - start) / 1000;
  const holds = condition(page, { text, gone, ref, selector });
  if (seconds !== undefined && !(seconds >= 0)) throw new InvalidArguments("`seconds` must be a number of at least 0.");
  if (!holds && seconds === undefined) {
    throw new InvalidArguments("There is nothing to wait for.", {
      hint: "Pass text, gone, a ref or selector, or seconds.",
    });
  }
  const most = seconds ?? SECONDS;
  if (!holds) await pause(most * 1000, signal);
  while (holds) {
    signal?.throwIfAborted();
    const checked = performance.now();
    if (holds()) break;
    if (waited() >= most) {
      throw new TimedOut(`${problemText(text, gone, ref ?? selector)} after ${most} s.`, {
        hint: "Take a snapshot to see what is there.",
      });
    }
    await pause(Math.max(POLL_MS, SHARE * (performance.now() - checked)), signal);
  }
  return { success: true, waited_s: Math.round(waited() * 1000) / 1000 };
}

function condition(page: Page, { text, gone, ref, selector }: Awaited): (() => boolean) | null {
  for (const one of [text, typeof gone === "boolean" ? undefined : gone]) {
    if (one !== undefined && (typeof one !== "string" || one === ""))
      throw new InvalidArguments("The text to wait for must be a non-empty string.");
  }
  const element = ref ?? selector;
  if (typeof gone === "string") return () => !isSeen(gone) && (text === undefined || isSeen(text));
  if (element !== undefined)
    return () => isThere(page, { ref, selector }) !== (gone === true) && (text === undefined || isSeen(text));
  if (text !== undefined) return gone === true ? () => !isSeen(text) : () => isSeen(text);
  return null;
}

function isThere(page: Page, target: Target) {
  try {
    return isShown(page.resolve(target));
  } catch (error) {
    if (error instanceof NotFound || error instanceof StaleRef) return false;
    throw error;
  }
}

/** Return whether the text is visible anywhere. */
function isSeen(text: string) {
  const wanted = tidy(text);
  for (const root of rootsBelow(document)) {
    const parts = "body" in root ? [dom.body(root)] : Array.from(root.children);
    for (const part of parts) if (part && tidy(dom.innerText(part) ?? "").includes(wanted)) return true;
  }
  return false;
}

const tidy = (text: string) => oneLine(text).toLowerCase();

function problemText(text: unknown, gone: unknown, target: unknown) {
  if (gone) return `${JSON.stringify(gone === true ? (target ?? text) : gone)} is still there`;
  return `${JSON.stringify(target ?? text)} is not there`;
}
