/**
 * The hosts of sites: for each root one of random bits, so that two sites have two origins, and another one for when the
 * person lets the site reach others. A site that comes back finds what it has stored.
 */

const LABELS = "gemini:sites";
const PLACE = "gemini:sites-place";
const MOST = 200;
const BYTES = 128 / 8;

/** What the browser doesn't keep holds as long as the page. @type {Map<string, string>} */
const here = new Map();

/**
 * @param {string} root the directory of the site
 * @param {boolean} outside
 * @returns {string} the first label of the host; the worker reads from it whether the site may reach others (web/site/policy.js)
 */
export function labelOf(root, outside) {
  /** @type {{ root: string, inside: string, outside: string }[]} those that were used last at the end */
  const known = JSON.parse(read(LABELS) ?? "[]");
  const kept = known.find((each) => each.root === root);
  const entry = kept ?? { root, inside: random(), outside: random() };
  write(LABELS, JSON.stringify([...known.filter((each) => each !== kept), entry].slice(-MOST)));
  return outside ? `n${entry.outside}` : entry.inside;
}

/** Return whether sites have stood at a place in this browser. @param {string} place */
export function isProven(place) {
  return read(PLACE) === place;
}

/** @param {string} place */
export function prove(place) {
  if (!isProven(place)) write(PLACE, place);
}

function random() {
  return Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} key */
function read(key) {
  if (!here.has(key)) {
    try {
      here.set(key, localStorage.getItem(key) ?? "");
    } catch (error) {
      console.warn("The hosts of earlier sites can't be read, so sites begin with empty storage.", error);
    }
  }
  return here.get(key) || null;
}

/** @param {string} key @param {string} value */
function write(key, value) {
  here.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch (error) {
    console.warn("The hosts of sites can't be kept, so they begin with empty storage at the next visit.", error);
  }
}
