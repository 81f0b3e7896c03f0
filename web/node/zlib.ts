// node:zlib: the functions that return all at once.
import { Buffer } from "buffer";
import { deflateSync, gunzipSync, gzipSync, inflateSync, unzlibSync, zlibSync } from "fflate";

import { encoded } from "./fs.js";
import { run, inTurn } from "./loop.js";

const FUNCTIONS = { gzip: gzipSync, gunzip: gunzipSync, deflate: zlibSync, inflate: unzlibSync, deflateRaw: deflateSync, inflateRaw: inflateSync };

/** @type {Record<string, any>} */
export const zlib = {};
for (const [name, action] of Object.entries(FUNCTIONS)) {
  const now = (/** @type {any} */ data) => Buffer.from(/** @type {any} */ (action)(encoded(data)));
  zlib[`${name}Sync`] = now;
  zlib[name] = (/** @type {any[]} */ ...args) => {
    const done = args.pop();
    inTurn(() => run(() => {
      try {
        done(null, now(args[0]));
      } catch (error) {
        done(error);
      }
    }));
  };
}
zlib.unzipSync = zlib.gunzipSync;
