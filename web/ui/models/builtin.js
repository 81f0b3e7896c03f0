/**
 * The browser's own language model (https://webmachinelearning.github.io/prompt-api/), which only a window has. Python
 * asks for it (py/gemini/models/builtin.py): an answer is opened, read in pieces as they come, and closed.
 */

import { PageProblem } from "../../page/errors.js";

/** @typedef {{role: "system" | "user" | "assistant", content: string}} Said */

class ModelFailure extends PageProblem {
  /** @param {string} type @param {string} message @param {string} [hint] */
  constructor(type, message, hint) {
    super(message, { hint });
    this.type = type;
  }
}

// What the browser's errors are among ours; others end an answer that may be asked for again.
/** @type {Record<string, string>} */
const TYPES = { NotSupportedError: "ModelRefused", QuotaExceededError: "ContextExceeded", NotAllowedError: "ModelRefused" };

// https://developer.chrome.com/docs/ai/prompt-api: others are refused.
const LANGUAGES = ["de", "en", "es", "fr", "ja"];

class Answer {
  /** @param {any} session @param {ReadableStream<string>} stream */
  constructor(session, stream) {
    this.session = session;
    this.reader = stream.getReader();
  }

  async read() {
    const { value, done } = await this.reader.read();
    return { text: value ?? "", done, used: done ? used(this.session) : null };
  }

  async close() {
    // A stream that has failed can't be cancelled, and needn't be.
    await this.reader.cancel().catch(() => {});
    this.session.destroy();
  }
}

/** @type {Map<number, Answer>} */
const answers = new Map();
let lastId = 0;

/** @type {Record<string, (params: any) => Promise<unknown>>} */
const methods = {
  async availability() {
    return { availability: await availability() };
  },

  async open({ messages, signal }) {
    const state = await availability();
    if (state !== "available") throw new ModelFailure("ModelMissing", `the browser's own model is ${state}`, "Choose another one, or see the settings.");
    const { session, stream } = await begin(messages, signal);
    answers.set(++lastId, new Answer(session, stream));
    return { id: lastId, context: session.contextWindow ?? session.inputQuota ?? null };
  },

  async read({ id }) {
    const answer = answers.get(id);
    if (!answer) throw new ModelFailure("ModelDisconnected", "the answer was closed");
    return answer.read();
  },

  async close({ id }) {
    const answer = answers.get(id);
    answers.delete(id);
    await answer?.close();
  },
};

/**
 * What Python asks.
 *
 * @param {{method: string, params: object, signal: AbortSignal}} asked
 * @throws {PageProblem}
 */
export async function ask({ method, params, signal }) {
  try {
    return await methods[method]({ ...params, signal });
  } catch (error) {
    if (error instanceof PageProblem || !(error instanceof Error)) throw error;
    throw new ModelFailure(TYPES[error.name] ?? "ModelDisconnected", `the browser's own model: ${error.message || error.name}`);
  }
}

/**
 * Has the browser fetch its model, after a press of the person's.
 *
 * @param {(fraction: number) => void} onProgress
 */
export async function download(onProgress) {
  const session = await model().create({
    ...options(),
    monitor: (/** @type {EventTarget} */ monitor) =>
      monitor.addEventListener("downloadprogress", (event) => onProgress(/** @type {ProgressEvent} */ (event).loaded)),
  });
  session.destroy();
}

/** @returns {Promise<string>} as `LanguageModel.availability()`, or `missing` */
export async function availability() {
  return model() ? model().availability(options()) : "missing";
}

/** @param {Said[]} messages @param {AbortSignal} signal */
async function begin(messages, signal) {
  const session = await model().create({ ...options(), initialPrompts: messages.slice(0, -1), signal });
  try {
    return { session, stream: session.promptStreaming(messages.at(-1)?.content ?? "") };
  } catch (error) {
    session.destroy();
    throw error;
  }
}

/** Browsers want to know in which language answers are to be. */
function options() {
  const [language] = navigator.language.split("-");
  return { expectedOutputs: [{ type: "text", languages: [LANGUAGES.includes(language) ? language : "en"] }] };
}

/** How many tokens a session has taken. @param {any} session @returns {number} */
function used(session) {
  return session.contextUsage ?? session.inputUsage ?? 0;
}

/** Read each time: types of it are still to come to the language's own. @returns {any} */
function model() {
  return /** @type {any} */ (window).LanguageModel;
}
