// The hashes of the documents that the service worker has saved, in a cookie. Dedicated workers can write caches and
// databases but not cookies (https://cookiestore.spec.whatwg.org/), so code in the kernel can't change them.

const COOKIE = "gemini-saved";
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

type Name = "page" | "frame";

/** The record of the saved build and its documents. */
export class SavedDocuments {
  /** undefined in some browsers, which save nothing */
  #cookies: CookieStore | undefined = Reflect.get(globalThis, "cookieStore");
  #path: string;

  /** @param path - the page's, for the cookie */
  constructor(path: string) {
    this.#path = path;
  }

  /** Return the build that was saved last. */
  async build(): Promise<string | null> {
    return (await this.#read())?.build ?? null;
  }

  /** Return a copy if it is the document that was saved, else null. */
  async genuine(name: Name, copy: Response | undefined): Promise<Response | null> {
    const hashes = await this.#read();
    if (!copy || !hashes) return null;
    return (await hash(copy.clone())) === hashes[name] ? copy : null;
  }

  /**
   * Record a saved build.
   * @throws {Error} service workers have no cookies here
   */
  async record(build: string, { page, frame }: Record<Name, Response>) {
    if (!this.#cookies)
      throw new Error("Offline use needs cookies in service workers, which this browser doesn't have.");
    const value = [build, await hash(page), await hash(frame)].join(".");
    await this.#cookies.set({
      name: COOKIE,
      value,
      path: this.#path,
      sameSite: "strict",
      expires: Date.now() + YEAR_MS,
    });
  }

  async #read(): Promise<({ build: string } & Record<Name, string>) | null> {
    const cookie = await this.#cookies?.get(COOKIE);
    if (!cookie) return null;
    const [build, page, frame] = (cookie.value ?? "").split(".");
    return { build, page, frame };
  }
}

/** @returns SHA-256, in hexadecimal digits */
async function hash(response: Response): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await response.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
