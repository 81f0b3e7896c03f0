/** Parts of the page that come when they are first used: bundles of their own (UI_PARTS in builder/bundles.py). */

/** @type {Map<string, Promise<any>>} */
const loaded = new Map();

/**
 * Rejects where a part can't be loaded; the next call tries again.
 *
 * @param {string} name as in UI_PARTS
 * @returns {Promise<any>} what it exports
 */
export function loadPart(name) {
  const loading = loaded.get(name) ?? import(new URL(name, document.baseURI).href);
  loaded.set(name, loading);
  loading.catch(() => loaded.delete(name));
  return loading;
}
