// node:zlib: the functions that return all at once.
import { Buffer } from "buffer";
import { deflateSync, gunzipSync, gzipSync, inflateSync, unzlibSync, zlibSync } from "fflate";

import { encoded } from "./fs.ts";
import { run, inTurn } from "./loop.ts";

const FUNCTIONS = {
  gzip: gzipSync,
  gunzip: gunzipSync,
  deflate: zlibSync,
  inflate: unzlibSync,
  deflateRaw: deflateSync,
  inflateRaw: inflateSync,
};

export const zlib: Record<string, Function> = {};
for (const [name, action] of Object.entries(FUNCTIONS)) {
  const now = (data: unknown) => Buffer.from(action(encoded(data)));
  zlib[`${name}Sync`] = now;
  zlib[name] = (...args: unknown[]) => {
    const done = args.pop();
    if (typeof done !== "function") throw new TypeError('The "callback" argument must be of type function.');
    inTurn(() =>
      run(() => {
        try {
          done(null, now(args[0]));
        } catch (error) {
          done(error);
        }
      }),
    );
  };
}
zlib.unzipSync = zlib.gunzipSync;
