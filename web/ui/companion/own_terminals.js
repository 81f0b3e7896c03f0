/**
 * Terminals of the person's own computer that they opened themselves. Their keys go from here to the companion: Python,
 * which draws these terminals, can't type into them.
 *
 * @import { State } from "../types.js"
 * @import { CompanionLink } from "./link.js"
 */

/** @typedef {(press: string) => Promise<string | null>} Create opens a terminal by a press; its id */

export class OwnTerminals {
  /** What a terminal was opened by. @type {Map<string, string>} */
  #presses = new Map();
  /** Told whenever another terminal is the person's own. */
  onChange = () => {};
  /** Keys go in the order in which they were typed. */
  #typing = Promise.resolve();

  /** @param {CompanionLink} link */
  constructor(link) {
    this.link = link;
  }

  /**
   * @param {State} state
   * @param {Create} create
   */
  async open({ companion: { host }, terminals }, create) {
    if (!host?.allowed) return;
    const known = new Set(terminals.map(({ id }) => id));
    const press = await this.link.pressForTerminal();
    const id = await create(press);
    // Python names the terminal, and must not name one that the person takes for another.
    if (id === null || known.has(id)) return;
    this.#presses.set(id, press);
    this.onChange();
  }

  /** @param {string} id of a terminal */
  has(id) {
    return this.#presses.has(id);
  }

  /**
   * @param {string} id of a terminal
   * @param {string} keys
   * @param {(why: unknown) => void} onEnd told when the terminal takes no keys any more
   */
  type(id, keys, onEnd) {
    const press = this.#presses.get(id) ?? "";
    this.#typing = this.#typing.then(() => this.link.typeKeys(press, keys)).catch((error) => {
      this.#presses.delete(id);
      this.onChange();
      onEnd(error);
    });
  }
}
