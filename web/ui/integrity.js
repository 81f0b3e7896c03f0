/** The hash of a file of the build, as the page lists it (builder/integrity.py). @param {string} name @returns {string} empty where it isn't listed */
export function integrityOf(name) {
  const map = document.querySelector("script[type=importmap]")?.textContent ?? "{}";
  return JSON.parse(map).integrity?.[`./${name}`] ?? "";
}
