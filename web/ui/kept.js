/** What only concerns looks, kept in this browser as JSON by name. What is lost costs a choice and nothing else. */

const PREFIX = "gemini:";

/**
 * @template Value
 * @param {string} name
 * @param {Value} fallback where nothing was kept, or nothing readable
 * @returns {Value}
 */
export function kept(name, fallback) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? fallback : JSON.parse(text);
  } catch (error) {
    console.warn(`What was kept as ${name} can't be read.`, error);
    return fallback;
  }
}

/** @param {string} name @param {unknown} value undefined forgets it */
export function keep(name, value) {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch (error) {
    console.warn(`${name} could not be kept.`, error);
  }
}

/** Lets go of all that is kept. @param {...string} spared names that stay */
export function forgetKept(...spared) {
  const names = spared.map((name) => PREFIX + name);
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX) && !names.includes(key));
    for (const key of keys) localStorage.removeItem(key);
  } catch (error) {
    console.warn("What is kept could not be let go of.", error);
  }
}
