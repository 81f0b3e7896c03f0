/** Files that the user uploads, by drop or file picker, and downloads. */

import type { Actions, IfThere } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { download } from "../../lib/download.ts";
import { counted } from "../../lib/format.ts";
import { askPerson } from "../../lib/question.ts";
import type { Failure } from "../../state/types.ts";

type LocalFile = { path: string; file: File };

export type Load = { files: LocalFile[]; folders: string[] };

/**
 * Collect dropped files, including the contents of folders. Call it while the event is handled; its data is lost after
 * that.
 */
export async function dropped(transfer: DataTransfer): Promise<Load> {
  const load: Load = { files: [], folders: [] };
  const items = [...transfer.items]
    .filter(({ kind }) => kind === "file")
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  for (const entry of items) {
    if (entry instanceof File) load.files.push({ path: entry.name, file: entry });
    else if (entry) await collect(entry, load);
  }
  return load;
}

/** Collect picked files. A folder picker omits empty folders. */
export function picked(files: FileList): Load {
  return { files: [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })), folders: [] };
}

/**
 * Upload files, asking the user if names are taken.
 *
 * @returns null if the user cancelled
 */
export async function upload(
  actions: Actions,
  directory: string,
  { files, folders }: Load,
): Promise<{ paths: string[] } | Failure | null> {
  const write = (ifThere: IfThere) => actions.uploadFiles({ directory, files, folders, if_there: ifThere });
  const answer = await write("refuse");
  if (!isFailure(answer) || answer.error.type !== "AlreadyExists") return answer;
  const choice = await askAboutExisting(answer);
  return choice === null ? null : write(choice);
}

/** Save a file to the device, or folders and several files as one archive. */
export async function saveToDevice(actions: Actions, paths: string[]) {
  const answer = await actions.downloadFiles({ paths });
  if (isFailure(answer)) return answer;
  download(answer.blob, answer.name);
  return answer;
}

async function askAboutExisting({ error }: Failure): Promise<IfThere | null> {
  const { count }: { count: number } = error.data;
  const choice = await askPerson(
    count === 1 ? "File already exists" : `${counted(count, "file")} already exist`,
    `${error.message}. Replaced files go to the trash.`,
    [
      { value: "", label: "Cancel" },
      { value: "replace", label: "Replace" },
      { value: "keep_both", label: "Keep both", primary: true },
    ],
  );
  // The dialog offers no others.
  return choice as IfThere | null;
}

async function collect(entry: FileSystemEntry, load: Load) {
  const path = entry.fullPath.replace(/^\/+/, "");
  if (isFile(entry)) {
    load.files.push({ path, file: await new Promise((resolve, reject) => entry.file(resolve, reject)) });
  } else {
    load.folders.push(path);
    // What isn't a file is a folder.
    for (const inner of await entriesOf(entry as FileSystemDirectoryEntry)) await collect(inner, load);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    // Entries come in batches; an empty batch is the last.
    const some: FileSystemEntry[] = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}
