/**
 * One file that is open: what is in it, what was typed, and what somebody else wrote meanwhile. Neither side is ever lost: what
 * was typed is kept as a draft, and it is saved only over the file that it began with.
 *
 * @import { ErrorDetails, OpenFile } from "../types.js"
 * @import { Actions } from "../actions.js"
 * @import { ReadTextResult } from "../../generated/actions.js"
 * @import { Buffer } from "./main.js"
 */

import { isFailure } from "../call.js";
import { draftOf, forgetDraft, keepDraft } from "./drafts.js";

/** @typedef {{Buffer: new (path: string, content: string) => Buffer}} Part */
/** @typedef {{version: string | null, content: string | null}} Theirs what is in the file; null where nothing, or no text, is */

export class OpenText {
  /** @type {Buffer | null} until it was read */
  buffer = null;
  /** @type {Theirs | null} what somebody else wrote below unsaved text */
  conflict = null;
  /** @type {ErrorDetails | null} why it can't be shown or saved */
  problem = null;
  /** Whether the file is no longer there. */
  gone = false;
  /** Whether what was typed is too long for the browser to keep. */
  unkept = false;
  comparing = false;
  #closing = false;
  /** @type {Pick<ReadTextResult, "line_ending" | "bom"> & {version: string | null}} */
  #file = { version: null, line_ending: "lf", bom: false };
  /** @type {string | null | undefined} of the file that was read last */
  #stamp;
  /** @type {Promise<void>} */
  #working = Promise.resolve();

  /**
   * @param {OpenFile} row
   * @param {Actions} actions
   * @param {Promise<Part>} part
   * @param {() => void} onChange
   */
  constructor({ id, path }, actions, part, onChange) {
    this.id = id;
    this.path = path;
    this.actions = actions;
    this.part = part;
    this.onChange = onChange;
  }

  get name() {
    return this.path.slice(this.path.lastIndexOf("/") + 1);
  }

  get dirty() {
    return this.buffer?.dirty ?? false;
  }

  get lineEnding() {
    return this.#file.line_ending;
  }

  /**
   * Follows the file: to another name, and to what was written into it.
   *
   * @param {OpenFile} row
   */
  follow({ path, stamp }) {
    if (path !== this.path) this.#move(path);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    void this.#one(() => this.#read());
  }

  /** Settles when all that was asked for so far is done. */
  get settled() {
    return this.#working;
  }

  /**
   * Saves what was typed.
   *
   * @param {boolean} [overTheirs] also over what somebody else wrote meanwhile, which the person has seen
   * @returns {Promise<boolean>} whether it is saved
   */
  async save(overTheirs = false) {
    await this.#one(() => this.#save(overTheirs));
    return !this.dirty && this.problem === null;
  }

  /** Takes what somebody else wrote. What was typed comes back by undoing that. */
  takeTheirs() {
    const theirs = this.conflict;
    if (!this.buffer || !theirs || theirs.content === null) return;
    this.compare(false);
    this.buffer.replace(theirs.content);
    this.#become(/** @type {ReadTextResult} */ (theirs));
    this.conflict = null;
    this.keep();
    this.onChange();
  }

  /** @param {boolean} comparing whether the differences are shown */
  compare(comparing) {
    this.comparing = comparing && this.conflict?.content != null;
    this.buffer?.compare(this.comparing ? this.conflict?.content ?? null : null);
    this.onChange();
  }

  /** Keeps what isn't saved, and nothing else. */
  keep() {
    if (!this.buffer) return;
    if (this.dirty && !this.#closing) {
      this.unkept = !keepDraft({ path: this.path, content: this.buffer.text, ...this.#file });
    } else {
      this.unkept = false;
      forgetDraft(this.path);
    }
  }

  /** Closes it, and lets go of what was typed. */
  async close() {
    // Until Python has closed it nothing is kept anew, or what the person let go of would come back.
    this.#closing = true;
    this.keep();
    const answer = await this.actions.closeFile({ path: this.path });
    if (!isFailure(answer)) return;
    this.#closing = false;
    this.problem = answer.error;
    this.keep();
    this.onChange();
  }

  async #read() {
    const [answer, part] = await Promise.all([this.actions.readText({ path: this.path }), this.part]);
    this.gone = isFailure(answer) && answer.error.type === "FileMissing";
    if (!isFailure(answer)) this.#take(answer, part);
    else if (!this.gone) this.problem = answer.error;
    else this.#takeAbsence(part);
    this.onChange();
  }

  /**
   * @param {ReadTextResult} text
   * @param {Part} part
   */
  #take(text, part) {
    this.problem = null;
    if (!this.buffer) {
      this.#begin(text, part);
    } else if (text.version === this.#file.version) {
      this.#settle();
    } else if (!this.dirty || this.buffer.text === text.content) {
      this.buffer.replace(text.content, { undo: false });
      this.#become(text);
      this.#settle();
    } else {
      this.#meet(text);
    }
  }

  /**
   * @param {ReadTextResult} text
   * @param {Part} part
   */
  #begin(text, part) {
    const draft = draftOf(this.path);
    this.buffer = new part.Buffer(this.path, text.content);
    this.#become(text);
    if (draft === null || draft.content === text.content) return;
    this.buffer.replace(draft.content);
    if (draft.version === text.version) return;
    this.#file = { version: draft.version, line_ending: draft.line_ending, bom: draft.bom };
    this.#meet(text);
  }

  /** @param {Part} part */
  #takeAbsence(part) {
    const draft = draftOf(this.path);
    if (this.buffer || draft === null) return;
    this.buffer = new part.Buffer(this.path, "");
    this.buffer.replace(draft.content);
    this.#file = { version: draft.version, line_ending: draft.line_ending, bom: draft.bom };
  }

  /** @param {boolean} overTheirs */
  async #save(overTheirs) {
    const { buffer } = this;
    if (!buffer) return;
    const content = buffer.text;
    const over = overTheirs && this.conflict ? this.conflict.version : this.#file.version;
    const version = overTheirs && this.gone ? null : over;
    const answer = await this.actions.saveText({ path: this.path, content, ...this.#file, version });
    if (!isFailure(answer)) {
      buffer.markSaved(content);
      this.#file.version = answer.version;
      this.gone = false;
      this.#settle();
      this.keep();
    } else if (answer.error.type === "EditConflict") {
      const theirs = /** @type {Theirs} */ (answer.error.data);
      this.gone = theirs.version === null;
      if (!this.gone) this.#meet(theirs);
    } else {
      this.problem = answer.error;
    }
    this.onChange();
  }

  /** @param {ReadTextResult} text what is in the file, and in the buffer */
  #become({ content, version, line_ending, bom }) {
    this.buffer?.markSaved(content);
    this.#file = { version, line_ending, bom };
  }

  /** @param {Theirs} theirs */
  #meet(theirs) {
    const { comparing } = this;
    this.conflict = theirs;
    if (comparing) this.compare(true);
  }

  #settle() {
    this.problem = null;
    this.conflict = null;
    if (this.comparing) this.compare(false);
  }

  /** @param {string} path */
  #move(path) {
    forgetDraft(this.path);
    this.path = path;
    this.buffer?.rename(path);
    this.keep();
  }

  /**
   * One thing after the other, so that what is read or saved is never that of another moment.
   *
   * @param {() => Promise<void>} work
   */
  #one(work) {
    this.#working = this.#working.then(work);
    return this.#working;
  }
}
