// Mocks of node:test: functions that record their calls.

interface Call {
  arguments: unknown[];
  error: unknown;
  result: unknown;
  stack: Error;
  target: unknown;
  this: unknown;
}

const replaced: (() => void)[] = [];

export function fn(original: Function = () => undefined, implementation: unknown = original) {
  let action: Function = typeof implementation === "function" ? implementation : original;
  const once = new Map<number, Function>();
  let calls: Call[] = [];
  const context = {
    get calls() {
      return calls;
    },
    callCount: () => calls.length,
    resetCalls: () => void (calls = []),
    restore: () => void (action = original),
    mockImplementation: (next: Function) => void (action = next),
    mockImplementationOnce: (next: Function, at = calls.length) => void once.set(at, next),
  };
  const mocked = function (this: unknown, ...args: unknown[]) {
    const call: Call = {
      arguments: args,
      error: undefined,
      result: undefined,
      stack: new Error(),
      target: new.target,
      this: this,
    };
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

function method(owner: Record<string, Function>, name: string, implementation?: unknown) {
  const original = owner[name];
  const own = Object.getOwnPropertyDescriptor(owner, name);
  const mocked = fn(original, typeof implementation === "function" ? implementation : original);
  const restore = () => void (own ? Object.defineProperty(owner, name, own) : delete owner[name]);
  Object.assign(mocked.mock, { restore });
  Object.defineProperty(owner, name, {
    value: mocked,
    writable: true,
    configurable: true,
    enumerable: own?.enumerable ?? false,
  });
  replaced.push(restore);
  return mocked;
}

const restoreAll = () =>
  replaced
    .splice(0)
    .reverse()
    .forEach((restore) => restore());

export const mock = { fn, method, restoreAll, reset: restoreAll };
