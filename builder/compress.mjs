// Compresses files: `node compress.mjs FILE TARGET ...` writes TARGET.br and TARGET.gz, then prints FILE.
import { readFile, rename, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;

// Every first visit loads Python, which rarely changes, so it gets a slow level, which saves 9 %. Level 11 would save 2 to
// 4 % more, and double the time of a first build. Other files change with every build, load on first use, or, as archives,
// become hardly smaller.
const PYTHON = /pyodide\.asm\.\w+$/;
const quality = (file) => (file.endsWith(".map") ? 5 : PYTHON.test(file) ? 10 : 9);

const codings = {
  gz: (_, data) => promisify(gzip)(data, { level: 9 }),
  br: (file, data) =>
    promisify(brotliCompress)(data, {
      params: {
        // Only a developer's browser loads source maps.
        [BROTLI_PARAM_QUALITY]: quality(file),
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
    await writeFile(`${copy}.partial`, await code(file, data));
    await rename(`${copy}.partial`, copy);
  }
  console.log(file);
}

const given = process.argv.slice(2);
const pairs = given.flatMap((file, index) => (index % 2 ? [] : [[file, given[index + 1]]]));
// zlib works in its own threads, so the files are compressed in parallel.
await Promise.all(pairs.map(([file, target]) => compress(file, target)));
