// Which documents the service worker has kept, by their hashes, in a cookie: workers can read and write caches and
// databases, but no cookies (https://cookiestore.spec.whatwg.org/), so what the kernel runs can't change this.

const COOKIE = "gemini-kept";
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** @typedef {"page" | "frame"} Name */

export class KeptDocuments {
  /** @type {any} in no TypeScript library yet; some browsers have none, and keep nothing then */
  #cookies = /** @type {any} */ (globalThis).cookieStore;
  #path;

  /** @param {string} path of the page */
  constructor(path) {
    this.#path = path;
  }

  /** The build that was kept last. @returns {Promise<string | null>} */
  async build() {
    return (await this.#read())?.build ?? null;
  }

  /** A copy, if it is the one that was kept. @param {Name} name @param {Response | undefined} copy @returns {Promise<Response | null>} */
  async genuine(name, copy) {
    const hashes = await this.#read();
    if (!copy || !hashes) return null;
    return (await hash(copy.clone())) === hashes[name] ? copy : null;
  }

  /** @param {string} build @param {Record<Name, Response>} documents @throws {Error} where the browser has no cookies for workers */
  async remember(build, { page, frame }) {
    if (!this.#cookies) throw new Error("This browser gives service workers no cookies, so copies of the page couldn't be checked.");
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
