/**
 * The commands of the page. Modules add theirs; the omnibar and the shortcut sheet list them.
 *
 * @typedef {object} Command
 * @property {string} id
 * @property {string} title as an imperative
 * @property {string} [kind] `panel`, if it opens one
 * @property {number} [starter] its place among those that the palette offers before anything is typed
 * @property {string} [keywords] other search words
 * @property {string} [shortcut] as displayed: `Ctrl+K`
 * @property {() => boolean} [available]
 * @property {() => unknown} run
 *
 * @typedef {object} Keys the keys of one part of the page
 * @property {string} where
 * @property {[keys: string, does: string][]} does
 */

import { IS_MAC } from "../page/shortcuts.js";

const EVERYWHERE = "Everywhere";

class Commands {
  /** @type {Map<string, Command>} */
  #commands = new Map();
  /** @type {Map<string, Keys>} */
  #keys = new Map();

  /** Add commands. A command replaces another with its id. @param {...Command} added */
  add(...added) {
    for (const command of added) this.#commands.set(command.id, command);
  }

  /** List the keys of a part of the page. Replaces the list it had. @param {Keys} keys */
  addKeys(keys) {
    this.#keys.set(keys.where, keys);
  }

  /** All listed keys. The keys of commands work everywhere. @returns {Keys[]} */
  get keys() {
    const everywhere = this.all.flatMap(({ shortcut, title }) => (shortcut ? [[shortcut, title]] : []));
    return [{ where: EVERYWHERE, does: /** @type {Keys["does"]} */ (everywhere) }, ...this.#keys.values()];
  }

  /** The commands that are available now. */
  get available() {
    return this.all.filter(({ available }) => available?.() ?? true);
  }

  get all() {
    return [...this.#commands.values()];
  }
}

export const commands = new Commands();

/** The modifier key of shortcuts on this system. */
export const MOD = IS_MAC ? "⌘" : "Ctrl";
