// `$(…)`, `<(…)` and `>(…)` (Bash manual, 3.5.4 and 3.5.6).
import { EMPTY, decode } from "../../bytes.ts";
import { CommandError } from "../control.ts";
import { EISDIR, SystemError } from "../../system_errors.ts";
import { ListFile } from "./list_files.ts";
import { Capture, RegularFile } from "./open_files.ts";
import { openPath } from "./redirections.ts";
import type { Shell, Node } from "../shell.ts";
import { startSubshell } from "./subshells.ts";
import { expandText } from "../language/words.ts";

/** @returns what they print, without the last line ends */
export async function substituteCommand(shell: Shell, statements: Node[]): Promise<string> {
  const file = fileThatIsRead(statements);
  if (file) return textOf(shell, await readOrReport(shell, await expandText(shell, file)));
  let closed = () => {};
  const end = new Promise((resolve) => (closed = () => resolve(undefined)));
  const capture = new Capture(closed);
  const running = startSubshell(shell, statements, new Map([[1, capture]]), {
    prepare: (copy) => {
      if (!shell.shopts.has("inherit_errexit")) copy.options.delete("errexit");
      copy.conditions = 0;
      copy.loops = 0;
    },
  });
  finish(shell, await running.done);
  // A job that it started may still write.
  if (capture.references > 0) await shell.task.pause(end);
  return textOf(shell, capture.bytes);
}

/** Set the exit code that the next word of the command sees in `$?`, and the command's own if it has no name. */
function finish(shell: Shell, status: number) {
  shell.substitutionStatus = status;
  shell.status = status;
}

/** A string of the shell has no NUL bytes. */
async function textOf(shell: Shell, bytes: Uint8Array): Promise<string> {
  let text = decode(bytes);
  if (text.includes("\0")) {
    await shell.complain("warning: command substitution: ignored null byte in input");
    text = text.replaceAll("\0", "");
  }
  return text.replace(/\n+$/, "");
}

/** The file of `$(<file)`. */
function fileThatIsRead(statements: Node[]): Node | null {
  const { name, assignments, redirections } =
    statements.length === 1 ? (statements[0]?.pipelines?.[0]?.commands[0] ?? {}) : {};
  const reads =
    name === null && assignments?.length === 0 && redirections?.length === 1 && redirections[0].operator === "<";
  return reads && redirections[0].fd === null ? redirections[0].target : null;
}

/** Return the content of a file; one that can't be opened costs the substitution, not the command around it. */
async function readOrReport(shell: Shell, path: string): Promise<Uint8Array> {
  try {
    return await readFile(shell, path);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await shell.complain(error.message);
    finish(shell, 1);
    return EMPTY;
  }
}

async function readFile(shell: Shell, path: string) {
  const file = openPath(shell, path, "<").retain();
  try {
    finish(shell, 0);
    return await file.readAll(shell.task);
  } catch (error) {
    // As in bash, a folder is an empty file here.
    if (!(error instanceof SystemError && error.errno === EISDIR)) throw error;
    return EMPTY;
  } finally {
    file.release();
  }
}

// The first of the numbers that bash takes.
const FIRST_NUMBER = 63;

/** @returns the path that stands for the list */
export async function substituteProcess(shell: Shell, { body, direction }: Node): Promise<string> {
  const { FS } = shell.files;
  const place = shell.host.chooseNumber(FIRST_NUMBER);
  FS.mkdirTree(shell.files.descriptors);
  const path = `${shell.files.descriptors}/${place}`;
  const file = new ListFile(FS, FS.open(path, "w+", 0o600));
  if (direction === "input") {
    const running = startSubshell(shell, body.statements, new Map([[1, file]]));
    shell.lastPid = running.task.pid;
    await running.done;
  } else file.retain().release();
  shell.substitutions.push(async () => {
    if (direction === "output") {
      const running = startSubshell(shell, body.statements, new Map([[0, new RegularFile(FS, FS.open(path, "r", 0))]]));
      await running.done;
    }
    FS.unlink(path);
    shell.host.freeNumber(place);
  });
  return `/dev/fd/${place}`;
}
