// What a page has, as a list and as a text that agents read.

/**
 * @import { Refs } from "../refs.js"
 * @import { Listeners } from "../listeners.js"
 * @import { Targets } from "../targets.js"
 *
 * @typedef {object} Options
 * @property {string} [scope] a ref or a selector: only what is in that element
 * @property {boolean} [changed_only] only what appeared or changed since the last snapshot, and the refs that went
 * @property {number} [max_chars] of the text
 *
 * @typedef {object} Entry
 * @property {string} ref
 * @property {string} role
 * @property {string} name
 */

export class Snapshots {
  /** @param {Refs} refs @param {Listeners} listeners @param {Targets} targets */
  constructor(refs, listeners, targets) {
    this.refs = refs;
    this.listeners = listeners;
    this.targets = targets;
  }

  /** @param {Options} options */
  take(options) {
    void options;
    /** @type {Entry[]} */
    const elements = [];
    const scroll = { x: scrollX, y: scrollY };
    return { url: location.href, title: document.title, scroll, elements, text: "" };
  }
}
