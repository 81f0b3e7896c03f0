/**
 * Files that the person brings, by drop or by picker, and takes out.
 *
 * @import { Failure } from "../types.js"
 * @import { Actions, IfThere } from "../actions.js"
 */

import { isFailure } from "../call.js";
import { download } from "../download.js";
import { counted } from "../format.js";
import { askPerson } from "../question.js";

/** @typedef {{path: string, file: File}} Brought */
/** @typedef {{files: Brought[], folders: string[]}} Load */

/**
 * What was dropped, with all that is in folders. To be called while the event is handled: then it is gone.
 *
 * @param {DataTransfer} transfer
 * @returns {Promise<Load>}
 */
export async function dropped(transfer) {
  /** @type {Load} */
  const load = { files: [], folders: [] };
  const given = [...transfer.items].filter(({ kind }) => kind === "file")
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  for (const entry of given) {
    if (entry instanceof File) load.files.push({ path: entry.name, file: entry });
    else if (entry) await collect(entry, load);
  }
  return load;
}

/**
 * What was picked. A picker of folders leaves out those that are empty.
 *
 * @param {FileList} files
 * @returns {Load}
 */
export function picked(files) {
  return { files: [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })), folders: [] };
}

/**
 * Writes what was brought; asks where a name is taken.
 *
 * @param {Actions} actions
 * @param {string} directory
 * @param {Load} load
 * @returns {Promise<{paths: string[]} | Failure | null>} null where the person thought better of it
 */
export async function bring(actions, directory, { files, folders }) {
  const write = (/** @type {IfThere} */ ifThere) => actions.uploadFiles({ directory, files, folders, if_there: ifThere });
  const answer = await write("refuse");
  if (!isFailure(answer) || answer.error.type !== "AlreadyExists") return answer;
  const choice = await askAboutTaken(answer);
  return choice === null ? null : write(choice);
}

/**
 * Has the browser save a file, or folders and several files as one archive.
 *
 * @param {Actions} actions
 * @param {string[]} paths
 */
export async function takeOut(actions, paths) {
  const answer = await actions.downloadFiles({ paths });
  if (isFailure(answer)) return answer;
  download(answer.blob, answer.name);
  return answer;
}

/**
 * @param {Failure} taken
 * @returns {Promise<IfThere | null>}
 */
async function askAboutTaken({ error }) {
  const { count } = /** @type {{count: number}} */ (error.data);
  const choice = await askPerson(
    count === 1 ? "This file is there already" : `${counted(count, "file")} are there already`,
    `${error.message}. Those that are replaced go to the trash.`,
    [
      { value: "", label: "Cancel" },
      { value: "replace", label: "Replace" },
      { value: "keep_both", label: "Keep both", primary: true },
    ],
  );
  return /** @type {IfThere | null} */ (choice);
}

/**
 * @param {FileSystemEntry} entry
 * @param {Load} load
 */
async function collect(entry, load) {
  const path = entry.fullPath.replace(/^\/+/, "");
  if (isFile(entry)) {
    load.files.push({ path, file: await new Promise((resolve, reject) => entry.file(resolve, reject)) });
  } else {
    load.folders.push(path);
    for (const inner of await entriesOf(/** @type {FileSystemDirectoryEntry} */ (entry))) await collect(inner, load);
  }
}

/**
 * @param {FileSystemEntry} entry
 * @returns {entry is FileSystemFileEntry}
 */
function isFile(entry) {
  return entry.isFile;
}

/**
 * @param {FileSystemDirectoryEntry} directory
 * @returns {Promise<FileSystemEntry[]>}
 */
async function entriesOf(directory) {
  const reader = directory.createReader();
  /** @type {FileSystemEntry[]} */
  const all = [];
  for (;;) {
    // They come in parts; an empty one is the last.
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}
