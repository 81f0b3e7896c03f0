/**
 * The key pair that identifies this browser to the companion. Scripts of this origin can sign with it but can't read
 * its private key: the browser stores only a handle.
 */

/** `key` is the public key, a point in base64url */
export type Keys = { pair: CryptoKeyPair; key: string };

const DATABASE = "control-surface";
const STORE = "keys";
const NAME = "companion";
const KIND = { name: "ECDSA", namedCurve: "P-256" };

// If the browser stores nothing, the pair lasts as long as the page.
let pagePair: CryptoKeyPair | null = null;

/** @returns null if there is none yet */
export async function savedKeys(): Promise<Keys | null> {
  const found: CryptoKeyPair | undefined = await stored("readonly", (store) => store.get(NAME));
  const pair = found ?? pagePair;
  return pair === null ? null : withPublic(pair);
}

/** Create and store a key pair. */
export async function newKeys(): Promise<Keys> {
  const pair = await crypto.subtle.generateKey(KIND, false, ["sign", "verify"]);
  pagePair = pair;
  await stored("readwrite", (store) => store.put(pair, NAME));
  return withPublic(pair);
}

async function withPublic(pair: CryptoKeyPair): Promise<Keys> {
  const point = await crypto.subtle.exportKey("raw", pair.publicKey);
  return { pair, key: base64url(point) };
}

/** @returns undefined if the browser stores nothing for this origin */
async function stored<Value>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value | undefined> {
  try {
    const database = await opened();
    try {
      const transaction = database.transaction(STORE, mode);
      const request = use(transaction.objectStore(STORE));
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
      return request.result;
    } finally {
      database.close();
    }
  } catch (error) {
    // Storage may be denied, or full.
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export function base64url(data: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(data)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
