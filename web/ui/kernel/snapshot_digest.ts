/**
 * The digest of Python's memory snapshot (web/kernel/snapshot.ts). Code in the kernel can change the snapshot's file but
 * not the page's storage, so only an unchanged snapshot starts.
 */

const STORAGE_KEY = "gemini-kernel-snapshot";

/** Return the folder of this build, whose snapshots are the only ones that fit. */
const build = () => new URL(document.baseURI).pathname.split("/").at(-2);

/** @returns SHA-256 in hexadecimal digits; null if no snapshot of this build is known */
export function knownSnapshot(): string | null {
  try {
    const [of, digest] = (localStorage.getItem(STORAGE_KEY) ?? "").split(" ");
    return of === build() && digest ? digest : null;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/** @param digest - null forgets the snapshot */
export function rememberSnapshot(digest: string | null) {
  try {
    if (digest === null) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, `${build()} ${digest}`);
  } catch (error) {
    // Without storage, each start is from scratch.
    if (!(error instanceof DOMException)) throw error;
  }
}
