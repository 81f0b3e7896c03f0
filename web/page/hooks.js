// Stands between a page and the platform's functions, to note what nothing in the DOM tells later.

/** The functions that stand in for others, and those. @type {Map<unknown, unknown>} */
const originals = new Map();

/**
 * Let `note` see each call of `owner[name]` that returned: its `this`, its arguments and its result.
 * @param {any} owner
 * @param {string} name
 * @param {(self: any, args: any[], result: any) => void} note
 */
export function watchCalls(owner, name, note) {
  replaceCall(owner, name, (target, self, args) => {
    const result = Reflect.apply(target, self, args);
    note(self, args, result);
    return result;
  });
}

/**
 * Put `call` in place of `owner[name]`. A proxy keeps name, length and whatever else a page may look at.
 * @param {any} owner
 * @param {string} name
 * @param {(target: any, self: any, args: any[]) => any} call
 */
export function replaceCall(owner, name, call) {
  const original = owner[name];
  const wrapped = new Proxy(original, { apply: call });
  originals.set(wrapped, original);
  Object.defineProperty(owner, name, { ...Object.getOwnPropertyDescriptor(owner, name), value: wrapped });
}

/** Let functions that stand in for others read as those do. @param {typeof globalThis} realm */
export function keepSources(realm) {
  replaceCall(realm.Function.prototype, "toString", (target, self, args) =>
    Reflect.apply(target, originals.get(self) ?? self, args),
  );
}
