/**
 * What can be done here by name. Modules add their commands; the omnibar and the shortcut sheet list them.
 *
 * @typedef {object} Command
 * @property {string} id
 * @property {string} title as an imperative
 * @property {string} [keywords] other words that people look for it by
 * @property {string} [shortcut] its keys, as they are shown: `Ctrl+K`
 * @property {() => boolean} [available] whether it makes sense now
 * @property {() => unknown} run
 *
 * @typedef {object} Keys what keys do in a part of the page
 * @property {string} where
 * @property {[keys: string, does: string][]} does
 */

const EVERYWHERE = "Everywhere";

class Commands {
  /** @type {Map<string, Command>} */
  #commands = new Map();
  /** @type {Map<string, Keys>} */
  #keys = new Map();

  /** Add commands, each in the place of another of its id. @param {...Command} added */
  add(...added) {
    for (const command of added) this.#commands.set(command.id, command);
  }

  /** Tell of the keys of a part of the page, in the place of what was told of it before. @param {Keys} keys */
  addKeys(keys) {
    this.#keys.set(keys.where, keys);
  }

  /** Every key that was told of; those of commands work everywhere. @returns {Keys[]} */
  get keys() {
    const everywhere = this.all.flatMap(({ shortcut, title }) => (shortcut ? [[shortcut, title]] : []));
    return [{ where: EVERYWHERE, does: /** @type {Keys["does"]} */ (everywhere) }, ...this.#keys.values()];
  }

  /** Those that make sense now. */
  get available() {
    return this.all.filter(({ available }) => available?.() ?? true);
  }

  get all() {
    return [...this.#commands.values()];
  }
}

export const commands = new Commands();

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

/** The key that shortcuts are made with on this system. */
export const MOD = IS_MAC ? "⌘" : "Ctrl";

/** Whether the key that shortcuts are made with is held, and no other. @param {KeyboardEvent} event */
export function isMod({ ctrlKey, metaKey, altKey, shiftKey }) {
  return (IS_MAC ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;
}
