// node:timers. A pending timer keeps the program running, unless it is `unref`ed.
import { hold, inTurn, nextTick, run } from "./loop.js";

const { setTimeout: start, clearTimeout: stop } = globalThis;
const MOST_MS = 2 ** 31 - 1;
let count = 0;
/** @type {Map<number, Timeout>} */
const running = new Map();

class Timeout {
  /** @param {(...args: any[]) => void} action @param {number} ms @param {any[]} args @param {boolean} repeats */
  constructor(action, ms, args, repeats) {
    if (typeof action !== "function") {
      const error = new TypeError(`The "callback" argument must be of type function. Received ${action === null ? "null" : typeof action}`);
      throw Object.assign(error, { code: "ERR_INVALID_ARG_TYPE" });
    }
    this._id = ++count;
    this._action = () => action(...args);
    this._idleTimeout = ms >= 1 && ms <= MOST_MS ? Math.trunc(ms) : 1;
    this._repeats = repeats;
    this._refed = true;
    this.refresh();
  }
  refresh() {
    this.close();
    running.set(this._id, this);
    if (this._refed) this._release = hold();
    this._timer = start(() => {
      if (!this._repeats) this.close();
      run(this._action);
      if (this._repeats && running.has(this._id)) this.refresh();
    }, this._idleTimeout);
    return this;
  }
  close() {
    stop(this._timer);
    running.delete(this._id);
    this._release?.();
    return this;
  }
  ref() {
    if (!this._refed && running.has(this._id)) this._release = hold();
    this._refed = true;
    return this;
  }
  unref() {
    this._refed = false;
    this._release?.();
    return this;
  }
  hasRef() {
    return this._refed;
  }
  [Symbol.toPrimitive]() {
    return this._id;
  }
}

class Immediate {
  /** @param {(...args: any[]) => void} action @param {any[]} args */
  constructor(action, args) {
    this._cleared = false;
    this._release = hold();
    inTurn(() => {
      this._release();
      if (!this._cleared) run(() => action(...args));
    });
  }
  ref() {
    return this;
  }
  unref() {
    this._release();
    return this;
  }
  hasRef() {
    return !this._cleared;
  }
}

/** @param {any} action @param {number} [ms] @param {any[]} args */
const setTimeout = (action, ms = 1, ...args) => new Timeout(action, ms, args, false);
/** @param {any} action @param {number} [ms] @param {any[]} args */
const setInterval = (action, ms = 1, ...args) => new Timeout(action, ms, args, true);
/** @param {any} action @param {any[]} args */
const setImmediate = (action, ...args) => new Immediate(action, args);
/** @param {any} timer a Timeout or its number */
const clearTimeout = (timer) => void (timer instanceof Timeout ? timer : running.get(Number(timer)))?.close();
const clearInterval = clearTimeout;
/** @param {any} immediate */
function clearImmediate(immediate) {
  if (!(immediate instanceof Immediate)) return;
  immediate._cleared = true;
  immediate._release();
}

/** @param {AbortSignal | undefined} signal @param {(resolve: (value: any) => void) => () => void} begin returns what ends it */
function abortable(signal, begin) {
  return new Promise((resolve, reject) => {
    const abort = () => reject(Object.assign(new Error("The operation was aborted"), { name: "AbortError", code: "ABORT_ERR" }));
    if (signal?.aborted) return abort();
    const end = begin(resolve);
    signal?.addEventListener("abort", () => (end(), abort()), { once: true });
  });
}

const promises = {
  setTimeout: (/** @type {number} */ ms, /** @type {any} */ value, /** @type {any} */ { signal } = {}) =>
    abortable(signal, (resolve) => {
      const timer = setTimeout(() => resolve(value), ms);
      return () => timer.close();
    }),
  setImmediate: (/** @type {any} */ value, /** @type {any} */ { signal } = {}) =>
    abortable(signal, (resolve) => {
      const immediate = setImmediate(() => resolve(value));
      return () => clearImmediate(immediate);
    }),
  async *setInterval(/** @type {number} */ ms, /** @type {any} */ value) {
    for (;;) yield await promises.setTimeout(ms, value);
  },
  scheduler: { wait: (/** @type {number} */ ms) => promises.setTimeout(ms, undefined), yield: () => promises.setImmediate(undefined) },
};

const custom = Symbol.for("nodejs.util.promisify.custom");
Object.assign(setTimeout, { [custom]: promises.setTimeout });
Object.assign(setImmediate, { [custom]: promises.setImmediate });

export const timers = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, promises };

/** @param {any} process */
export function install(process) {
  const { promises: none, ...functions } = timers;
  void none;
  Object.assign(globalThis, functions);
  process.nextTick = nextTick;
}
