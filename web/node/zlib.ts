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

export const zlib: Record<string, any> = {};
for (const [name, action] of Object.entries(FUNCTIONS)) {
  const now = (data: any) => Buffer.from((action as any)(encoded(data)));
  zlib[`${name}Sync`] = now;
  zlib[name] = (...args: any[]) => {
    const done = args.pop();
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
