/** What concerns the page's looks alone, from one visit to the next: which view, which order, what is open. */

const PREFIX = "gemini.";

/**
 * @template Value
 * @param {string} name
 * @param {Value} fallback where nothing is kept, or nothing that can be read
 * @returns {Value}
 */
export function kept(name, fallback) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    // No storage, or somebody else's text: the page looks as on a first visit.
    return fallback;
  }
}

/** @param {string} name @param {unknown} value as JSON holds it */
export function keep(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // It holds until the page is closed.
  }
}

/** Lets go of all that is kept. @param {...string} spared names that stay */
export function forgetKept(...spared) {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX) && !spared.includes(key.slice(PREFIX.length))) localStorage.removeItem(key);
    }
  } catch {
    // Nothing could be kept either.
  }
}
