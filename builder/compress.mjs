// Compresses files: `node compress.mjs FILE TARGET ...` writes TARGET.br and TARGET.gz, then prints FILE.
import { readFile, rename, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;

// Large files (Python, packages) rarely change, so they get the slowest level. Small files change with every build,
// which should not wait for a few kilobytes.
const LARGE = 1 << 20;

const codings = {
  gz: (data) => promisify(gzip)(data, { level: 9 }),
  br: (data) =>
    promisify(brotliCompress)(data, {
      params: {
        [BROTLI_PARAM_QUALITY]: data.length > LARGE ? 11 : 9,
        // The largest window that browsers support.
        [BROTLI_PARAM_LGWIN]: 24,
        [BROTLI_PARAM_SIZE_HINT]: data.length,
      },
    }),
};

async function compress(file, target) {
  const data = await readFile(file);
  for (const [ending, code] of Object.entries(codings)) {
    const copy = `${target}.${ending}`;
    await writeFile(`${copy}.partial`, await code(data));
    await rename(`${copy}.partial`, copy);
  }
  console.log(file);
}

const given = process.argv.slice(2);
const pairs = given.flatMap((file, index) => (index % 2 ? [] : [[file, given[index + 1]]]));
// zlib works in its own threads, so the files are compressed in parallel.
await Promise.all(pairs.map(([file, target]) => compress(file, target)));
