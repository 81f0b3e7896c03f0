const NAME = "gemini:companion:page";

/** What this tab is known by to the companion, also after a reload; it opens nothing. @returns {string} */
export function pageKey() {
  const kept = sessionStorage.getItem(NAME);
  if (kept !== null) return kept;
  const made = crypto.randomUUID();
  sessionStorage.setItem(NAME, made);
  return made;
}
