/** The commands of the page. Modules add theirs; the omnibar and the shortcut sheet list them. */

import { IS_MAC } from "../../page/shortcuts.ts";

interface Command {
  id: string;
  /** as an imperative */
  title: string;
  /** `panel`, if it opens one */
  kind?: string;
  /** its place among those that the palette offers before anything is typed */
  starter?: number;
  /** other search words */
  keywords?: string;
  /** as displayed: `Ctrl+K` */
  shortcut?: string;
  available?: () => boolean;
  run: () => unknown;
}

/** the keys of one part of the page */
export interface Keys {
  where: string;
  does: [keys: string, does: string][];
}

const EVERYWHERE = "Everywhere";

class Commands {
  #commands = new Map<string, Command>();
  #keys = new Map<string, Keys>();

  /** Add commands. A command replaces another with its id. */
  add(...added: Command[]) {
    for (const command of added) this.#commands.set(command.id, command);
  }

  /** List the keys of parts of the page. Replaces the lists they had. */
  addKeys(...added: Keys[]) {
    for (const keys of added) this.#keys.set(keys.where, keys);
  }

  /** All listed keys. The keys of commands work everywhere. */
  get keys(): Keys[] {
    const everywhere = this.all.flatMap(({ shortcut, title }): Keys["does"] => (shortcut ? [[shortcut, title]] : []));
    return [{ where: EVERYWHERE, does: everywhere }, ...this.#keys.values()];
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
/** The beginning of the name of a chord with Alt. */
export const ALT = IS_MAC ? "⌥" : "Alt+";
