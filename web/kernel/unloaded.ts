// When a worker's script can't be loaded, the browser doesn't say why; the host may.

// The companion answers so for a part of the page that it can't fetch, and says what to do.
const UNAVAILABLE = 503;

/**
 * Return why a worker's script can't be loaded, in a sentence without the full stop at its end.
 *
 * @param name - of the script
 */
export async function whyUnloaded(url: URL, name: string): Promise<string> {
  const answer = await fetch(url).catch((error: Error) => error);
  if (answer instanceof Error) return `${name} can't be loaded: ${answer.message}`;
  const isSentence = answer.headers.get("Content-Type")?.startsWith("text/plain");
  if (answer.status === UNAVAILABLE && isSentence) return (await answer.text()).trim().replace(/\.$/, "");
  return `${name} can't be loaded${answer.ok ? "" : ` (${answer.status})`}: reload the page`;
}
