// Records the page's CloseWatchers, since no function lists them. Only a trusted Escape closes the last one.

interface Watcher extends EventTarget {
  requestClose(): void;
}

const watchers: Watcher[] = [];

/** Start recording. */
export function watchCloseWatchers(realm: typeof globalThis & { CloseWatcher?: new (options?: object) => Watcher }) {
  if (!realm.CloseWatcher) return;
  realm.CloseWatcher = new Proxy(realm.CloseWatcher, {
    construct(target, args, newTarget) {
      const watcher = Reflect.construct(target, args, newTarget);
      watchers.push(watcher);
      return watcher;
    },
  });
}

/**
 * Ask the last active CloseWatcher to close.
 * @returns false if there is none
 */
export function closeLast(): boolean {
  // Those that are no longer active ignore it.
  for (let watcher = watchers.pop(); watcher; watcher = watchers.pop()) {
    let last = "";
    for (const type of ["cancel", "close"]) watcher.addEventListener(type, () => (last = type), { once: true });
    watcher.requestClose();
    if (last === "cancel") watchers.push(watcher);
    if (last) return true;
  }
  return false;
}
