/**
 * File operations of the panel. Each reports its outcome, with an undo if possible.
 *
 * @import { Failure } from "../types.js"
 * @import { Actions } from "../actions.js"
 * @import { Load } from "./transfers.js"
 */

import { isFailure } from "../call.js";
import { copyText } from "../copying.js";
import { bytes, counted } from "../format.js";
import { joined, nameOf } from "./listing.js";
import { saveToDevice, upload } from "./transfers.js";

/**
 * @typedef {object} Notice
 * @property {string} text
 * @property {() => Promise<void>} [undo]
 * @property {{label: string, press: () => void}} [run] runs what the operation added
 */

/**
 * @typedef {object} Callbacks
 * @property {(notice: Notice) => void} onNotice
 * @property {(failure: Failure) => void} onProblem
 * @property {(paths: string[]) => void} select
 * @property {(path: string) => Promise<void>} open
 * @property {(path: string) => void} run
 */

export class Operations {
  /**
   * @param {Actions} actions
   * @param {Callbacks} callbacks
   */
  constructor(actions, callbacks) {
    this.actions = actions;
    this.callbacks = callbacks;
  }

  /**
   * @param {string} directory
   * @param {string} name
   * @param {"file" | "directory"} kind
   * @returns {Promise<boolean>} whether it was created
   */
  async create(directory, name, kind) {
    const answer = await this.actions.makeFile({ path: joined(directory, name), kind });
    if (this.#failed(answer)) return false;
    this.callbacks.select([answer.path]);
    this.callbacks.onNotice({ text: `Created ${name}.` });
    if (kind === "file") await this.callbacks.open(answer.path);
    return true;
  }

  /**
   * @param {string} directory
   * @param {string} path
   * @param {string} name
   */
  async rename(directory, path, name) {
    const answer = await this.actions.moveFile({ path, to: joined(directory, name) });
    if (this.#failed(answer)) return;
    const moved = answer.path;
    this.callbacks.select([moved]);
    this.callbacks.onNotice({
      text: `Renamed ${nameOf(path)} to ${name}.`,
      undo: async () => this.#undone(await this.actions.moveFile({ path: moved, to: path }), [path]),
    });
  }

  /** @param {string[]} paths */
  async delete(paths) {
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

  /**
   * @param {string} directory
   * @param {Load | Promise<Load>} load
   */
  async add(directory, load) {
    const added = await load;
    if (added.files.length + added.folders.length === 0) return;
    this.callbacks.onNotice({ text: `Adding ${counted(added.files.length, "file")}…` });
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

  /** Return what runs a file or folder, if anything does. @param {string} path */
  async #runOf(path) {
    const found = await this.actions.runFile({ path });
    if (isFailure(found)) return undefined;
    return { label: `Run ${nameOf(found.path)}`, press: () => this.callbacks.run(found.path) };
  }

  /** @param {string[]} paths */
  async download(paths) {
    const answer = await saveToDevice(this.actions, paths);
    if (this.#failed(answer)) return;
    this.callbacks.onNotice({ text: `Your browser is saving ${answer.name} (${bytes(answer.bytes)}).` });
  }

  /** @param {string[]} paths */
  async copyPaths(paths) {
    const problem = await copyText(paths.join("\n"));
    if (problem) this.callbacks.onProblem({ isError: true, error: problem });
    else this.callbacks.onNotice({ text: paths.length === 1 ? "Path copied." : "Paths copied." });
  }

  /**
   * @param {object} answer
   * @param {string[]} paths
   */
  #undone(answer, paths) {
    if (this.#failed(answer)) return;
    this.callbacks.select(paths);
    this.callbacks.onNotice({ text: "Undone." });
  }

  /**
   * @param {object} answer
   * @returns {answer is Failure}
   */
  #failed(answer) {
    if (!isFailure(answer)) return false;
    this.callbacks.onProblem(answer);
    return true;
  }
}

/**
 * @param {string} directory
 * @param {string} path inside it
 */
function topOf(directory, path) {
  return joined(directory, path.slice(joined(directory, "").length).split("/")[0]);
}
