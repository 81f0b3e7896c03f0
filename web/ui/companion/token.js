/**
 * What lets this page talk to the companion: it is in the address that the companion tells the person, behind the `#`,
 * which goes to no server. From there it moves to where a reload of this tab finds it, and nobody who looks at the address.
 */

const NAME = "companion";
const KEPT = "gemini:companion";

/** @returns {string | null} null where this page was not opened by a companion's address */
export function companionToken() {
  const told = new URLSearchParams(location.hash.slice(1));
  const token = told.get(NAME);
  if (token === null) return sessionStorage.getItem(KEPT);
  sessionStorage.setItem(KEPT, token);
  told.delete(NAME);
  const rest = told.toString();
  history.replaceState(history.state, "", `${location.pathname}${location.search}${rest === "" ? "" : `#${rest}`}`);
  return token;
}

/** An address of another start that is opened in this tab changes no more than what is behind the `#`. */
export function followToken() {
  addEventListener("hashchange", () => new URLSearchParams(location.hash.slice(1)).has(NAME) && location.reload());
}

/**
 * Whether a person is at this page; nobody is where the companion opened it for itself, with `nobody` in its address.
 *
 * @returns {boolean}
 */
export function isAttended() {
  const name = `${KEPT}:nobody`;
  if (new URLSearchParams(location.hash.slice(1)).has("nobody")) sessionStorage.setItem(name, "");
  return sessionStorage.getItem(name) === null;
}

/** What this tab is known by to the companion, also after a reload. @returns {string} */
export function pageKey() {
  const name = `${KEPT}:page`;
  const kept = sessionStorage.getItem(name);
  if (kept !== null) return kept;
  const made = crypto.randomUUID();
  sessionStorage.setItem(name, made);
  return made;
}
