// node:timers. A pending timer keeps the program running, unless it is `unref`ed.
import { hold, inTurn, nextTick, run } from "./loop.ts";

const { setTimeout: start, clearTimeout: stop } = globalThis;
const MOST_MS = 2 ** 31 - 1;
let count = 0;
const running = new Map<number, Timeout>();

/** of the program, which is checked */
type Action = (...args: unknown[]) => void;

class Timeout {
  _id: number;
  _action: () => void;
  _idleTimeout: number;
  _repeats: boolean;
  _refed: boolean;
  _release?: () => void;
  _timer?: ReturnType<typeof start>;

  constructor(action: Action, ms: number, args: unknown[], repeats: boolean) {
    if (typeof action !== "function") {
      const error = new TypeError(
        `The "callback" argument must be of type function. Received ${action === null ? "null" : typeof action}`,
      );
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
  _cleared = false;
  _release: () => void;

  constructor(action: Action, args: unknown[]) {
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

const setTimeout = (action: Action, ms = 1, ...args: unknown[]) => new Timeout(action, ms, args, false);
const setInterval = (action: Action, ms = 1, ...args: unknown[]) => new Timeout(action, ms, args, true);
const setImmediate = (action: Action, ...args: unknown[]) => new Immediate(action, args);
/** @param timer - a Timeout or its number */
const clearTimeout = (timer: unknown) => void (timer instanceof Timeout ? timer : running.get(Number(timer)))?.close();
const clearInterval = clearTimeout;
function clearImmediate(immediate: unknown) {
  if (!(immediate instanceof Immediate)) return;
  immediate._cleared = true;
  immediate._release();
}

/** @param begin - returns what ends it */
function abortable(signal: AbortSignal | undefined, begin: (resolve: (value: unknown) => void) => () => void) {
  return new Promise((resolve, reject) => {
    const abort = () =>
      reject(Object.assign(new Error("The operation was aborted"), { name: "AbortError", code: "ABORT_ERR" }));
    if (signal?.aborted) return abort();
    const end = begin(resolve);
    signal?.addEventListener("abort", () => (end(), abort()), { once: true });
  });
}

const promises = {
  setTimeout: (ms: number, value: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    abortable(signal, (resolve) => {
      const timer = setTimeout(() => resolve(value), ms);
      return () => timer.close();
    }),
  setImmediate: (value: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    abortable(signal, (resolve) => {
      const immediate = setImmediate(() => resolve(value));
      return () => clearImmediate(immediate);
    }),
  async *setInterval(ms: number, value: unknown) {
    for (;;) yield await promises.setTimeout(ms, value);
  },
  scheduler: {
    wait: (ms: number) => promises.setTimeout(ms, undefined),
    yield: () => promises.setImmediate(undefined),
  },
};

const custom = Symbol.for("nodejs.util.promisify.custom");
Object.assign(setTimeout, { [custom]: promises.setTimeout });
Object.assign(setImmediate, { [custom]: promises.setImmediate });

export const timers = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, promises };

export function install(process: { nextTick?: typeof nextTick }) {
  const { promises: none, ...functions } = timers;
  void none;
  Object.assign(globalThis, functions);
  process.nextTick = nextTick;
}
