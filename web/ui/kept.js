/** What only concerns looks, kept in this browser as JSON by name. What is lost costs a choice and nothing else. */

const PREFIX = "gemini:";

/**
 * @template Value
 * @param {string} name
 * @param {Value} fallback where nothing is kept, or nothing of that kind
 * @returns {Value}
 */
export function kept(name, fallback) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    if (text === null) return fallback;
    const value = JSON.parse(text);
    return fallback === null || kindOf(value) === kindOf(fallback) ? value : fallback;
  } catch (error) {
    // Storage may be denied, and what is in it may be anybody's.
    if (error instanceof SyntaxError || error instanceof DOMException) return fallback;
    throw error;
  }
}

/** @param {unknown} value */
function kindOf(value) {
  return Array.isArray(value) ? "list" : typeof value;
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

/** Lets go of all that is kept. @param {...string} spared names that stay */
export function forgetKept(...spared) {
  const names = spared.map((name) => PREFIX + name);
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX) && !names.includes(key)) localStorage.removeItem(key);
  }
}
