// Opens two tabs that seek the ownership, and prints what each learned, as JSON. Argument: the module.
const { seekOwnership } = await import(process.argv[2]);

/** Locks of one name, granted in turn. */
class Locks {
  free = Promise.resolve();

  request(_, { signal }, hold) {
    this.free = this.free.then(() => (signal.aborted ? undefined : hold()));
    return this.free;
  }
}

const locks = new Locks();
Object.defineProperty(globalThis, "navigator", { value: { locks } });
// Local storage tells every tab, which is enough: a tab ignores its own messages.
const storageListeners = [];
globalThis.addEventListener = (type, listen) => type === "storage" && storageListeners.push(listen);
globalThis.localStorage = {
  setItem: (key, newValue) => storageListeners.forEach((listen) => queueMicrotask(() => listen({ key, newValue }))),
};
const timers = [];
globalThis.setTimeout = (run, ms) => timers.push({ run, ms });
globalThis.clearTimeout = (id) => id && delete timers[id - 1];
const afterOneSecond = () => timers.filter(({ ms }) => ms <= 1000).forEach(({ run }) => run());

function open() {
  const tab = { learned: [] };
  tab.knows = new Promise((resolve) => {
    const learn = (what) => resolve(tab.learned.push(what));
    seekOwnership({ onOwned: () => learn("owned"), onElsewhere: () => learn("elsewhere"), onRelease: async () => {} });
  });
  return tab;
}

// A page that is ending holds the lock for a second.
let end;
locks.free = new Promise((resolve) => (end = resolve));
const first = open();
afterOneSecond();
end();
await first.knows;
const second = open();
await second.knows;
console.log(JSON.stringify([first.learned, second.learned]));
process.exit();
