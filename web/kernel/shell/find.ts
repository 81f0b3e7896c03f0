// `find` with tests of names and types only, on the filesystem's own nodes, four times as fast as in Python, where all
// other calls run (py/gemini_userland/find).
import { inCharacters } from "./locale.js";
import { patternRegex } from "./patterns.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {{ name: string, path: string, place: string, node: any, depth: number }} Entry with its absolute path as `place`
 * @typedef {object} Request
 * @property {string[]} paths
 * @property {((entry: Entry) => boolean)[]} tests all of which hold
 * @property {number} least depth
 * @property {number} most depth
 * @property {string} end of each line
 */

// How many entries there are between two looks at the clock.
const ENTRIES = 512;
const MOST_BUFFERED = 1 << 16;
/** @type {Record<string, (FS: any, mode: number) => boolean>} */
const TYPES = {
  ...{ f: (FS, mode) => FS.isFile(mode), d: (FS, mode) => FS.isDir(mode) },
  ...{ l: (FS, mode) => FS.isLink(mode), p: (FS, mode) => FS.isFIFO(mode) },
};

/** @param {Shell} shell @param {string} option @param {string} value @returns {((entry: Entry) => boolean) | null} */
function testFor({ files: { FS }, variables }, option, value) {
  if (option === "-type") {
    const is = TYPES[value];
    return is ? ({ node }) => is(FS, node.mode) : null;
  }
  const regex = patternRegex(inCharacters(variables, value), { extended: false, ignoreCase: option === "-iname" });
  return ({ name }) => regex.test(inCharacters(variables, name));
}

/** @param {Shell} shell @param {string[]} args @returns {Request | null} null for what is Python's */
function understand(shell, args) {
  const first = args.findIndex((word) => /^[-(!]/.test(word));
  const paths = first < 0 ? args : args.slice(0, first);
  /** @type {Request} */
  const request = { paths: paths.length ? paths : ["."], tests: [], least: 0, most: Infinity, end: "\n" };
  for (let at = paths.length; at < args.length; at++) {
    const negated = args[at] === "!" || args[at] === "-not";
    const option = args[negated ? ++at : at] ?? "";
    if (/^-print0?$/.test(option) && at === args.length - 1 && !negated) {
      request.end = option === "-print" ? "\n" : "\0";
      break;
    }
    const value = args[++at];
    if (value === undefined) return null;
    if (/^-m(ax|in)depth$/.test(option) && /^\d{1,9}$/.test(value) && !negated) {
      request[option === "-maxdepth" ? "most" : "least"] = Number(value);
      continue;
    }
    const test = /^-(?:i?name|type)$/.test(option) ? testFor(shell, option, value) : null;
    if (!test) return null;
    request.tests.push(negated ? (entry) => !test(entry) : test);
  }
  return request;
}

/** @param {any} FS @param {string} path @param {boolean} follow whether also a link at its end @returns {any} its node, or null */
function nodeAt(FS, path, follow) {
  return FS.analyzePath(path, !follow).exists ? FS.lookupPath(path, { follow }).node : null;
}

/** @param {any} FS @param {Entry} entry @returns {Entry[]} in the order of their names */
function childrenOf(FS, { node, path, place, depth }) {
  if (!FS.isDir(node.mode)) return [];
  const base = path.endsWith("/") ? path : `${path}/`;
  const { contents } = node;
  // MEMFS has its children on the node, which saves a look-up for each.
  const isMemory = contents && !ArrayBuffer.isView(contents) && !node.mounted;
  /** @type {string[]} */
  const names = isMemory ? Object.keys(contents) : FS.readdir(place).filter((/** @type {string} */ name) => !/^\.\.?$/.test(name));
  const within = place === "/" ? "/" : `${place}/`;
  const child = (/** @type {string} */ name) => {
    const found = isMemory ? contents[name] : FS.lookupPath(within + name, { follow: false }).node;
    return FS.isMountpoint(found) ? found.mounted.root : found;
  };
  return names.sort().map((name) => ({ name, path: base + name, place: within + name, node: child(name), depth: depth + 1 }));
}

/** @param {Shell} shell @param {string[]} args @returns {Promise<number | null>} */
export async function find(shell, args) {
  const { FS } = shell.files;
  const request = understand(shell, args);
  if (!request) return null;
  const places = request.paths.map((path) => shell.files.resolvePath(shell.cwd, path));
  const nodes = places.map((place, at) => nodeAt(FS, place, request.paths[at]?.endsWith("/") ?? false));
  if (nodes.includes(null)) return null;
  const output = new Lines(shell, request.end);
  for (const [at, path] of request.paths.entries()) {
    const name = path.replace(/\/+$/, "").split("/").at(-1) || "/";
    await walk(shell, request, { name, path, node: nodes[at], depth: 0, place: places[at] ?? "" }, output);
  }
  await output.flush();
  return 0;
}

/** Lines of output, printed many at a time. */
class Lines {
  text = "";
  /** @param {Shell} shell @param {string} end */
  constructor(shell, end) {
    this.shell = shell;
    this.end = end;
  }
  /** @param {string} line */
  add(line) {
    this.text += line + this.end;
  }
  async flush() {
    const { text } = this;
    this.text = "";
    if (text) await this.shell.print(text);
  }
}

/** @param {Shell} shell @param {Request} request @param {Entry} start @param {Lines} output */
async function walk(shell, { tests, least, most }, start, output) {
  const { FS } = shell.files;
  const left = [start];
  let seen = 0;
  for (let entry = left.pop(); entry; entry = left.pop()) {
    const found = entry;
    if (found.depth >= least && tests.every((test) => test(found))) output.add(found.path);
    if (found.depth < most) left.push(...childrenOf(FS, found).reverse());
    if (output.text.length > MOST_BUFFERED) await output.flush();
    if (++seen % ENTRIES === 0) await shell.host.breathe(shell.task);
  }
}
