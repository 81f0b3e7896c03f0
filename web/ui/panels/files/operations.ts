/** File operations of the panel. Each reports its outcome, with an undo if possible. */

import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { copyText } from "../../lib/copying.ts";
import { bytes, counted } from "../../lib/format.ts";
import type { Failure } from "../../state/types.ts";
import { joined, nameOf } from "./listing.ts";
import { copyLink } from "./link_launcher.ts";
import { saveToDevice, upload, type Load } from "./transfers.ts";

export interface Notice {
  text: string;
  undo?: () => Promise<void>;
  /** runs the added file */
  run?: { label: string; press: () => void };
  /** stays until another replaces it */
  lasts?: true;
}

interface Callbacks {
  onNotice: (notice: Notice) => void;
  onProblem: (failure: Failure) => void;
  select: (paths: string[]) => void;
  open: (path: string) => Promise<void>;
  run: (path: string) => void;
}

export class Operations {
  actions: Actions;
  callbacks: Callbacks;

  constructor(actions: Actions, callbacks: Callbacks) {
    this.actions = actions;
    this.callbacks = callbacks;
  }

  /** @returns whether it was created */
  async create(directory: string, name: string, kind: "file" | "directory"): Promise<boolean> {
    const answer = await this.actions.makeFile({ path: joined(directory, name), kind });
    if (this.#failed(answer)) return false;
    this.callbacks.select([answer.path]);
    this.callbacks.onNotice({ text: `Created ${name}.` });
    if (kind === "file") await this.callbacks.open(answer.path);
    return true;
  }

  async rename(directory: string, path: string, name: string) {
    const answer = await this.actions.moveFile({ path, to: joined(directory, name) });
    if (this.#failed(answer)) return;
    const moved = answer.path;
    this.callbacks.select([moved]);
    this.callbacks.onNotice({
      text: `Renamed ${nameOf(path)} to ${name}.`,
      undo: async () => this.#undone(await this.actions.moveFile({ path: moved, to: path }), [path]),
    });
  }

  async delete(paths: string[]) {
    const answer = await this.actions.deleteFiles({ paths });
    if (this.#failed(answer)) return;
    const what = paths.length === 1 ? nameOf(paths[0]) : counted(paths.length, "file");
    if (answer.ids.length === 0) {
      this.callbacks.onNotice({ text: `Deleted ${what} permanently.` });
      return;
    }
    this.callbacks.onNotice({
      text: `Moved ${what} to the trash.`,
      undo: async () => {
        const restored = await this.actions.restoreFiles({ ids: answer.ids });
        this.#undone(restored, isFailure(restored) ? [] : restored.paths);
      },
    });
  }

  async add(directory: string, load: Load | Promise<Load>) {
    const added = await load;
    if (added.files.length + added.folders.length === 0) return;
    this.callbacks.onNotice({ text: `Adding ${counted(added.files.length, "file")}…`, lasts: true });
    const answer = await upload(this.actions, directory, added);
    if (answer === null) {
      this.callbacks.onNotice({ text: "No files were added." });
      return;
    }
    if (this.#failed(answer)) return;
    // Select the added folders instead of the files in them.
    const top = [...new Set(answer.paths.map((path) => topOf(directory, path)))];
    this.callbacks.select(top);
    const notice = { text: `Added ${counted(answer.paths.length, "file")} to ${directory}.` };
    this.callbacks.onNotice({ ...notice, run: top.length === 1 ? await this.#runOf(top[0]) : undefined });
  }

  /** Return what runs a file or folder, if anything does. */
  async #runOf(path: string) {
    const found = await this.actions.runFile({ path });
    if (isFailure(found)) return undefined;
    return { label: `Run ${nameOf(found.path)}`, press: () => this.callbacks.run(found.path) };
  }

  async download(paths: string[]) {
    const answer = await saveToDevice(this.actions, paths);
    if (this.#failed(answer)) return;
    this.callbacks.onNotice({ text: `Your browser is saving ${answer.name} (${bytes(answer.bytes)}).` });
  }

  async copyLink(paths: string[]) {
    const answer = await copyLink(this.actions, paths);
    if (typeof answer === "string") this.callbacks.onNotice({ text: answer });
    else this.callbacks.onProblem(answer);
  }

  async copyPaths(paths: string[]) {
    const problem = await copyText(paths.join("\n"));
    if (problem) this.callbacks.onProblem({ isError: true, error: problem });
    else this.callbacks.onNotice({ text: paths.length === 1 ? "Path copied." : "Paths copied." });
  }

  #undone(answer: object, paths: string[]) {
    if (this.#failed(answer)) return;
    this.callbacks.select(paths);
    this.callbacks.onNotice({ text: "Undone." });
  }

  #failed(answer: object): answer is Failure {
    if (!isFailure(answer)) return false;
    this.callbacks.onProblem(answer);
    return true;
  }
}

/** @param path - inside it */
function topOf(directory: string, path: string) {
  return joined(directory, path.slice(joined(directory, "").length).split("/")[0]);
}
