// Wraps the platform's functions, to record facts that the DOM doesn't reveal later.

/** The original functions, by their replacements. */
const originals = new Map<unknown, unknown>();

type Arguments<M> = M extends (...args: infer A) => unknown ? A : never;
type Result<M> = M extends (...args: never[]) => infer R ? R : never;

/** Call `note` with `this`, the arguments and the result after each successful call of `owner[name]`. */
export function watchCalls<Owner extends object, Name extends keyof Owner & string>(
  owner: Owner,
  name: Name,
  note: (self: Owner, args: Arguments<Owner[Name]>, result: Result<Owner[Name]>) => void,
) {
  replaceCall(owner, name, (target, self, args) => {
    const result = Reflect.apply(target, self, args);
    note(self, args, result);
    return result;
  });
}

/** Replace `owner[name]` by `call`. A proxy preserves the name, the length and all other properties. */
export function replaceCall<Owner extends object, Name extends keyof Owner & string>(
  owner: Owner,
  name: Name,
  call: (target: Function, self: Owner, args: Arguments<Owner[Name]>) => unknown,
) {
  const original = owner[name];
  if (typeof original !== "function") throw new TypeError(`${name} isn't a function.`);
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
