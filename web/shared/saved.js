/** View state saved in this browser as JSON by name, such as the layout. Losing it loses no data. */

const PREFIX = "gemini:";

/**
 * @template Value
 * @param {string} name
 * @param {Value} fallback if nothing is saved, or a value of another type
 * @returns {Value}
 */
export function loadSaved(name, fallback) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    if (text === null) return fallback;
    const value = JSON.parse(text);
    return fallback === null || kindOf(value) === kindOf(fallback) ? value : fallback;
  } catch (error) {
    // Storage may be denied, and may hold anything.
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
 * @param {unknown} value undefined deletes it
 * @returns {boolean} false if storage is denied or full
 */
export function save(name, value) {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/** Delete saved view state. @param {(name: string) => boolean} [stays] returns whether to leave a name; by default none stays */
export function clearSaved(stays = () => false) {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX) && !stays(key.slice(PREFIX.length))) localStorage.removeItem(key);
  }
}
