/**
 * The terminals that the person opened on their own computer. Their keys go from here to the companion: Python draws
 * these terminals but can't type into them.
 *
 * @import { CompanionLink } from "./link.js"
 */

/** @typedef {(press: string) => Promise<string | null>} Create opens a terminal for a press and returns its id */

export class OwnTerminals {
  /** The press that opened each terminal. @type {Map<string, string>} */
  #presses = new Map();
  /** Called when the set of the person's own terminals changes. */
  onChange = () => {};
  /** Sends keys in the order in which they were typed. */
  #typing = Promise.resolve();

  /** @param {CompanionLink} link */
  constructor(link) {
    this.link = link;
  }

  /**
   * Open a terminal for a press of the person's.
   *
   * @param {Set<string>} known the ids of the open terminals
   * @param {Create} create
   * @returns {Promise<string | null>} its id
   */
  async open(known, create) {
    const press = await this.link.pressForTerminal();
    const id = await create(press);
    // Python names the terminal, and must not name one that already exists.
    if (id === null || known.has(id)) return null;
    this.#presses.set(id, press);
    this.onChange();
    return id;
  }

  /** @param {string} id of a terminal */
  has(id) {
    return this.#presses.has(id);
  }

  /** Forget a terminal that has closed: another one may get its name. @param {string} id */
  forget(id) {
    if (this.#presses.delete(id)) this.onChange();
  }

  /**
   * @param {string} id of a terminal
   * @param {string} keys
   * @param {(why: unknown) => void} onEnd called when the terminal no longer accepts keys
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
