/**
 * A mode of the omnibar: a module that suggests items for a text.
 *
 * @import { Piece } from "../../generated/types.js"
 *
 * @typedef {object} Suggestion
 * @property {string} [id] the same whenever the item is suggested; items with one are remembered
 * @property {string} kind one word
 * @property {Piece[]} title
 * @property {Piece[]} [detail]
 * @property {string} [hint] at the end of the line
 * @property {string} [keys] the shortcut, as displayed
 * @property {boolean} [second] whether Alt+Enter chooses it
 * @property {string} [fill] the text that the right arrow puts into the bar
 * @property {boolean} [fallback] whether it is offered for any text
 * @property {string} [group] the heading above the first item of a group
 * @property {() => unknown} run may return a failure, or its promise
 *
 * @typedef {object} Suggestions
 * @property {Suggestion[]} items best first
 * @property {string} [note] shown beside the items
 * @property {boolean} [again] whether to ask again in a moment for more items
 * @property {Promise<Suggestions>} [more] replaces these when it arrives
 *
 * @typedef {object} Mode
 * @property {string} id
 * @property {string} label
 * @property {string} placeholder
 * @property {string} [prefix] selects the mode when typed first, and is removed
 * @property {(text: string) => boolean} [implied] returns whether a text selects the mode
 * @property {number} wait milliseconds between a key and the request
 * @property {(text: string, signal: AbortSignal) => Promise<Suggestions> | Suggestions} suggest
 */

/** @param {string} text @returns {Piece[]} */
export function plain(text) {
  return text === "" ? [] : [{ text, match: false }];
}
