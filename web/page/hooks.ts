// Wraps the platform's functions, to record facts that the DOM doesn't reveal later.

/** The original functions, by their replacements. */
const originals = new Map<unknown, unknown>();

/** Call `note` with `this`, the arguments and the result after each successful call of `owner[name]`. */
export function watchCalls(owner: any, name: string, note: (self: any, args: any[], result: any) => void) {
  replaceCall(owner, name, (target, self, args) => {
    const result = Reflect.apply(target, self, args);
    note(self, args, result);
    return result;
  });
}

/** Replace `owner[name]` by `call`. A proxy preserves the name, the length and all other properties. */
export function replaceCall(owner: any, name: string, call: (target: any, self: any, args: any[]) => any) {
  const original = owner[name];
  const wrapped = new Proxy(original, { apply: call });
  originals.set(wrapped, original);
  Object.defineProperty(owner, name, { ...Object.getOwnPropertyDescriptor(owner, name), value: wrapped });
}

/** Let `toString` of the replacements return the source of the originals. */
export function keepSources(realm: typeof globalThis) {
  replaceCall(realm.Function.prototype, "toString", (target, self, args) =>
    Reflect.apply(target, originals.get(self) ?? self, args),
  );
}
