// Waits for what a person would see.

import { rootsBelow } from "../composed.js";
import { InvalidArguments, NotFound, StaleRef, TimedOut } from "../errors.js";
import { isShown } from "./ready.js";
import { pause } from "./waiting.js";

/** @import { Page } from "./actions.js" */

const SECONDS = 10;
const LOOK_MS = 50;
// Looking may take a large page long; it gets at most this share of the time.
const SHARE = 4;

/**
 * Wait until a text or an element is there, or gone; or for some seconds.
 * @param {Page} page
 * @param {any} options `text` or a ref or selector, to come; or `gone`, a text, or true for the ref or selector;
 *   `seconds`, at most, or exactly where nothing else is given
 * @returns {Promise<{ success: true, waited_s: number }>}
 */
export async function waitFor(page, { text, gone, seconds, ref, selector, signal }) {
  const start = performance.now();
  const waited = () => (performance.now() - start) / 1000;
  const holds = condition(page, { text, gone, ref, selector });
  if (seconds !== undefined && !(seconds >= 0)) throw new InvalidArguments("`seconds` is a number from 0 on.");
  if (!holds && seconds === undefined) {
    throw new InvalidArguments("There is nothing to wait for.", { hint: "Give text, gone, a ref or selector, or seconds." });
  }
  const most = seconds ?? SECONDS;
  if (!holds) await pause(most * 1000, signal);
  while (holds) {
    signal?.throwIfAborted();
    const looked = performance.now();
    if (holds()) break;
    if (waited() >= most) {
      throw new TimedOut(`${told(text, gone, ref ?? selector)} after ${most} s.`, { hint: "Take a snapshot to see what is there." });
    }
    await pause(Math.max(LOOK_MS, SHARE * (performance.now() - looked)), signal);
  }
  return { success: true, waited_s: Math.round(waited() * 1000) / 1000 };
}

/** @param {Page} page @param {any} wanted @returns {(() => boolean) | null} */
function condition(page, { text, gone, ref, selector }) {
  for (const one of [text, typeof gone === "boolean" ? undefined : gone]) {
    if (one !== undefined && (typeof one !== "string" || one === "")) throw new InvalidArguments("The text to wait for is a text.");
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

/** Whether the text is drawn somewhere. @param {string} text */
function isSeen(text) {
  const wanted = tidy(text);
  for (const root of rootsBelow(document)) {
    const parts = "body" in root ? [root.body] : Array.from(root.children);
    for (const part of parts) if (part && tidy(/** @type {HTMLElement} */ (part).innerText ?? "").includes(wanted)) return true;
  }
  return false;
}

/** @param {string} text */
const tidy = (text) => text.replace(/\s+/g, " ").trim().toLowerCase();

/** @param {unknown} text @param {unknown} gone @param {unknown} target */
function told(text, gone, target) {
  if (gone) return `${JSON.stringify(gone === true ? (target ?? text) : gone)} is still there`;
  return `${JSON.stringify(target ?? text)} is not there`;
}
