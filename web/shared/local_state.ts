/** View state saved in this browser as JSON by name, such as the layout. Losing it loses no data. */

const PREFIX = "gemini:";

/** @param fallback - if nothing is saved, or a value of another type */
export function loadSaved<Value>(name: string, fallback: Value): Value {
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

function kindOf(value: unknown) {
  return Array.isArray(value) ? "list" : typeof value;
}

/**
 * @param value - undefined deletes it
 * @returns false if storage is denied or full
 */
export function save(name: string, value: unknown): boolean {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/**
 * Delete saved view state.
 * @param stays - returns whether to leave a name; by default none stays
 */
export function clearSaved(stays: (name: string) => boolean = () => false) {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX) && !stays(key.slice(PREFIX.length))) localStorage.removeItem(key);
  }
}
