// The files in /bin and /usr/bin that stand for programs, which scripts look for, and `/dev/zero`
// and `/dev/full`, which Emscripten lacks.
import type { FileSystem, FSStream } from "../../emscripten.ts";
import type { Host } from "./host.ts";
import { furnishProcesses } from "./process_files.ts";
import { programNames } from "./program_paths.ts";

const FOLDERS = ["/bin", "/usr/bin"];
/** Filesystems that have these files. */
const furnished = new WeakSet<object>();

/** Write the files that a filesystem lacks. */
export function furnish(host: Host) {
  const { FS } = host.files;
  if (furnished.has(FS)) return;
  furnished.add(FS);
  makeZeros(FS, "/dev/zero", ZERO, (length) => length);
  makeZeros(FS, "/dev/full", FULL, (length) => {
    if (length > 0) throw new FS.ErrnoError(NO_SPACE);
    return 0;
  });
  furnishProcesses(FS);
  for (const folder of FOLDERS) {
    FS.mkdirTree(folder);
    for (const name of programNames(host)) writeStub(FS, `${folder}/${name}`, name);
  }
}

// Of Emscripten's device; its own have smaller numbers.
const ZERO = 91;
const FULL = 92;
const NO_SPACE = 51;
// What a program that reads all of it gets, before it is out of memory (ENOMEM).
const MOST = 1 << 29;
const OUT_OF_MEMORY = 48;

interface ZeroStream extends FSStream {
  /** bytes so far */
  given?: number;
}

/**
 * Make a device that is read as zeros.
 * @param number - Emscripten's, of the device
 * @param written - the number of bytes that a write takes
 */
function makeZeros(FS: FileSystem, path: string, number: number, written: (length: number) => number) {
  if (FS.analyzePath(path).exists) return;
  const device = FS.makedev(number, 0);
  FS.registerDevice(device, {
    open: (stream: FSStream) => void (stream.seekable = false),
    close() {},
    read(stream: ZeroStream, buffer: Uint8Array, offset: number, length: number) {
      stream.given = (stream.given ?? 0) + length;
      if (stream.given > MOST) throw new FS.ErrnoError(OUT_OF_MEMORY);
      buffer.fill(0, offset, offset + length);
      return length;
    },
    write: (_stream: FSStream, _buffer: Uint8Array, _offset: number, length: number) => written(length),
  });
  FS.mkdev(path, 0o666, device);
}

function writeStub(FS: FileSystem, path: string, name: string) {
  if (FS.analyzePath(path).exists) return;
  FS.writeFile(path, `#!/bin/bash\n# Built into the shell: ${name}\n`);
  FS.chmod(path, 0o755);
}
