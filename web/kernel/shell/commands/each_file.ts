// The files that a program's arguments name.
import { CommandError } from "../control.ts";
import { descriptorOf } from "../execution/descriptor_paths.ts";
import { openPath } from "../execution/redirections.ts";
import { SystemError } from "../../system_errors.ts";
import type { OpenFile } from "../execution/open_files.ts";
import type { Shell } from "../shell.ts";

const CHUNK = 1 << 16;

/** @param path - `-` for standard input */
const open = (shell: Shell, path: string) => (path === "-" ? shell.descriptors.get(0) : openPath(shell, path, "<"));

/** Return whether an operand names a directory. */
export const isDirectory = ({ files, cwd }: Shell, path: string) =>
  descriptorOf(path) === null && files.isFolder(files.resolvePath(cwd, path));

/** Do something with all of a file, part after part. */
export async function eachChunk(shell: Shell, file: OpenFile, action: (chunk: Uint8Array) => Promise<void> | void) {
  for (;;) {
    if (file.isEndless) shell.descriptors.get(1).markEndless();
    const chunk = await file.read(CHUNK, shell.task);
    if (chunk.length === 0) return;
    await action(chunk);
    await shell.host.breathe(shell.task);
  }
}

/**
 * Return where the last lines of a text begin.
 * @param end - of a line: a byte
 */
export function startOfLast(data: Uint8Array, lines: number, end: number) {
  if (lines === 0) return data.length;
  let start = data.length;
  for (let left = lines + (data.at(-1) === end ? 1 : 0); left > 0 && start >= 0; left--)
    // From -1 the search would begin at the last byte.
    start = start === 0 ? -1 : data.lastIndexOf(end, start - 1);
  return start + 1;
}

/** Do something with each file; one that can't be opened is reported. */
export async function eachFile(
  shell: Shell,
  command: string,
  paths: string[],
  action: (file: OpenFile, path: string) => Promise<void>,
) {
  let status = 0;
  for (const path of paths.length ? paths : ["-"]) {
    try {
      if (path !== "-" && isDirectory(shell, path)) throw new CommandError(`${path}: Is a directory`);
      const file = open(shell, path).retain();
      await action(file, path).finally(() => file.release());
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof SystemError)) throw error;
      const [name, reason] = /^(.*): (.*)$/s.exec(error.message)?.slice(1) ?? [path, error.message];
      const inHead =
        reason === "Is a directory"
          ? `error reading '${name}': ${reason}`
          : `cannot open '${name}' for reading: ${reason}`;
      const text = command === "head" || command === "tail" ? inHead : `${name}: ${reason}`;
      await shell.write(2, `${command}: ${text}\n`);
      status = 1;
    }
  }
  return status;
}
