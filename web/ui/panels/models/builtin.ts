/**
 * The browser's own language model (https://webmachinelearning.github.io/prompt-api/), which only windows can use. Python
 * requests it (py/gemini/models/providers/builtin.py): an answer is opened, read in pieces, and closed.
 */

import { PageProblem } from "../../../page/errors.ts";

/** a conversation; browsers have renamed two of its properties */
interface Session {
  contextWindow?: number;
  contextUsage?: number;
  inputQuota?: number;
  inputUsage?: number;
  promptStreaming(text: string): ReadableStream<string>;
  destroy(): void;
}

interface LanguageModel {
  availability(options: object): Promise<string>;
  create(options: object): Promise<Session>;
}

// The API's entry point, which TypeScript doesn't know yet.
declare global {
  interface Window {
    LanguageModel?: LanguageModel;
  }
}

/** of all methods; each has some of them */
interface Params {
  id: number;
  messages: Message[];
  signal: AbortSignal;
}

type Message = { role: "system" | "user" | "assistant"; content: string };

class ModelFailure extends PageProblem {
  constructor(type: string, message: string, hint?: string) {
    super(message, { hint });
    this.type = type;
  }
}

// Browser errors as error types of ours. All others end an answer that can be requested again.
const TYPES: Record<string, string> = {
  NotSupportedError: "ModelRefused",
  QuotaExceededError: "ContextExceeded",
  NotAllowedError: "ModelRefused",
};

// https://developer.chrome.com/docs/ai/prompt-api: other languages are refused.
const LANGUAGES = ["de", "en", "es", "fr", "ja"];

class Answer {
  session: Session;
  reader: ReadableStreamDefaultReader<string>;

  constructor(session: Session, stream: ReadableStream<string>) {
    this.session = session;
    this.reader = stream.getReader();
  }

  async read() {
    const { value, done } = await this.reader.read();
    return { text: value ?? "", done, used: done ? usedTokens(this.session) : null };
  }

  async close() {
    // Cancelling a failed stream rejects, and isn't needed.
    await this.reader.cancel().catch(() => {});
    this.session.destroy();
  }
}

const answers = new Map<number, Answer>();
let lastId = 0;

const methods: Record<string, { answer(params: Params): Promise<unknown> }["answer"]> = {
  async availability() {
    return { availability: await availability() };
  },

  async open({ messages, signal }) {
    const state = await availability();
    if (state !== "available")
      throw new ModelFailure(
        "ModelMissing",
        `the browser's own model is ${state}`,
        "Choose another model, or see Settings.",
      );
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
 * Answer a request of Python's.
 *
 * @param page - `problem` makes errors of the page's own bundle, which it recognises
 */
export async function ask(
  { method, params, signal }: { method: string; params: object; signal: AbortSignal },
  { problem }: { problem: typeof import("../../../shared/document_link.ts").problem },
) {
  try {
    return await methods[method]({ id: 0, messages: [], ...params, signal });
  } catch (error) {
    if (error instanceof ModelFailure) throw problem(error);
    if (!(error instanceof Error)) throw error;
    throw problem({
      type: TYPES[error.name] ?? "ModelDisconnected",
      message: `the browser's own model: ${error.message || error.name}`,
    });
  }
}

/** Download the browser's model, after a press by the user. */
export async function download(onProgress: (fraction: number) => void) {
  const session = await model().create({
    ...options(),
    monitor: (monitor: EventTarget) =>
      monitor.addEventListener("downloadprogress", (event: Event & { loaded?: number }) =>
        onProgress(event.loaded ?? 0),
      ),
  });
  session.destroy();
}

/** @returns as `LanguageModel.availability()`, or `missing` */
export async function availability(): Promise<string> {
  return window.LanguageModel?.availability(options()) ?? "missing";
}

async function begin(messages: Message[], signal: AbortSignal) {
  const session = await model().create({ ...options(), initialPrompts: messages.slice(0, -1), signal });
  try {
    return { session, stream: session.promptStreaming(messages.at(-1)?.content ?? "") };
  } catch (error) {
    session.destroy();
    throw error;
  }
}

/** Return the expected output language, which browsers require. */
function options() {
  const [language] = navigator.language.split("-");
  return { expectedOutputs: [{ type: "text", languages: [LANGUAGES.includes(language) ? language : "en"] }] };
}

/** Return the tokens that a session has used. */
function usedTokens(session: Session): number {
  return session.contextUsage ?? session.inputUsage ?? 0;
}

/** @throws {ModelFailure} the browser has none */
function model(): LanguageModel {
  if (!window.LanguageModel) throw new ModelFailure("ModelMissing", "the browser has no model of its own");
  return window.LanguageModel;
}
