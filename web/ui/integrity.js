/** Return the integrity hash that the page lists for a file of the build (builder/integrity.py). @param {string} name @returns {string} empty if not listed */
export function integrityOf(name) {
  const map = document.querySelector("script[type=importmap]")?.textContent ?? "{}";
  return JSON.parse(map).integrity?.[`./${name}`] ?? "";
}
