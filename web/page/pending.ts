// Tracks the timers and requests that an action has started and that haven't ended. The DOM doesn't reveal them, so
// this script must be loaded before the page's own. Its own timers don't count.

import { replaceCall, watchCalls } from "./hooks.ts";

// Timers with a longer delay aren't a direct response to an action.
const LONGEST_MS = 300;

// A response's headers may arrive long before its body, so reading the body is tracked, too.
const BODY_READERS = ["arrayBuffer", "blob", "formData", "json", "text"] as const;

const pending = new Set<unknown>();
/** Responses to requests of an action. */
const responses = new WeakSet<Response>();
/** The number of actions, and of callbacks that they caused, that are running now. */
let active = 0;
/** The number of requests and windows that actions have started. */
let started = 0;
/** The time when the last timer or request ended. */
let ended = 0;

/** Tracks the work in another realm. */
let elsewhere: { track(): () => void; work(): { count: number; ended: number } } | null = null;

/** Ask a tracker in another realm, whose timers and requests are the page's. */
export function trackPendingBy(tracker: NonNullable<typeof elsewhere>) {
  elsewhere = tracker;
}

/** Start tracking. */
export function watchPending(realm: typeof globalThis) {
  replaceCall(realm, "setTimeout", (target, self, args) => {
    const [work, delay = 0] = args;
    if (!active || typeof work !== "function" || delay > LONGEST_MS) return Reflect.apply(target, self, args);
    const run = (...rest: unknown[]) =>
      runActive(
        () => Reflect.apply(work, self ?? realm, rest),
        () => end(id),
      );
    const id = Reflect.apply(target, self, [run, ...args.slice(1)]);
    pending.add(id);
    return id;
  });
  watchCalls(realm, "clearTimeout", (_, [id]) => end(id));
  watchCalls(realm, "fetch", (_, __, answer) => {
    if (!active) return;
    started++;
    pending.add(answer);
    endWith(answer, (response) => responses.add(response));
  });
  const noteStart = () => {
    if (active) started++;
  };
  watchCalls(realm.Navigator.prototype, "sendBeacon", noteStart);
  watchCalls(realm, "open", noteStart);
  for (const read of BODY_READERS) {
    watchCalls(realm.Response.prototype, read, (response, _, body) => {
      if (!responses.has(response)) return;
      pending.add(body);
      endWith(body);
    });
  }
  watchCalls(realm.XMLHttpRequest.prototype, "send", (request) => {
    if (!active) return;
    started++;
    pending.add(request);
    request.addEventListener("loadend", () => end(request), { once: true });
  });
}

function endWith<T>(promise: Promise<T>, then?: (value: T) => void) {
  promise.then(
    (value) => (then?.(value), end(promise)),
    () => end(promise),
  );
}

function end(one: unknown) {
  if (pending.delete(one)) ended = performance.now();
}

/** Run a callback whose timers and requests are tracked, too. */
function runActive(work: () => unknown, after: () => void) {
  active++;
  try {
    return work();
  } finally {
    active--;
    after();
  }
}

/**
 * Start tracking a new action, and forget the previous one's timers and requests.
 * @returns ends the action
 */
export function trackAction(): () => void {
  if (elsewhere) return elsewhere.track();
  pending.clear();
  active++;
  let over = false;
  return () => {
    if (!over) active--;
    over = true;
  };
}

/** Return the number of requests and windows that all actions have started. */
export function requestsStarted() {
  return started;
}

/** Return the number of pending timers and requests, and the time when the last one ended, as `performance.now()`. */
export function pendingWork() {
  return elsewhere?.work() ?? { count: pending.size, ended };
}
