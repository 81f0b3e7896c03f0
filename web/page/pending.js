// What a page has begun because of an action and not ended yet: timers and requests. Nothing tells of them, so the script
// has to be there before they are made; its own timers don't count.

import { replaceCall, watchCalls } from "./hooks.js";

// What comes later isn't an answer to a press but a plan.
const LONGEST_MS = 300;

// The head of an answer may be there long before its body.
const BODY_READERS = ["arrayBuffer", "blob", "formData", "json", "text"];

/** @type {Set<unknown>} */
const pending = new Set();
/** Those to requests of an action. @type {WeakSet<Response>} */
const answers = new WeakSet();
/** How many actions, or callbacks of what they began, run now. */
let causing = 0;
/** When the last of it ended. */
let ended = 0;

/** Note it from now on. @param {any} realm */
export function watchPending(realm) {
  replaceCall(realm, "setTimeout", (target, self, args) => {
    const [work, delay = 0] = args;
    if (!causing || typeof work !== "function" || delay > LONGEST_MS) return Reflect.apply(target, self, args);
    const run = (/** @type {any[]} */ ...given) => caused(() => Reflect.apply(work, self ?? realm, given), () => end(id));
    const id = Reflect.apply(target, self, [run, ...args.slice(1)]);
    pending.add(id);
    return id;
  });
  watchCalls(realm, "clearTimeout", (_, [id]) => end(id));
  watchCalls(realm, "fetch", (_, __, answer) => {
    if (!causing) return;
    pending.add(answer);
    endWith(answer, (/** @type {Response} */ response) => answers.add(response));
  });
  for (const read of BODY_READERS) {
    watchCalls(realm.Response.prototype, read, (response, _, body) => {
      if (!answers.has(response)) return;
      pending.add(body);
      endWith(body);
    });
  }
  watchCalls(realm.XMLHttpRequest.prototype, "send", (request) => {
    if (!causing) return;
    pending.add(request);
    request.addEventListener("loadend", () => end(request), { once: true });
  });
}

/** @param {Promise<any>} promise @param {(value: any) => void} [then] */
function endWith(promise, then) {
  promise.then((value) => (then?.(value), end(promise)), () => end(promise));
}

/** @param {unknown} one */
function end(one) {
  if (pending.delete(one)) ended = performance.now();
}

/** What runs now brings about what it begins. @param {() => unknown} work @param {() => void} after */
function caused(work, after) {
  causing++;
  try {
    return work();
  } finally {
    causing--;
    after();
  }
}

/** An action begins; ends with what is returned. What it began before is forgotten. */
export function beginCausing() {
  pending.clear();
  causing++;
  let over = false;
  return () => {
    if (!over) causing--;
    over = true;
  };
}

/** How much is under way, and when the last of it ended, in the time of `performance.now()`. */
export function underWay() {
  return { count: pending.size, ended };
}
