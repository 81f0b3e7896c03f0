/**
 * A mode of the omnibar: a module that suggests items for a text.
 *
 * @import { Piece } from "../types.js"
 *
 * @typedef {object} Suggestion
 * @property {string} kind one word
 * @property {Piece[]} title
 * @property {Piece[]} [detail]
 * @property {string} [hint] at the end of the line
 * @property {string} [fill] the text that the right arrow puts into the bar
 * @property {() => unknown} run may return a failure, or its promise
 *
 * @typedef {object} Suggestions
 * @property {Suggestion[]} items best first
 * @property {string} [note] shown beside the items
 * @property {boolean} [again] whether to ask again in a moment for more items
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
