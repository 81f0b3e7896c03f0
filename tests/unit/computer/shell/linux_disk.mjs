// Writes seeded blocks to the stored disk of a Linux, ends it after each of its operations, and prints what a next one reads:
// `node linux_disk.mjs FOLDER LIMIT`. The storage has LIMIT bytes.
const [folder, limit] = process.argv.slice(2);
const { BLOCK, StoredBlocks } = await import(`${folder}/blocks.js`);
const { ChangesDisk } = await import(`${folder}/changes.js`);
const BLOCKS = 64;

/** A file in memory, whose operations are recorded. */
class File {
  bytes = new Uint8Array(0);
  operations = [];

  getSize() {
    return this.bytes.length;
  }

  truncate(size) {
    const bytes = new Uint8Array(size);
    bytes.set(this.bytes.subarray(0, size));
    this.bytes = bytes;
    this.operations.push(() => ({ size }));
  }

  write(data, { at }) {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
    if (at + bytes.length > Number(limit)) throw new Error("QuotaExceededError");
    if (at + bytes.length > this.bytes.length) this.truncate(at + bytes.length);
    this.bytes.set(bytes, at);
    this.operations.push(() => ({ bytes, at }));
  }

  read(into, { at }) {
    const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
    bytes.set(this.bytes.subarray(at, at + bytes.length));
  }

  flush() {}

  /** The file after its first operations. */
  after(count) {
    const file = new File();
    for (const operation of this.operations.slice(0, count)) {
      const { size, bytes, at } = operation();
      if (bytes) file.write(bytes, { at });
      else file.truncate(size);
    }
    return file;
  }
}

const failures = [];
// Each build of the machine makes its own empty filesystem, here with one block.
const empty = (number, block = 3) => new Map([[block, new Uint8Array(BLOCK).fill(number)]]);
const diskOn = (file, seeds = empty(9)) => new ChangesDisk(new StoredBlocks(file, BLOCKS, seeds, (problem) => failures.push(problem.message)), new Map());
const read = (disk, block) => {
  let found;
  disk.get(block * BLOCK, BLOCK, (bytes) => (found = [...new Set(bytes)]));
  return found;
};

const file = new File();
const disk = diskOn(file);
const created = file.operations.length;
const written = [];
const ends = [];
for (let number = 1; number <= 24; number++) {
  const block = (number * 7) % 10;
  disk.set(block * BLOCK, new Uint8Array(BLOCK).fill(number), () => {});
  written.push([block, number]);
  ends.push(file.operations.length);
}
// A part of a block leaves the rest.
disk.set(20 * BLOCK + 512, new Uint8Array(512).fill(5), () => {});
// A later build continues the disk, or makes it if a kill left it incomplete.
const begun = Array.from({ length: created + 1 }, (_, count) => {
  const later = diskOn(file.after(count), new Map([...empty(8), ...empty(8, 4)]));
  return [...read(later, 3), ...read(later, 4)];
});
const states = [];
for (let count = created; count <= file.operations.length; count++) {
  const again = diskOn(file.after(count));
  states.push(Array.from({ length: 10 }, (_, block) => read(again, block)));
}
const now = Array.from({ length: 10 }, (_, block) => read(disk, block));
console.log(JSON.stringify({ written, ends: ends.map((end) => end - created), states, now, part: read(disk, 20), begun, failures }));
