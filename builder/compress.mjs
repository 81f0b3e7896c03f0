// Compresses files: `node compress.mjs small|quick FILE TARGET ...` writes TARGET.br and TARGET.gz, then prints FILE.
// `small` is for sites that are published. `quick` takes a twentieth of the time, for sites that only tests open.
import { readFile, rename, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;

// Every first visit loads these, so they get the slowest level: 11 saves 9 to 13 % of level 9. It takes some two minutes of
// CPU time, half of it for Python's binary, but only for a release. Other files load on first use.
const LEVELS = [
  { files: /\.map$/, level: 5 },
  { files: /(stdlib|requirements|gemini_surface)\.tar$/, level: 11 },
  { files: /(_pydantic_core[^/]*\.so|pyodide\.asm\.\w+|shell_engine\.mjs)$/, level: 11 },
  { files: /\/(ui|ui-terminal|gemini-page)\.(js|css)$/, level: 11 },
];
const QUICK = { br: 4, gz: 1 };

const [effort, ...given] = process.argv.slice(2);
const isQuick = effort === "quick";
const quality = (file) => (isQuick ? QUICK.br : (LEVELS.find(({ files }) => files.test(file))?.level ?? 9));

const codings = {
  gz: (_, data) => promisify(gzip)(data, { level: isQuick ? QUICK.gz : 9 }),
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

const pairs = given.flatMap((file, index) => (index % 2 ? [] : [[file, given[index + 1]]]));
// zlib works in its own threads, so the files are compressed in parallel.
await Promise.all(pairs.map(([file, target]) => compress(file, target)));
