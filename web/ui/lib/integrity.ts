/**
 * Return the integrity hash that the page lists for a file of the build (builder/integrity.py).
 * @returns empty if not listed
 */
export function integrityOf(name: string): string {
  const map = document.querySelector("script[type=importmap]")?.textContent ?? "{}";
  return JSON.parse(map).integrity?.[`./${name}`] ?? "";
}

/**
 * Fetch a file of the build, and check it by its hash. Chromium uses no preloaded file for a request with
 * `integrity`.
 *
 * @returns rejects if the file isn't the build's
 */
export async function fetchOfBuild(name: string): Promise<Response> {
  const expected = integrityOf(name);
  const response = await fetch(name);
  const content = await response.clone().arrayBuffer();
  if (expected === "" || !response.ok) return response;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-384", content));
  const found = `sha384-${btoa(String.fromCharCode(...digest))}`;
  if (found !== expected) throw new Error(`${name} isn't the file of this build. Reload the page.`);
  return response;
}
