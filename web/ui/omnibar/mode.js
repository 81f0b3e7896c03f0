/**
 * What a mode of the omnibar is: one module that says what fits to what was typed. The bar knows nothing else of it.
 *
 * @import { Piece } from "../types.js"
 *
 * @typedef {object} Suggestion
 * @property {string} kind in a word
 * @property {Piece[]} title
 * @property {Piece[]} [detail]
 * @property {string} [hint] at the end of its line
 * @property {string} [fill] what the right arrow puts into the bar
 * @property {() => unknown} run may give a failure, or its promise
 *
 * @typedef {object} Suggestions
 * @property {Suggestion[]} items the best first
 * @property {string} [note] said where there are none, or beside them
 * @property {boolean} [again] there will be more in a moment
 *
 * @typedef {object} Mode
 * @property {string} id
 * @property {string} label
 * @property {string} placeholder
 * @property {string} [prefix] typed first, it chooses the mode, and goes
 * @property {(text: string) => boolean} [implied] whether a text can only be meant for it
 * @property {number} wait milliseconds after a key before it is asked
 * @property {(text: string, signal: AbortSignal) => Promise<Suggestions> | Suggestions} suggest
 */

/** @param {string} text @returns {Piece[]} */
export function plain(text) {
  return text === "" ? [] : [{ text, match: false }];
}
