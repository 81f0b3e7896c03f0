/** The selected files, the anchor of a range, and the focused file, all by path. */

/** whether Ctrl and Shift are held */
export type Keys = { toggle: boolean; extend: boolean };

export class Selection {
  paths = new Set<string>();
  focused: string | null = null;
  #anchor: string | null = null;

  has(path: string) {
    return this.paths.has(path);
  }

  /** @param paths - the first gets the focus */
  set(paths: string[]) {
    this.paths = new Set(paths);
    this.focused = this.#anchor = paths[0] ?? null;
  }

  /** Handle a press on an entry. */
  press(path: string, keys: Keys, order: string[]) {
    this.#anchor ??= this.focused;
    this.focused = path;
    if (keys.extend) {
      this.#extend(path, keys.toggle, order);
    } else if (keys.toggle) {
      this.#anchor = path;
      if (!this.paths.delete(path)) this.paths.add(path);
    } else {
      this.set([path]);
    }
  }

  /** Handle a key that moves the focus to an entry. With Ctrl, the selection stays. */
  move(path: string, keys: Keys, order: string[]) {
    this.#anchor ??= this.focused;
    this.focused = path;
    if (keys.extend) this.#extend(path, false, order);
    else if (!keys.toggle) this.set([path]);
  }

  all(order: string[]) {
    this.paths = new Set(order);
    this.focused ??= order[0] ?? null;
  }

  /**
   * Drop entries that no longer exist, and move the focus to the entry after a removed one.
   *
   * @param before - the previous order
   */
  retain(order: string[], before: string[]) {
    const existing = new Set(order);
    this.paths = new Set([...this.paths].filter((path) => existing.has(path)));
    if (this.#anchor !== null && !existing.has(this.#anchor)) this.#anchor = null;
    if (this.focused === null || existing.has(this.focused)) return;
    const index = before.indexOf(this.focused);
    this.focused = before.slice(index + 1).find((path) => existing.has(path)) ?? order.at(-1) ?? null;
  }

  /** @param add - whether to keep the current selection */
  #extend(path: string, add: boolean, order: string[]) {
    const from = Math.max(0, order.indexOf(this.#anchor ?? path));
    const to = order.indexOf(path);
    const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
    this.paths = new Set(add ? [...this.paths, ...range] : range);
  }
}
