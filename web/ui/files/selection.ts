/** The selected files, the anchor of a range, and the focused file, all by path. */

/** @typedef {{toggle: boolean, extend: boolean}} Keys whether Ctrl and Shift are held */

export class Selection {
  /** @type {Set<string>} */
  paths = new Set();
  /** @type {string | null} */
  focused = null;
  /** @type {string | null} */
  #anchor = null;

  /** @param {string} path */
  has(path) {
    return this.paths.has(path);
  }

  /** @param {string[]} paths the first gets the focus */
  set(paths) {
    this.paths = new Set(paths);
    this.focused = this.#anchor = paths[0] ?? null;
  }

  /**
   * Handle a press on an entry.
   *
   * @param {string} path
   * @param {Keys} keys
   * @param {string[]} order
   */
  press(path, keys, order) {
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

  /**
   * Handle a key that moves the focus to an entry. With Ctrl, the selection stays.
   *
   * @param {string} path
   * @param {Keys} keys
   * @param {string[]} order
   */
  move(path, keys, order) {
    this.#anchor ??= this.focused;
    this.focused = path;
    if (keys.extend) this.#extend(path, false, order);
    else if (!keys.toggle) this.set([path]);
  }

  /** @param {string[]} order */
  all(order) {
    this.paths = new Set(order);
    this.focused ??= order[0] ?? null;
  }

  /**
   * Drop entries that no longer exist, and move the focus to the entry after a removed one.
   *
   * @param {string[]} order
   * @param {string[]} before the previous order
   */
  retain(order, before) {
    const existing = new Set(order);
    this.paths = new Set([...this.paths].filter((path) => existing.has(path)));
    if (this.#anchor !== null && !existing.has(this.#anchor)) this.#anchor = null;
    if (this.focused === null || existing.has(this.focused)) return;
    const index = before.indexOf(this.focused);
    this.focused = before.slice(index + 1).find((path) => existing.has(path)) ?? order.at(-1) ?? null;
  }

  /**
   * @param {string} path
   * @param {boolean} add whether to keep the current selection
   * @param {string[]} order
   */
  #extend(path, add, order) {
    const from = Math.max(0, order.indexOf(this.#anchor ?? path));
    const to = order.indexOf(path);
    const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
    this.paths = new Set(add ? [...this.paths, ...range] : range);
  }
}
