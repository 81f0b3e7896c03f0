// Boots the machine, and saves its state: `node state.mjs BOOT TARGET [DISK]`. DISK has the parts of the system disk.
import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { MemoryBlocks } from "../../web/linux/disk/blocks.ts";
import { ChangesDisk } from "../../web/linux/disk/changes.ts";
import { SystemDisk } from "../../web/linux/disk/system.ts";
import { Emulator, MEMORY } from "../../web/linux/emulator.ts";

const READY = "ready";
const MOST_MS = 240_000;
const [boot, target, folder] = process.argv.slice(2);
const content = async (/** @type {string} */ name) => {
  const data = await readFile(`${boot}/${name}`);
  return { buffer: data.buffer.slice(data.byteOffset, data.byteOffset + data.length) };
};

let log = "";
/** @type {() => void} */
let booted = () => {};
const waiting = new Promise((resolve) => (booted = () => resolve(true)));
/** @type {() => void} */
let answered = () => {};
const ready = new Promise((resolve) => (answered = () => resolve(true)));

// The machine makes an empty filesystem for changes.
const changes = new MemoryBlocks();
const disk = folder ? JSON.parse(await readFile(`${folder}/disk.json`, "utf-8")) : null;
const disks = disk && {
  system: new SystemDisk(disk, async (number) => gunzipSync(await readFile(`${folder}/${number}.part`))),
  changes: new ChangesDisk(changes, new Map()),
};

const emulator = new Emulator({
  disks,
  wasm: fileURLToPath(import.meta.resolve("../../web/node_modules/v86/build/v86.wasm")),
  boot: {
    bios: await content("bios.bin"),
    vga_bios: await content("vgabios-stdvga.bin"),
    bzimage: await content("vmlinuz"),
    initrd: await content("initrd"),
    // Pages that the kernel has released are zero, so that the state compresses well, and needn't be cleared again. A
    // periodic timer costs v86 a tenth of one that is set each time. Of the rest, accounts of memory by group, SELinux and
    // preemption in the kernel cost each fork and file operation a tenth; checks of the kernel against itself and
    // measures of its load another twentieth.
    cmdline:
      "console=ttyS0 quiet tsc=reliable mitigations=off random.trust_cpu=on apparmor=0 audit=0 highres=off " +
      "init_on_free=1 init_on_alloc=0 cgroup_disable=memory lsm=capability preempt=none " +
      `hardened_usercopy=off randomize_kstack_offset=off psi=0${disk ? " disks" : ""}`,
  },
  serveFiles: () => {
    throw new Error("the machine asks for files before it is in a page");
  },
  receive: () => answered(),
  onSerial: (byte) => {
    log += String.fromCharCode(byte);
    if (log.endsWith(`${READY}\r\n`)) booted();
  },
});
const late = setTimeout(() => {
  console.error(`The machine didn't start within ${MOST_MS / 1000} s. It printed:\n${log}`);
  process.exit(1);
}, MOST_MS);
await emulator.ready;
emulator.run();
await Promise.all([waiting, ready]);
clearTimeout(late);
const { buffer, clock } = await emulator.save();
// Browsers decompress it; not every server would compress it.
await writeFile(`${target}/machine.state`, gzipSync(new Uint8Array(buffer), { level: 9 }));
await writeFile(`${target}/machine.json`, JSON.stringify({ clock, memory: MEMORY, disk }));
if (disk) await writeFile(`${target}/changes.empty`, gzipSync(Buffer.concat(listed(changes.written)), { level: 9 }));
console.log(log);
process.exit(0);

/** Each block after its number, without blocks of zeros. @param {Map<number, Uint8Array>} blocks */
function listed(blocks) {
  return [...blocks]
    .filter(([, bytes]) => bytes.some((byte) => byte))
    .flatMap(([number, bytes]) => {
      const head = Buffer.alloc(4);
      head.writeUInt32LE(number);
      return [head, bytes];
    });
}
