// Paths that stand for open files, as Linux has them in /proc/self/fd: programs read and write them through files.
import { EMPTY } from "../../bytes.ts";
import { placeOfList } from "./list_files.ts";
import { openPipe, pipeAt } from "./named_pipes.ts";
import { RegularFile, type OpenFile } from "./open_files.ts";
import { numbered } from "./process_files.ts";
import { opensFiles } from "./program_input.ts";
import type { Shell } from "../shell.ts";

interface Lent {
  /** the real path of each descriptor's path that the arguments name */
  places: Record<string, string>;
  /** all of standard input, if it was read for them */
  stdin: Uint8Array | null;
  /** passes on what was written, and removes the files */
  finish: () => Promise<void>;
}

const NAMES = ["/dev/stdin", "/dev/stdout", "/dev/stderr"];
const LINKS = ["/dev/fd", "/proc/self"];
const PATH = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/;
// `--file=/dev/stdin`, `-f/dev/stdin`, `@/dev/stdin`.
const WITHIN = /^(?:-[A-Za-z]|[^/]*[=@])?(\/(?:dev\/(?:std(?:in|out|err)|fd\/\d+)|proc\/self\/fd\/\d+))$/s;
// Within the text of a program.
const MENTIONED = /\/(?:dev|proc\/self)\/fd\/\d+/g;
// They know that both names are the same, or read standard input by either.
const SAME = new Set(["diff", "cmp", "sed"]);

/** @returns the descriptor that it stands for */
export function descriptorOf(path: string): number | null {
  const at = NAMES.indexOf(path);
  if (at >= 0) return at;
  const number = PATH.exec(path)?.[1];
  return number === undefined ? null : Number(number);
}

const MOST_LINKS = 40;

/** The descriptor that a path stands for, as its name or as a link to one that does. */
function numberAt({ files, cwd }: Shell, path: string): number | null {
  let number = descriptorOf(path);
  let place = path;
  for (let links = 0; number === null && path !== "" && links < MOST_LINKS; links++) {
    place = files.resolvePath(cwd, place);
    const node = files.nodeAt(place);
    if (!node || !files.FS.isLink(node.mode)) return null;
    const target = files.FS.readlink(place);
    place = target.startsWith("/") ? target : `${place.slice(0, place.lastIndexOf("/"))}/${target}`;
    number = descriptorOf(place);
  }
  return number;
}

/**
 * The open file that a path stands for; null if it stands for none. A path of a process substitution is another file's.
 */
export function openFileAt(shell: Shell, path: string): OpenFile | null {
  const number = numberAt(shell, path);
  return number === null ? null : (shell.descriptors.table.get(number) ?? null);
}

/** Return whether a path is one of the links that Linux has to a process's open files, or to their folder. */
export function isLinkToOpenFile({ descriptors, files }: Shell, path: string): boolean {
  if (NAMES.includes(path) || LINKS.includes(path)) return true;
  const number = descriptorOf(path);
  return number !== null && (descriptors.table.has(number) || files.place(path) !== path);
}

/** The path at which Linux opens an open file again, from its start. */
export function pathOf({ files: { FS } }: Shell, file: OpenFile): string | null {
  if (!(file instanceof RegularFile)) return null;
  const { path, node } = file.file;
  if (!path || !FS.analyzePath(path).exists) return null;
  return FS.lookupPath(path, { follow: true }).node === node ? path : null;
}

/**
 * Have files stand for the descriptors that the arguments of a program name.
 * @param isLive - whether it reads and writes the standard streams itself
 */
export async function lendDescriptors(shell: Shell, name: string, args: string[], isLive: boolean): Promise<Lent> {
  const { files, task } = shell;
  const lent: Lent = { places: {}, stdin: null, finish: async () => {} };
  const paths = new Set(
    args.flatMap((word) => (isLive ? (word.match(MENTIONED) ?? []) : (WITHIN.exec(word)?.[1] ?? []))),
  );
  const folder = `${files.descriptors}/of-${task.pid}`;
  const written: [string, OpenFile][] = [];
  for (const path of args) {
    const place = numbered(task, path);
    if (place) lent.places[path] = place;
    else if (opensFiles(name) && !path.startsWith("-") && numberAt(shell, path) !== null) paths.add(path);
  }
  for (const path of paths) {
    const list = placeOfList(files, path);
    if (list !== null) lent.places[path] = list;
    const file = list === null ? openFileAt(shell, path) : null;
    const number = numberAt(shell, path) ?? 0;
    // A live program knows these paths itself, but not links to them.
    if (!file || (isLive && number <= 2 && descriptorOf(path) !== null)) continue;
    const known = pathOf(shell, file);
    const place = known ?? `${folder}/${number}`;
    lent.places[path] = place;
    if (known) continue;
    const bytes = file.isInput ? await file.readAll(task, true) : EMPTY;
    // What "-" has read before isn't there any more.
    const first = args.indexOf("-");
    const isTaken = number === 0 && !SAME.has(name) && first >= 0 && first < args.indexOf(path);
    if (number === 0) lent.stdin = isTaken || SAME.has(name) ? bytes : EMPTY;
    files.FS.mkdirTree(folder);
    files.FS.writeFile(place, isTaken ? EMPTY : bytes, { mode: 0o600 });
    if (!file.isInput) written.push([place, file]);
  }
  for (const path of isLive || !opensFiles(name) ? [] : args) {
    const pipe = path.startsWith("-") ? null : pipeAt(files.FS, files.resolvePath(shell.cwd, path));
    if (!pipe) continue;
    const reader = openPipe(pipe, "r").retain();
    const place = `${folder}/pipe-${Object.keys(lent.places).length}`;
    files.FS.mkdirTree(folder);
    try {
      files.FS.writeFile(place, await reader.readAll(task, true), { mode: 0o600 });
    } finally {
      reader.release();
    }
    lent.places[path] = place;
  }
  lent.finish = () => passOn(shell, folder, written);
  return lent;
}

async function passOn({ files, task }: Shell, folder: string, written: [string, OpenFile][]) {
  for (const [place, file] of written)
    if (files.FS.analyzePath(place).exists) await file.write(files.FS.readFile(place), task);
  if (files.FS.analyzePath(folder).exists) files.removeTree(folder);
}
