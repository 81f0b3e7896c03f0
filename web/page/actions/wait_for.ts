// Waits for visible text or elements.

import { rootsBelow } from "../composed.js";
import * as dom from "../dom.js";
import { InvalidArguments, NotFound, StaleRef, TimedOut } from "../errors.js";
import { isShown } from "./ready.js";
import { pause } from "./waiting.js";

/** @import { Page } from "./actions.js" */

const SECONDS = 10;
const POLL_MS = 50;
// Checking a large page is slow, so the pause is at least this many times as long as the check.
const SHARE = 4;

/**
 * Wait until a text or an element appears or disappears, or for some seconds.
 * @param {Page} page
 * @param {any} options `text`, or a ref or selector, that appears; `gone`, a text that disappears, or true for the ref,
 *   selector or text; `seconds`, the longest wait, or the exact one without a condition
 * @returns {Promise<{ success: true, waited_s: number }>}
 */
export async function waitFor(page, { text, gone, seconds, ref, selector, signal }) {
  const start = performance.now();
  const waited = () => (performance.now() - start) / 1000;
  const holds = condition(page, { text, gone, ref, selector });
  if (seconds !== undefined && !(seconds >= 0)) throw new InvalidArguments("`seconds` must be a number of at least 0.");
  if (!holds && seconds === undefined) {
    throw new InvalidArguments("There is nothing to wait for.", { hint: "Pass text, gone, a ref or selector, or seconds." });
  }
  const most = seconds ?? SECONDS;
  if (!holds) await pause(most * 1000, signal);
  while (holds) {
    signal?.throwIfAborted();
    const checked = performance.now();
    if (holds()) break;
    if (waited() >= most) {
      throw new TimedOut(`${problemText(text, gone, ref ?? selector)} after ${most} s.`, { hint: "Take a snapshot to see what is there." });
    }
    await pause(Math.max(POLL_MS, SHARE * (performance.now() - checked)), signal);
  }
  return { success: true, waited_s: Math.round(waited() * 1000) / 1000 };
}

/** @param {Page} page @param {any} wanted @returns {(() => boolean) | null} */
function condition(page, { text, gone, ref, selector }) {
  for (const one of [text, typeof gone === "boolean" ? undefined : gone]) {
    if (one !== undefined && (typeof one !== "string" || one === "")) throw new InvalidArguments("The text to wait for must be a non-empty string.");
  }
  const element = ref ?? selector;
  if (typeof gone === "string") return () => !isSeen(gone) && (text === undefined || isSeen(text));
  if (element !== undefined) return () => isThere(page, { ref, selector }) !== (gone === true) && (text === undefined || isSeen(text));
  if (text !== undefined) return gone === true ? () => !isSeen(text) : () => isSeen(text);
  return null;
}

/** @param {Page} page @param {any} target */
function isThere(page, target) {
  try {
    return isShown(page.resolve(target));
  } catch (error) {
    if (error instanceof NotFound || error instanceof StaleRef) return false;
    throw error;
  }
}

/** Return whether the text is visible anywhere. @param {string} text */
function isSeen(text) {
  const wanted = tidy(text);
  for (const root of rootsBelow(document)) {
    const parts = "body" in root ? [dom.body(root)] : Array.from(root.children);
    for (const part of parts) if (part && tidy(dom.innerText(/** @type {HTMLElement} */ (part)) ?? "").includes(wanted)) return true;
  }
  return false;
}

/** @param {string} text */
const tidy = (text) => text.replace(/\s+/g, " ").trim().toLowerCase();

/** @param {unknown} text @param {unknown} gone @param {unknown} target */
function problemText(text, gone, target) {
  if (gone) return `${JSON.stringify(gone === true ? (target ?? text) : gone)} is still there`;
  return `${JSON.stringify(target ?? text)} is not there`;
}
