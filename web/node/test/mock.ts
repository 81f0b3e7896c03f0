// Mocks of node:test: functions that record their calls.

/** @type {(() => void)[]} */
const replaced = [];

/** @param {(...args: any[]) => any} [original] @param {any} [implementation] */
export function fn(original = () => undefined, implementation = original) {
  let action = typeof implementation === "function" ? implementation : original;
  /** @type {Map<number, any>} */
  const once = new Map();
  /** @type {any[]} */
  let calls = [];
  const context = {
    get calls() {
      return calls;
    },
    callCount: () => calls.length,
    resetCalls: () => void (calls = []),
    restore: () => void (action = original),
    mockImplementation: (/** @type {any} */ next) => void (action = next),
    mockImplementationOnce: (/** @type {any} */ next, at = calls.length) => void once.set(at, next),
  };
  const mocked = /** @this {any} */ function (/** @type {any[]} */ ...args) {
    /** @type {any} */
    const call = { arguments: args, error: undefined, result: undefined, stack: new Error(), target: new.target, this: this };
    const chosen = once.get(calls.length) ?? action;
    calls.push(call);
    try {
      call.result = new.target ? Reflect.construct(chosen, args) : chosen.apply(this, args);
      return call.result;
    } catch (error) {
      call.error = error;
      throw error;
    }
  };
  return Object.assign(mocked, { mock: context });
}

/** @param {any} owner @param {string} name @param {any} [implementation] */
function method(owner, name, implementation) {
  const original = owner[name];
  const own = Object.getOwnPropertyDescriptor(owner, name);
  const mocked = fn(original, typeof implementation === "function" ? implementation : original);
  const restore = () => void (own ? Object.defineProperty(owner, name, own) : delete owner[name]);
  Object.assign(mocked.mock, { restore });
  Object.defineProperty(owner, name, { value: mocked, writable: true, configurable: true, enumerable: own?.enumerable ?? false });
  replaced.push(restore);
  return mocked;
}

const restoreAll = () => replaced.splice(0).reverse().forEach((restore) => restore());

export const mock = { fn, method, restoreAll, reset: restoreAll };
