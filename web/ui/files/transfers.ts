/**
 * Files that the person uploads, by drop or file picker, and downloads.
 *
 * @import { Failure } from "../types.js"
 * @import { Actions, IfThere } from "../actions.js"
 */

import { isFailure } from "../call.js";
import { download } from "../download.js";
import { counted } from "../format.js";
import { askPerson } from "../question.js";

/** @typedef {{path: string, file: File}} LocalFile */
/** @typedef {{files: LocalFile[], folders: string[]}} Load */

/**
 * Collect dropped files, including the contents of folders. Call it while the event is handled; its data is lost after
 * that.
 *
 * @param {DataTransfer} transfer
 * @returns {Promise<Load>}
 */
export async function dropped(transfer) {
  /** @type {Load} */
  const load = { files: [], folders: [] };
  const items = [...transfer.items].filter(({ kind }) => kind === "file")
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  for (const entry of items) {
    if (entry instanceof File) load.files.push({ path: entry.name, file: entry });
    else if (entry) await collect(entry, load);
  }
  return load;
}

/**
 * Collect picked files. A folder picker omits empty folders.
 *
 * @param {FileList} files
 * @returns {Load}
 */
export function picked(files) {
  return { files: [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })), folders: [] };
}

/**
 * Upload files, asking the person if names are taken.
 *
 * @param {Actions} actions
 * @param {string} directory
 * @param {Load} load
 * @returns {Promise<{paths: string[]} | Failure | null>} null if the person cancelled
 */
export async function upload(actions, directory, { files, folders }) {
  const write = (/** @type {IfThere} */ ifThere) => actions.uploadFiles({ directory, files, folders, if_there: ifThere });
  const answer = await write("refuse");
  if (!isFailure(answer) || answer.error.type !== "AlreadyExists") return answer;
  const choice = await askAboutExisting(answer);
  return choice === null ? null : write(choice);
}

/**
 * Save a file to the device, or folders and several files as one archive.
 *
 * @param {Actions} actions
 * @param {string[]} paths
 */
export async function saveToDevice(actions, paths) {
  const answer = await actions.downloadFiles({ paths });
  if (isFailure(answer)) return answer;
  download(answer.blob, answer.name);
  return answer;
}

/**
 * @param {Failure} taken
 * @returns {Promise<IfThere | null>}
 */
async function askAboutExisting({ error }) {
  const { count } = /** @type {{count: number}} */ (error.data);
  const choice = await askPerson(
    count === 1 ? "File already exists" : `${counted(count, "file")} already exist`,
    `${error.message}. Replaced files go to the trash.`,
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
    // Entries come in batches; an empty batch is the last.
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}
