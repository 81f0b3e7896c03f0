// Wraps the platform's functions, to record facts that the DOM doesn't reveal later.

/** The original functions, by their replacements. @type {Map<unknown, unknown>} */
const originals = new Map();

/**
 * Call `note` with `this`, the arguments and the result after each successful call of `owner[name]`.
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
 * Replace `owner[name]` by `call`. A proxy preserves the name, the length and all other properties.
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

/** Let `toString` of the replacements return the source of the originals. @param {typeof globalThis} realm */
export function keepSources(realm) {
  replaceCall(realm.Function.prototype, "toString", (target, self, args) =>
    Reflect.apply(target, originals.get(self) ?? self, args),
  );
}
