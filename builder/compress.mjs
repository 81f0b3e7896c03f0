// Compresses files: `node compress.mjs folder file...` writes <folder>/<name>.br and .gz and tells each name when done.
import { readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;

/** The best that there is, with the largest window that browsers take: it is done once for each content. */
const codings = {
  gz: (data) => promisify(gzip)(data, { level: 9 }),
  br: (data) =>
    promisify(brotliCompress)(data, {
      params: { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: data.length },
    }),
};

const [folder, ...files] = process.argv.slice(2);

async function compress(file) {
  const data = await readFile(file);
  for (const [ending, code] of Object.entries(codings)) {
    const target = join(folder, `${basename(file)}.${ending}`);
    await writeFile(`${target}.partial`, await code(data));
    await rename(`${target}.partial`, target);
  }
  console.log(basename(file));
}

// zlib has threads of its own, so they run side by side.
await Promise.all(files.map(compress));
