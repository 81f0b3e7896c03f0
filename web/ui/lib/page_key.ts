const NAME = "gemini:companion:page";

/** Return this tab's id for the companion. It survives a reload and grants nothing. */
export function pageKey(): string {
  const saved = sessionStorage.getItem(NAME);
  if (saved !== null) return saved;
  const key = crypto.randomUUID();
  sessionStorage.setItem(NAME, key);
  return key;
}
