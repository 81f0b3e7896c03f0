// Makes the system disk in a machine: `node install.mjs BOOT TARGET`. BOOT has the machine's first files and `root.tar`.
import { fstatSync, openSync, readSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { V86 } from "../../web/node_modules/v86/build/libv86.mjs";
import { Disk, PART, SYSTEM_SIZE } from "../../web/linux/disk/disk.ts";

const MEMORY = 768 * 1024 * 1024;
const MOST_MS = 3_600_000;
const INSTALLED = "installed\r\n";
const FAILED = /^failed: .*\r\n/m;
const [boot = "", target = ""] = process.argv.slice(2);
const content = async (/** @type {string} */ name) => {
  const data = await readFile(`${boot}/${name}`);
  return { buffer: data.buffer.slice(data.byteOffset, data.byteOffset + data.length) };
};

/** The archive, which the machine reads from a disk. */
class FileDisk extends Disk {
  /** @param {string} path */
  constructor(path) {
    const file = openSync(path, "r");
    super(fstatSync(file).size);
    this.file = file;
  }

  /** @override @param {number} start @param {number} length @param {(bytes: Uint8Array) => void} done */
  get(start, length, done) {
    const bytes = new Uint8Array(length);
    readSync(this.file, bytes, 0, length, start);
    done(bytes);
  }
}

/** The disk in memory. */
class MadeDisk extends Disk {
  /** @type {Map<number, Uint8Array>} */
  parts = new Map();

  /** @override @param {number} start @param {number} length @param {(bytes: Uint8Array) => void} done */
  get(start, length, done) {
    const bytes = new Uint8Array(length);
    this.each(start, length, (number, at, from, count) => {
      const part = this.parts.get(number);
      if (part) bytes.set(part.subarray(at, at + count), from);
    });
    done(bytes);
  }

  /** @override @param {number} start @param {Uint8Array} bytes @param {() => void} done */
  set(start, bytes, done) {
    this.each(start, bytes.length, (number, at, from, count) => {
      let part = this.parts.get(number);
      if (!part) this.parts.set(number, (part = new Uint8Array(PART)));
      part.set(bytes.subarray(from, from + count), at);
    });
    done();
  }

  /** @param {number} start @param {number} length @param {(number: number, at: number, from: number, count: number) => void} visit */
  each(start, length, visit) {
    for (let from = 0; from < length; ) {
      const at = (start + from) % PART;
      const count = Math.min(PART - at, length - from);
      visit(Math.floor((start + from) / PART), at, from, count);
      from += count;
    }
  }
}

const made = new MadeDisk(SYSTEM_SIZE);
/** @type {any} v86's types are incomplete */
const options = {
  wasm_path: fileURLToPath(import.meta.resolve("../../web/node_modules/v86/build/v86.wasm")),
  memory_size: MEMORY,
  vga_memory_size: 2 * 1024 * 1024,
  disable_keyboard: true,
  disable_mouse: true,
  disable_speaker: true,
  autostart: true,
  bios: await content("bios.bin"),
  vga_bios: await content("vgabios-stdvga.bin"),
  bzimage: await content("vmlinuz"),
  initrd: await content("installer"),
  hda: new FileDisk(`${boot}/root.tar`),
  hdb: made,
  cmdline:
    "console=ttyS0 quiet rdinit=/install tsc=reliable mitigations=off random.trust_cpu=on apparmor=0 audit=0 highres=off",
};
let line = "";
const ended = new Promise((resolve, reject) => {
  new V86(options).add_listener("serial0-output-byte", (/** @type {number} */ byte) => {
    line += String.fromCharCode(byte);
    if (byte !== 10) return;
    process.stdout.write(line);
    if (line === INSTALLED) resolve(true);
    if (FAILED.test(line)) reject(new Error(line));
    line = "";
  });
  setTimeout(() => reject(new Error(`the installation took longer than ${MOST_MS / 60_000} minutes`)), MOST_MS);
});
try {
  await ended;
} catch (error) {
  console.error(String(error));
  process.exit(1);
}
const zeros = new Uint8Array(PART);
/** @type {number[]} */
const parts = [];
for (const [number, part] of [...made.parts].sort(([a], [b]) => a - b)) {
  if (Buffer.compare(part, zeros) === 0) continue;
  parts.push(number);
  await writeFile(`${target}/${number}.part`, gzipSync(part, { level: 9 }));
}
await writeFile(`${target}/disk.json`, JSON.stringify({ part: PART, parts }));
process.exit(0);
