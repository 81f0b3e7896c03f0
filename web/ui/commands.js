/**
 * What can be done here by name. Modules add their commands; the omnibar and the shortcut sheet list them.
 *
 * @typedef {object} Command
 * @property {string} id
 * @property {string} title as an imperative
 * @property {string} [keywords] other words that people look for it by
 * @property {string} [shortcut] its keys, as they are shown: `Ctrl+K`
 * @property {string} [where] the part of the page in which the shortcut works; everywhere where it isn't said
 * @property {() => boolean} [available] whether it makes sense now
 * @property {() => unknown} run
 */

class Commands {
  /** @type {Map<string, Command>} */
  #commands = new Map();

  /** Add commands, each in the place of another of its id. @param {...Command} added */
  add(...added) {
    for (const command of added) this.#commands.set(command.id, command);
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
