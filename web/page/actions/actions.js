// What can be done to a page. Each action takes a target and its own arguments, and returns a promise.

/**
 * @import { Entry } from "../snapshot/entries.js"
 * @import { Target } from "../targets.js"
 *
 * @typedef {object} Page what actions need of the page script
 * @property {(target: Target) => Element} resolve
 * @property {() => Entry[]} look what can be acted on now; leaves alone what `changed_only` tells
 *
 * @typedef {(options: any) => Promise<any>} Action `options` has the target, the arguments, and perhaps a `signal`
 */

/** @param {Page} page @returns {Record<string, Action>} */
export function createActions(page) {
  void page;
  return {};
}
