/** What only concerns looks, kept by the browser: which view, how it is sorted, what is open. */

const PREFIX = "gemini.";

/**
 * @template Value
 * @param {string} name
 * @param {Value} fallback where nothing is kept, or nothing of that kind
 * @returns {Value}
 */
export function kept(name, fallback) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    const value = text === null ? fallback : JSON.parse(text);
    return typeof value === typeof fallback && Array.isArray(value) === Array.isArray(fallback) ? value : fallback;
  } catch (error) {
    // Storage may be denied, and what is in it may be anybody's.
    if (error instanceof SyntaxError || error instanceof DOMException) return fallback;
    throw error;
  }
}

/**
 * @param {string} name
 * @param {unknown} value undefined forgets it
 * @returns {boolean} whether the browser had room for it
 */
export function keep(name, value) {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}
