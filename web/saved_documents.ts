// The hashes of the documents that the service worker has saved, in a cookie. Dedicated workers can write caches and
// databases but not cookies (https://cookiestore.spec.whatwg.org/), so code in the kernel can't change them.

const COOKIE = "gemini-saved";
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** @typedef {"page" | "frame"} Name */

/** The record of the saved build and its documents. */
export class SavedDocuments {
  /** @type {any} not in TypeScript's libraries yet; undefined in some browsers, which save nothing */
  #cookies = /** @type {any} */ (globalThis).cookieStore;
  #path;

  /** @param {string} path the page's, for the cookie */
  constructor(path) {
    this.#path = path;
  }

  /** Return the build that was saved last. @returns {Promise<string | null>} */
  async build() {
    return (await this.#read())?.build ?? null;
  }

  /** Return a copy if it is the document that was saved, else null. @param {Name} name @param {Response | undefined} copy @returns {Promise<Response | null>} */
  async genuine(name, copy) {
    const hashes = await this.#read();
    if (!copy || !hashes) return null;
    return (await hash(copy.clone())) === hashes[name] ? copy : null;
  }

  /** Record a saved build. @param {string} build @param {Record<Name, Response>} documents @throws {Error} service workers have no cookies here */
  async record(build, { page, frame }) {
    if (!this.#cookies) throw new Error("Offline use needs cookies in service workers, which this browser doesn't have.");
    const value = [build, await hash(page), await hash(frame)].join(".");
    await this.#cookies.set({ name: COOKIE, value, path: this.#path, sameSite: "strict", expires: Date.now() + YEAR_MS });
  }

  /** @returns {Promise<({ build: string } & Record<Name, string>) | null>} */
  async #read() {
    const cookie = await this.#cookies?.get(COOKIE);
    if (!cookie) return null;
    const [build, page, frame] = cookie.value.split(".");
    return { build, page, frame };
  }
}

/** @param {Response} response @returns {Promise<string>} SHA-256, in hexadecimal digits */
async function hash(response) {
  const digest = await crypto.subtle.digest("SHA-256", await response.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
