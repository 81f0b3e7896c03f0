/**
 * The key pair that this browser is known by to the companion. Scripts of this origin can sign with it, and none can read
 * its private half: what is stored is a handle of the browser's.
 *
 * @typedef {{pair: CryptoKeyPair, key: string}} Keys `key` is the public half, a point in base64url
 */

const DATABASE = "control-surface";
const STORE = "keys";
const NAME = "companion";
const KIND = { name: "ECDSA", namedCurve: "P-256" };

// Where the browser keeps nothing, it lasts as long as the page.
/** @type {CryptoKeyPair | null} */
let unkept = null;

/** @returns {Promise<Keys | null>} null where there is none yet */
export async function keptKeys() {
  /** @type {CryptoKeyPair | undefined} */
  const found = await stored("readonly", (store) => store.get(NAME));
  const pair = found ?? unkept;
  return pair === null ? null : withPublic(pair);
}

/** @returns {Promise<Keys>} made now, and kept */
export async function newKeys() {
  const pair = await crypto.subtle.generateKey(KIND, false, ["sign", "verify"]);
  unkept = pair;
  await stored("readwrite", (store) => store.put(pair, NAME));
  return withPublic(pair);
}

/** @param {CryptoKeyPair} pair @returns {Promise<Keys>} */
async function withPublic(pair) {
  const point = await crypto.subtle.exportKey("raw", pair.publicKey);
  return { pair, key: base64url(point) };
}

/**
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest} use
 * @returns {Promise<any>} undefined where the browser keeps nothing for this origin
 */
async function stored(mode, use) {
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

/** @returns {Promise<IDBDatabase>} */
function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @param {ArrayBuffer} data @returns {string} */
export function base64url(data) {
  return btoa(String.fromCharCode(...new Uint8Array(data))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
