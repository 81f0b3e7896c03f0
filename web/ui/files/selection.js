/** Which files are selected, where a range of them began, and which one has the focus; all by path. */

/** @typedef {{toggle: boolean, extend: boolean}} Keys whether Control, and whether Shift is held */

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

  /** @param {string[]} paths the first of them gets the focus */
  set(paths) {
    this.paths = new Set(paths);
    this.focused = this.#anchor = paths[0] ?? null;
  }

  /**
   * A press on one.
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
   * A key that moves the focus there. With Control it leaves the selection as it is.
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
   * What is no longer there is no longer selected; the focus goes to what has taken its place.
   *
   * @param {string[]} order
   * @param {string[]} before the order in which they were
   */
  retain(order, before) {
    const there = new Set(order);
    this.paths = new Set([...this.paths].filter((path) => there.has(path)));
    if (this.#anchor !== null && !there.has(this.#anchor)) this.#anchor = null;
    if (this.focused === null || there.has(this.focused)) return;
    const index = before.indexOf(this.focused);
    this.focused = before.slice(index + 1).find((path) => there.has(path)) ?? order.at(-1) ?? null;
  }

  /**
   * @param {string} path
   * @param {boolean} add to what is selected
   * @param {string[]} order
   */
  #extend(path, add, order) {
    const from = Math.max(0, order.indexOf(this.#anchor ?? path));
    const to = order.indexOf(path);
    const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
    this.paths = new Set(add ? [...this.paths, ...range] : range);
  }
}
