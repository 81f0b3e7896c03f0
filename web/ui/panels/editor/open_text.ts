/**
 * One open file: its content, unsaved text, and changes by others. No side is ever lost: unsaved text is stored as a
 * draft, and only overwrites the version that it is based on.
 */

import type { ErrorRow, OpenRow, ReadTextResult } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { deleteDraft, loadDraft, saveDraft } from "./drafts.ts";
import type { Buffer } from "./main.ts";

type Part = { Buffer: new (path: string, content: string) => Buffer };

/** the file's content; null if it is missing or not text */
type Theirs = { version: string | null; content: string | null };

export class OpenText {
  /** null until the file was read */
  buffer: Buffer | null = null;
  /** a change by others under unsaved text */
  conflict: Theirs | null = null;
  /** why it can't be shown or saved */
  problem: ErrorRow | null = null;
  /** True if the file was deleted. */
  deleted = false;
  /** True if the unsaved text is too large for the browser to store. */
  draftTooLarge = false;
  comparing = false;
  #closing = false;
  #file: Pick<ReadTextResult, "line_ending" | "bom"> & { version: string | null } = {
    version: null,
    line_ending: "lf",
    bom: false,
  };
  /** the stamp of the last read */
  #stamp: string | null | undefined;
  #queue: Promise<void> = Promise.resolve();
  id: number;
  path: string;
  actions: Actions;
  part: Promise<Part>;
  onChange: () => void;

  constructor({ id, path }: OpenRow, actions: Actions, part: Promise<Part>, onChange: () => void) {
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
   * Update to the file's current name and content.
   * @returns whether it is read
   */
  follow({ path, stamp }: OpenRow): boolean {
    if (path !== this.path) this.#move(path);
    if (stamp === this.#stamp) return false;
    this.#stamp = stamp;
    void this.#enqueue(() => this.#read());
    return true;
  }

  /** Settles when all requested work is done. */
  get settled() {
    return this.#queue;
  }

  /**
   * Save the text.
   *
   * @param overTheirs - also over a change by others, which the user has seen
   * @returns whether it is saved
   */
  async save(overTheirs = false): Promise<boolean> {
    await this.#enqueue(() => this.#save(overTheirs));
    return !this.dirty && this.problem === null;
  }

  /** Use the file's text. Undo restores the user's own. */
  takeTheirs() {
    const theirs = this.conflict;
    if (!this.buffer || !theirs || theirs.content === null) return;
    this.compare(false);
    this.buffer.replace(theirs.content);
    // With contents, it is the result of a read.
    this.#setBase(theirs as ReadTextResult);
    this.conflict = null;
    this.updateDraft();
    this.onChange();
  }

  /** @param comparing - whether to show the differences */
  compare(comparing: boolean) {
    this.comparing = comparing && this.conflict?.content != null;
    this.buffer?.compare(this.comparing ? (this.conflict?.content ?? null) : null);
    this.onChange();
  }

  /** Mark the lines that differ from the last commit. */
  async markCommitted() {
    if (!this.buffer) return;
    const answer = await this.actions.committedText({ path: this.path });
    if (!isFailure(answer)) this.buffer.markCommitted(answer.text);
  }

  /** Save unsaved text as a draft, or delete the draft if there is none. */
  updateDraft() {
    if (!this.buffer) return;
    if (this.dirty && !this.#closing) {
      this.draftTooLarge = !saveDraft({ path: this.path, content: this.buffer.text, ...this.#file });
    } else {
      this.draftTooLarge = false;
      deleteDraft(this.path);
    }
  }

  /** Close the file and discard unsaved text. */
  async close() {
    // No draft is saved until Python has closed the file, or the discarded text would return.
    this.#closing = true;
    this.updateDraft();
    const answer = await this.actions.closeFile({ path: this.path });
    if (!isFailure(answer)) return;
    this.#closing = false;
    this.problem = answer.error;
    this.updateDraft();
    this.onChange();
  }

  async #read() {
    const [answer, part] = await Promise.all([this.actions.readText({ path: this.path }), this.part]);
    this.deleted = isFailure(answer) && answer.error.type === "FileMissing";
    if (!isFailure(answer)) this.#take(answer, part);
    else if (!this.deleted) this.problem = answer.error;
    else this.#takeDeletion(part);
    this.onChange();
  }

  #take(text: ReadTextResult, part: Part) {
    this.problem = null;
    if (!this.buffer) {
      this.#begin(text, part);
    } else if (text.version === this.#file.version) {
      this.#settle();
    } else if (!this.dirty || this.buffer.text === text.content) {
      this.buffer.replace(text.content, { undo: false });
      this.#setBase(text);
      this.#settle();
    } else {
      this.#setConflict(text);
    }
  }

  #begin(text: ReadTextResult, part: Part) {
    const draft = loadDraft(this.path);
    this.buffer = new part.Buffer(this.path, text.content);
    this.#setBase(text);
    void this.markCommitted();
    if (draft === null || draft.content === text.content) return;
    this.buffer.replace(draft.content);
    if (draft.version === text.version) return;
    this.#file = { version: draft.version, line_ending: draft.line_ending, bom: draft.bom };
    this.#setConflict(text);
  }

  #takeDeletion(part: Part) {
    const draft = loadDraft(this.path);
    if (this.buffer || draft === null) return;
    this.buffer = new part.Buffer(this.path, "");
    this.buffer.replace(draft.content);
    this.#file = { version: draft.version, line_ending: draft.line_ending, bom: draft.bom };
  }

  async #save(overTheirs: boolean) {
    const { buffer } = this;
    if (!buffer) return;
    const content = buffer.text;
    const over = overTheirs && this.conflict ? this.conflict.version : this.#file.version;
    const version = overTheirs && this.deleted ? null : over;
    const answer = await this.actions.saveText({ path: this.path, content, ...this.#file, version });
    if (!isFailure(answer)) {
      buffer.markSaved(content);
      this.#file.version = answer.version;
      this.deleted = false;
      this.#settle();
      this.updateDraft();
    } else if (answer.error.type === "EditConflict") {
      const theirs: Theirs = answer.error.data;
      this.deleted = theirs.version === null;
      if (!this.deleted) this.#setConflict(theirs);
    } else {
      this.problem = answer.error;
    }
    this.onChange();
  }

  /** @param text - the file's and the buffer's content */
  #setBase({ content, version, line_ending, bom }: ReadTextResult) {
    this.buffer?.markSaved(content);
    this.#file = { version, line_ending, bom };
  }

  #setConflict(theirs: Theirs) {
    const { comparing } = this;
    this.conflict = theirs;
    if (comparing) this.compare(true);
  }

  #settle() {
    this.problem = null;
    this.conflict = null;
    if (this.comparing) this.compare(false);
  }

  #move(path: string) {
    deleteDraft(this.path);
    this.path = path;
    this.buffer?.rename(path);
    this.updateDraft();
  }

  /** Run work in order, so that reads and saves never overlap. */
  #enqueue(work: () => Promise<void>) {
    this.#queue = this.#queue.then(work);
    return this.#queue;
  }
}
