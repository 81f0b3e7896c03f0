/**
 * What the panel does with files: each operation says how it went, and how to undo it where that is possible.
 *
 * @import { Failure } from "../types.js"
 * @import { Actions } from "../actions.js"
 * @import { Load } from "./transfers.js"
 */

import { isFailure } from "../call.js";
import { copyText } from "../copying.js";
import { bytes, counted } from "../format.js";
import { joined, nameOf } from "./listing.js";
import { bring, takeOut } from "./transfers.js";

/**
 * @typedef {object} Notice
 * @property {string} text
 * @property {() => Promise<void>} [undo]
 */

/**
 * @typedef {object} Told what the operations tell the panel
 * @property {(notice: Notice) => void} notice
 * @property {(failure: Failure) => void} problem
 * @property {(paths: string[]) => void} select
 * @property {(path: string) => Promise<void>} open
 */

export class Operations {
  /**
   * @param {Actions} actions
   * @param {Told} told
   */
  constructor(actions, told) {
    this.actions = actions;
    this.told = told;
  }

  /**
   * @param {string} directory
   * @param {string} name
   * @param {"file" | "directory"} kind
   * @returns {Promise<boolean>} whether it was made
   */
  async make(directory, name, kind) {
    const answer = await this.actions.makeFile({ path: joined(directory, name), kind });
    if (this.#failed(answer)) return false;
    this.told.select([answer.path]);
    this.told.notice({ text: `Created ${name}.` });
    if (kind === "file") await this.told.open(answer.path);
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
    this.told.select([moved]);
    this.told.notice({
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
      this.told.notice({ text: `${what} is no longer in the trash.` });
      return;
    }
    this.told.notice({
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
  async bring(directory, load) {
    const brought = await load;
    if (brought.files.length + brought.folders.length === 0) return;
    this.told.notice({ text: `Adding ${counted(brought.files.length, "file")}…` });
    const answer = await bring(this.actions, directory, brought);
    if (answer === null) {
      this.told.notice({ text: "No files were added." });
      return;
    }
    if (this.#failed(answer)) return;
    // What came in folders stands below them.
    this.told.select([...new Set(answer.paths.map((path) => topOf(directory, path)))]);
    this.told.notice({ text: `${counted(answer.paths.length, "file")} added to ${directory}.` });
  }

  /** @param {string[]} paths */
  async takeOut(paths) {
    const answer = await takeOut(this.actions, paths);
    if (this.#failed(answer)) return;
    this.told.notice({ text: `Your browser saves ${answer.name} (${bytes(answer.bytes)}).` });
  }

  /** @param {string[]} paths */
  async copyPaths(paths) {
    const problem = await copyText(paths.join("\n"));
    if (problem) this.told.problem({ isError: true, error: problem });
    else this.told.notice({ text: paths.length === 1 ? "Path copied." : "Paths copied." });
  }

  /**
   * @param {object} answer
   * @param {string[]} paths
   */
  #undone(answer, paths) {
    if (this.#failed(answer)) return;
    this.told.select(paths);
    this.told.notice({ text: "Undone." });
  }

  /**
   * @param {object} answer
   * @returns {answer is Failure}
   */
  #failed(answer) {
    if (!isFailure(answer)) return false;
    this.told.problem(answer);
    return true;
  }
}

/**
 * @param {string} directory
 * @param {string} path below it
 */
function topOf(directory, path) {
  return joined(directory, path.slice(joined(directory, "").length).split("/")[0]);
}
