// `find` with tests of names and types only, on the filesystem's own nodes, four times as fast as in Python, where all
// other calls run (py/gemini_userland/find).
import { memoryOf, type FileSystem, type FSNode } from "../../emscripten.ts";
import { inCharacters } from "../language/locale.ts";
import { patternRegex } from "../language/patterns.ts";
import type { Shell } from "../shell.ts";

/** with its absolute path as `place` */
type Entry = { name: string; path: string; place: string; node: FSNode; depth: number };

interface Request {
  paths: string[];
  /** all of which hold */
  tests: ((entry: Entry) => boolean)[];
  /** depth */
  least: number;
  /** depth */
  most: number;
  /** of each line */
  end: string;
}

// How many entries there are between two looks at the clock.
const ENTRIES = 512;
const MOST_BUFFERED = 1 << 16;
const TYPES: Record<string, (FS: FileSystem, mode: number) => boolean> = {
  ...{ f: (FS, mode) => FS.isFile(mode), d: (FS, mode) => FS.isDir(mode) },
  ...{ l: (FS, mode) => FS.isLink(mode), p: (FS, mode) => FS.isFIFO(mode) },
};

function testFor(
  { files: { FS }, variables }: Shell,
  option: string,
  value: string,
): ((entry: Entry) => boolean) | null {
  if (option === "-type") {
    const is = TYPES[value];
    return is ? ({ node }) => is(FS, node.mode) : null;
  }
  const regex = patternRegex(inCharacters(variables, value), { extended: false, ignoreCase: option === "-iname" });
  return ({ name }) => regex.test(inCharacters(variables, name));
}

/** @returns null for calls that Python performs */
function understand(shell: Shell, args: string[]): Request | null {
  const first = args.findIndex((word) => /^[-(!]/.test(word));
  const paths = first < 0 ? args : args.slice(0, first);
  const request: Request = { paths: paths.length ? paths : ["."], tests: [], least: 0, most: Infinity, end: "\n" };
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

/**
 * @param follow - whether also a link at its end
 * @returns its node, or null
 */
function nodeAt(FS: FileSystem, path: string, follow: boolean): FSNode | null {
  return FS.analyzePath(path, !follow).exists ? FS.lookupPath(path, { follow }).node : null;
}

/** @returns in the order of their names */
function childrenOf(FS: FileSystem, { node, path, place, depth }: Entry): Entry[] {
  if (!FS.isDir(node.mode)) return [];
  const base = path.endsWith("/") ? path : `${path}/`;
  // MEMFS has its children on the node, which saves a look-up for each.
  const contents = node.mounted ? undefined : memoryOf(node)?.contents;
  const names = contents ? Object.keys(contents) : FS.readdir(place).filter((name) => !/^\.\.?$/.test(name));
  const within = place === "/" ? "/" : `${place}/`;
  const child = (name: string) => {
    const found = contents ? contents[name] : FS.lookupPath(within + name, { follow: false }).node;
    return (FS.isMountpoint(found) && found.mounted?.root) || found;
  };
  return names
    .sort()
    .map((name) => ({ name, path: base + name, place: within + name, node: child(name), depth: depth + 1 }));
}

export async function find(shell: Shell, args: string[]): Promise<number | null> {
  const { FS } = shell.files;
  const request = understand(shell, args);
  // The empty path is no file, of which Python's `find` tells.
  if (!request || request.paths.includes("")) return null;
  const places = request.paths.map((path) => shell.files.resolvePath(shell.cwd, path));
  const nodes = places.map((place, at) => nodeAt(FS, place, request.paths[at]?.endsWith("/") ?? false));
  if (!nodes.every((node) => node !== null)) return null;
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
  shell: Shell;
  end: string;

  constructor(shell: Shell, end: string) {
    this.shell = shell;
    this.end = end;
  }
  add(line: string) {
    this.text += line + this.end;
  }
  async flush() {
    const { text } = this;
    this.text = "";
    if (text) await this.shell.print(text);
  }
}

async function walk(shell: Shell, { tests, least, most }: Request, start: Entry, output: Lines) {
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
