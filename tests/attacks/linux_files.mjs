// Attacks the server of /project with messages that a machine could send: `node linux_files.mjs PYODIDE SERVER DECODER LOCK`.
// Each attack returns the data it got from outside, "" if it got none; each control the data it must get.
import { pathToFileURL } from "node:url";

const [pyodide, server, frames] = process.argv.slice(2, 5).map((each) => pathToFileURL(each).href);
const lockFileURL = process.argv[5];
const { loadPyodide } = await import(pyodide);
const { FileServer } = await import(server);
const { Decoder } = await import(frames);
const { FS } = await loadPyodide({ lockFileURL, stdout: () => {}, stderr: () => {} });
console.error = () => {};

const SECRET = "SECRET";
const T = { open: 12, create: 14, symlink: 16, rename: 20, readlink: 22, setAttributes: 26, xattr: 30, list: 40, link: 70, mknod: 18 };
Object.assign(T, { mkdir: 72, renameAt: 74, unlinkAt: 76, version: 100, attach: 104, walk: 110, read: 116, write: 118, remove: 122 });
const [ROOT, A, B] = [0, 1, 2];
const encoder = new TextEncoder();

const u8 = (n) => [n & 255];
const u16 = (n) => [...u8(n), ...u8(n >> 8)];
const u32 = (n) => [...u16(n & 0xffff), ...u16(n >>> 16)];
const u64 = (n) => [...u32(n >>> 0), ...u32(Math.floor(n / 2 ** 32))];
const raw = (bytes) => [...u16(bytes.length), ...bytes];
const text = (string) => raw(encoder.encode(string));

/** A machine that sends arbitrary messages. */
class Guest {
  constructor() {
    this.server = new FileServer(FS, "/project", () => {});
    this.ask(T.version, u32(65536), text("9P2000.L"));
    this.ask(T.attach, u32(ROOT), u32(0xffffffff), text("root"), text("/"), u32(0));
  }
  /** Send a message; return the fields of the answer, or null for an error. */
  ask(type, ...fields) {
    const body = fields.flat();
    const answer = this.server.answer(Uint8Array.from([...u32(7 + body.length), type, 1, 0, ...body]));
    return answer[4] === 7 ? null : answer.subarray(7);
  }
  walk(from, to, ...names) {
    return this.ask(T.walk, u32(from), u32(to), u16(names.length), ...names.map((each) => (typeof each === "string" ? text(each) : raw(each))));
  }
  read(fid) {
    if (this.ask(T.open, u32(fid), u32(0)) === null) return "";
    return this.bytes(fid);
  }
  bytes(fid, count = 4096) {
    const got = this.ask(T.read, u32(fid), u64(0), u32(count));
    return got === null ? "" : new TextDecoder().decode(got.subarray(4));
  }
  names(fid) {
    const got = this.ask(T.list, u32(fid), u64(0), u32(4096));
    return got === null ? "" : new TextDecoder("latin1").decode(got.subarray(4));
  }
  /** Read a file by its names. */
  reads(...names) {
    return this.walk(ROOT, A, ...names) === null ? "" : this.read(A);
  }
}

function fresh() {
  for (const folder of ["/project", "/outer", "/moved"]) wipe(folder);
  for (const folder of ["/project", "/project/inner", "/outer", "/moved"]) FS.mkdir(folder);
  FS.writeFile("/project/own.txt", "OWN");
  FS.writeFile("/project/inner/deep.txt", "OWN");
  FS.writeFile("/outer/secret.txt", SECRET);
  return new Guest();
}
function wipe(path) {
  const { exists, object } = FS.analyzePath(path, true);
  if (!exists) return;
  if (!FS.isDir(object.mode)) return FS.unlink(path);
  for (const name of FS.readdir(path)) if (name !== "." && name !== "..") wipe(`${path}/${name}`);
  FS.rmdir(path);
}
const outside = () => FS.readFile("/outer/secret.txt", { encoding: "utf8" }) + FS.readdir("/outer").join();
const UNTOUCHED = `${SECRET}.,..,secret.txt`;
const changed = () => (outside() === UNTOUCHED ? "" : outside());
const secretOf = (...got) => got.find((each) => each.includes(SECRET) || each.includes("secret")) ?? "";

const own = (guest) => guest.reads("own.txt");
/** [attack, control]: the control does the same within the folder. */
const ATTACKS = {
  "parents of the folder": [(g) => g.reads("..", "outer", "secret.txt"), (g) => g.reads("inner", "..", "own.txt")],
  "sixteen parents": [(g) => g.reads(...Array(14).fill(".."), "outer", "secret.txt"), (g) => g.reads(...Array(14).fill("."), "own.txt")],
  "a name with a slash": [(g) => g.reads("../outer/secret.txt") + g.reads("/outer", "secret.txt"), own],
  "a name with NUL": [(g) => g.reads("..\0") + g.reads("own.txt\0/../../outer/secret.txt"), own],
  "a name in overlong UTF-8": [(g) => (g.walk(ROOT, A, [0x2e, 0x2e, 0xc0, 0xaf, 0x6f]) === null ? "" : g.read(A)), own],
  "a name without end": [(g) => g.reads("x".repeat(60_000)), (g) => g.reads("own.txt")],
  "a link to an absolute path": [
    (g) => (g.ask(T.symlink, u32(ROOT), text("l"), text("/outer/secret.txt"), u32(0)), g.reads("l")), own],
  "a link to a folder": [
    (g) => (g.ask(T.symlink, u32(ROOT), text("l"), text("../outer"), u32(0)), g.reads("l", "secret.txt") + (g.walk(ROOT, B, "l"), g.names(B))),
    (g) => g.reads("inner", "deep.txt")],
  "a link that Python made": [(g) => (FS.symlink("/outer", "/project/l"), g.reads("l", "secret.txt")), own],
  "a link in the place of a new file": [
    (g) => {
      g.ask(T.symlink, u32(ROOT), text("l"), text("/outer/secret.txt"), u32(0));
      g.walk(ROOT, A);
      g.ask(T.create, u32(A), text("l"), u32(0o1102), u32(0o644), u32(0));
      g.ask(T.write, u32(A), u64(0), u32(4), [...encoder.encode("EVIL")]);
      return changed();
    },
    (g) => {
      g.walk(ROOT, A);
      g.ask(T.create, u32(A), text("new"), u32(0o1102), u32(0o644), u32(0));
      g.ask(T.write, u32(A), u64(0), u32(3), [...encoder.encode("OWN")]);
      return FS.readFile("/project/new", { encoding: "utf8" });
    }],
  "the size of a link": [
    (g) => {
      g.ask(T.symlink, u32(ROOT), text("l"), text("/outer/secret.txt"), u32(0));
      g.walk(ROOT, A, "l");
      g.ask(T.setAttributes, u32(A), u32(8), u32(0), u32(0), u32(0), u64(0), u64(0), u64(0), u64(0), u64(0));
      return changed();
    },
    (g) => {
      g.walk(ROOT, A, "own.txt");
      g.ask(T.setAttributes, u32(A), u32(8), u32(0), u32(0), u32(0), u64(2), u64(0), u64(0), u64(0), u64(0));
      return FS.readFile("/project/own.txt", { encoding: "utf8" }) === "OW" ? "OWN" : "";
    }],
  "hard links": [
    (g) => (FS.symlink("/outer/secret.txt", "/project/l"), g.walk(ROOT, A, "l"), g.ask(T.link, u32(ROOT), u32(A), text("hard")), g.reads("hard")), own],
  "device nodes": [(g) => (g.ask(T.mknod, u32(ROOT), text("d"), u32(0o20666), u32(5), u32(0), u32(0)) === null ? "" : "made"), own],
  "a file whose mode says link or device": [
    (g) => {
      g.walk(ROOT, A);
      g.ask(T.create, u32(A), text("odd"), u32(0o102), u32(0o120777), u32(0));
      g.ask(T.mkdir, u32(ROOT), text("odder"), u32(0o60777), u32(0));
      const modes = ["odd", "odder"].map((name) => FS.lstat(`/project/${name}`).mode & 0o170000);
      return modes.join() === `${0o100000},${0o040000}` ? "" : `${modes}`;
    }, own],
  "a new name outside": [
    (g) => {
      g.walk(ROOT, A, "own.txt");
      for (const name of ["../outer/x", "/outer/x", "..", ".", ""]) {
        g.ask(T.rename, u32(A), u32(ROOT), text(name));
        g.ask(T.renameAt, u32(ROOT), text("own.txt"), u32(ROOT), text(name));
      }
      return changed();
    },
    (g) => (g.ask(T.renameAt, u32(ROOT), text("own.txt"), u32(ROOT), text("x")), g.reads("x"))],
  "an old name outside": [
    (g) => {
      for (const name of ["../outer/secret.txt", "/outer/secret.txt"]) g.ask(T.renameAt, u32(ROOT), text(name), u32(ROOT), text("x"));
      return changed() + g.reads("x");
    }, own],
  "the end of the folder": [
    (g) => {
      g.ask(T.unlinkAt, u32(ROOT), text(".."), u32(0x200));
      g.walk(ROOT, A);
      g.ask(T.remove, u32(A));
      g.ask(T.rename, u32(ROOT), u32(ROOT), text("x"));
      return FS.analyzePath("/project").exists && !FS.analyzePath("/project/x").exists ? changed() : "gone";
    },
    (g) => (g.ask(T.unlinkAt, u32(ROOT), text("own.txt"), u32(0)), FS.analyzePath("/project/own.txt").exists ? "" : "OWN")],
  "parents of a folder that was moved out": [
    (g) => (g.walk(ROOT, A, "inner"), FS.rename("/project/inner", "/moved/inner"), g.walk(A, B, "..", "..", "outer", "secret.txt") ? g.read(B) : ""),
    (g) => (g.walk(ROOT, A, "inner"), FS.rename("/project/inner", "/project/again"), g.walk(A, B, "..", "own.txt") ? g.read(B) : "")],
  "files of a folder that was moved out": [
    (g) => {
      g.walk(ROOT, A, "inner");
      FS.rename("/project/inner", "/outer/inner");
      FS.writeFile("/outer/inner/later.txt", SECRET);
      const got = g.walk(A, B, "later.txt") ? g.read(B) : "";
      g.ask(T.mkdir, u32(A), text("made"), u32(0o755), u32(0));
      const made = FS.analyzePath("/outer/inner/made").exists ? "made" : "";
      const names = secretOf(g.names(A)) + (g.names(A).includes("later") ? "listed" : "");
      wipe("/outer/inner");
      return got + made + names;
    },
    (g) => (g.walk(ROOT, A, "inner"), FS.rename("/project/inner", "/project/again"), g.walk(A, B, "deep.txt") ? g.read(B) : "")],
  "a folder that was moved out, back under another name": [
    (g) => (g.walk(ROOT, A, "inner"), FS.rename("/project/inner", "/outer/inner"), g.ask(T.rename, u32(A), u32(ROOT), text("back")), wipe("/outer/inner"), FS.analyzePath("/project/back").exists ? "moved" : ""),
    (g) => (g.walk(ROOT, A, "inner"), g.ask(T.rename, u32(A), u32(ROOT), text("back")), g.reads("back", "deep.txt"))],
  "a saved state with another path": [
    (g) => (g.server.restore({ most: 8192, fids: [{ number: A, path: "/../outer/secret.txt", gone: false, flags: 0, appends: false }] }), g.bytes(A)),
    (g) => (g.server.restore({ most: 8192, fids: [{ number: A, path: "/own.txt", gone: false, flags: 0, appends: false }] }), g.bytes(A))],
  "a saved state with a path by a link": [
    (g) => (FS.symlink("/outer", "/project/l"), g.server.restore({ most: 8192, fids: [{ number: A, path: "/l/secret.txt", gone: false, flags: 0, appends: false }] }), g.bytes(A)),
    (g) => (g.walk(ROOT, A, "own.txt"), g.ask(T.open, u32(A), u32(0)), g.server.restore(JSON.parse(JSON.stringify(g.server.save()))), g.bytes(A))],
  "sizes that are none": [
    (g) => {
      g.ask(T.version, u32(3), text("9P2000.L"));
      g.ask(T.attach, u32(ROOT), u32(0), text(""), text(""), u32(0));
      return g.reads("own.txt") + g.bytes(A, 0xffffffff) + g.names(ROOT);
    },
    (g) => (g.walk(ROOT, A, "own.txt"), g.ask(T.open, u32(A), u32(0)), g.bytes(A, 0xffffffff))],
  "counts beyond the message": [
    (g) => [g.ask(T.walk, u32(ROOT), u32(A), u16(65535)), g.ask(T.write, u32(ROOT), u64(0), u32(0xffffffff)), g.ask(T.walk, u32(ROOT), u32(A), u16(1), u16(9000))].filter(Boolean).join(), own],
  "types that don't exist": [(g) => [0, 6, 10, T.xattr, 32, 102, 255].map((type) => g.ask(type, u32(ROOT))).filter(Boolean).join(), own],
  "a frame of 4 GB on the console": [
    () => {
      const decoder = new Decoder();
      try {
        for (let i = 0; i < 64; i++) decoder.push(Uint8Array.from(i ? Array(65536).fill(0) : [255, 255, 255, 255, 1, 0, 17, 0]));
      } catch (error) {
        return error instanceof RangeError ? "" : String(error);
      }
      return `${decoder.rest.length} bytes wait`;
    },
    () => new TextDecoder().decode(new Decoder().push(Uint8Array.from([3, 0, 0, 0, 1, 0, 17, 0, ...encoder.encode("OWN")]))[0].payload)],
};

const found = {};
for (const [name, [attack, control]] of Object.entries(ATTACKS)) {
  const got = attack(fresh());
  found[name] = { got: got + changed(), control: control(fresh()) };
}
process.stdout.write(JSON.stringify(found));
process.exit(0);
