// Mocks of node:test: functions that record their calls.

const replaced: (() => void)[] = [];

export function fn(original: (...args: any[]) => any = () => undefined, implementation: any = original) {
  let action = typeof implementation === "function" ? implementation : original;
  const once = new Map<number, any>();
  let calls: any[] = [];
  const context = {
    get calls() {
      return calls;
    },
    callCount: () => calls.length,
    resetCalls: () => void (calls = []),
    restore: () => void (action = original),
    mockImplementation: (next: any) => void (action = next),
    mockImplementationOnce: (next: any, at = calls.length) => void once.set(at, next),
  };
  const mocked = function (this: any, ...args: any[]) {
    const call: any = {
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

function method(owner: any, name: string, implementation?: any) {
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
