// just-bash's gzip, gunzip and zcat ask for node:zlib; fflate does the same work in a browser.
import { deflateSync as deflateRaw, gunzipSync as gunzip, gzipSync as gzip, inflateSync, unzlibSync, zlibSync } from "fflate";

export const constants = { Z_DEFAULT_COMPRESSION: -1, Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9 };

/** @typedef {{ level?: number }} Options */

/** @param {Options} [options] @returns {{ level: 0|1|2|3|4|5|6|7|8|9 }} */
const fromNode = (options) => {
  const level = options?.level ?? 6;
  return { level: /** @type {any} */ (level < 0 ? 6 : Math.min(level, 9)) };
};

/** @param {Uint8Array} bytes @param {Options} [options] */
export const gzipSync = (bytes, options) => gzip(bytes, fromNode(options));
/** @param {Uint8Array} bytes */
export const gunzipSync = (bytes) => gunzip(bytes);
/** @param {Uint8Array} bytes @param {Options} [options] */
export const deflateSync = (bytes, options) => zlibSync(bytes, fromNode(options));
/** @param {Uint8Array} bytes */
export const inflateSync_ = (bytes) => unzlibSync(bytes);
/** @param {Uint8Array} bytes @param {Options} [options] */
export const deflateRawSync = (bytes, options) => deflateRaw(bytes, fromNode(options));
/** @param {Uint8Array} bytes */
export const inflateRawSync = (bytes) => inflateSync(bytes);

export { inflateSync_ as inflateSync };
export default { constants, gzipSync, gunzipSync, deflateSync, inflateSync: inflateSync_, deflateRawSync, inflateRawSync };
