/** The actions that a user can take: the kernel's, some with files or a model ticket attached. */

import { kernelActions } from "../../generated/actions.ts";
import type {
  EditChatGiven,
  FollowUpGiven,
  GoOnGiven,
  ResumeTeamGiven,
  RetryChatGiven,
  RetryRunGiven,
  RetryTaskGiven,
  RunAutomationGiven,
  SendChatGiven,
  StartRunGiven,
  StartTeamGiven,
  TryModelGiven,
  UploadFilesGiven,
} from "../../generated/types.ts";
import type { Blobs } from "../../kernel/blobs.ts";
import { ask, isFailure } from "./kernel_calls.ts";
import { AGENT, type Ceiling, type ModelTickets } from "./model_tickets.ts";
import type { ArchiveSummary, Completions, Exported, Failure, Imported, SeenCall, Wire } from "./types.ts";

export type Download = { blob: Blob; name: string; bytes: number };

type Upload = { path: string; file: Blob };

export type IfThere = UploadFilesGiven["if_there"];

export type Strategy = StartRunGiven["strategy"];

export type Actions = ReturnType<typeof createActions>;

/** @param blobs - for files passed between page and kernel */
export function createActions(connection: Wire, blobs: Blobs, tickets: ModelTickets) {
  const kernel = kernelActions((action, given, signal) =>
    ask(connection, "panel/act", { action, arguments: given }, signal),
  );
  return {
    ...kernel,
    ...fileActions(kernel, connection, blobPassing(blobs)),
    ...paidActions(kernel, tickets),
    complete: (code: string, cursor: number): Promise<Completions | Failure> =>
      ask(connection, "python/complete", { code, cursor }),
    /**
     * Ask about the Python code at a position: a line from 1, a column in code points from 0.
     *
     * @returns Completions, `{signature}`, `{help}` or `{place}` (py/gemini/computer/code/analysis.py), or a Failure
     */
    askCode: <Answer>(question: {
      about: "complete" | "signature" | "describe" | "define";
      path: string;
      text: string;
      line: number;
      column: number;
    }): Promise<Answer | Failure> => ask(connection, "code/ask", question),
    isComplete: (code: string): Promise<{ complete: boolean } | Failure> =>
      ask(connection, "python/is_complete", { code }),
    /** Call a tool that agents can be offered. */
    callTool: (name: string, given: object, signal: AbortSignal): Promise<unknown> =>
      ask(connection, "panel/act", { action: "call_tool", arguments: { name, arguments: given } }, signal),
    /** Return calls of the log as people see them. */
    seeCalls: (given: { ids: number[] }): Promise<SeenCall[] | Failure> => ask(connection, "calls/see", given),
    resetAll: (): Promise<Imported | Failure> => ask(connection, "storage/reset", {}),
    /** Set the spending limit of one press of Start or Send. */
    setCeiling: (wanted: Ceiling): Promise<object | null | Failure> => tickets.setCeiling(wanted),
  };
}

/** Return the actions that pass files along with the call. */
function fileActions(
  kernel: ReturnType<typeof kernelActions>,
  connection: Wire,
  { withFiles, withBlob }: ReturnType<typeof blobPassing>,
) {
  return {
    uploadFiles: ({ files, ...given }: { directory: string; files: Upload[]; folders: string[]; if_there: IfThere }) =>
      withFiles(files, (passed) => kernel.uploadFiles({ ...given, files: passed })),
    /** Store a file that a page in a tab has downloaded. */
    saveDownload: ({ file, ...given }: { name: string; type: string; file: Blob }) =>
      withFiles([{ path: "", file }], ([{ blob }]) => kernel.saveDownload({ ...given, blob })),
    attachChat: ({ files }: { files: Upload[] }) => withFiles(files, (passed) => kernel.attachChat({ files: passed })),
    downloadFiles: (given: { paths: string[] }): Promise<Download | Failure> => withBlob(kernel.downloadFiles(given)),
    exportChat: (given: { chat_id: string; format: "markdown" | "json" }): Promise<Download | Failure> =>
      withBlob(kernel.exportChat(given)),
    exportRun: (given: { run_id: string; format: "markdown" | "json" | "html" }): Promise<Download | Failure> =>
      withBlob(kernel.exportRun(given)),
    exportMachine: (given: { machine: string }): Promise<Download | Failure> => withBlob(kernel.exportMachine(given)),
    /** Replace a machine's disk by a file. */
    importMachine: ({ machine, file }: { machine: string; file: Blob }) =>
      withFiles([{ path: "", file }], ([{ blob }]) => kernel.importMachine({ machine, blob })),
    exportAll: (): Promise<Exported | Failure> =>
      withBlob(ask<{ blob: string; name: string; bytes: number }>(connection, "storage/export", {})),
    inspectExport: (file: Blob): Promise<ArchiveSummary | Failure> =>
      withFiles([{ path: "", file }], ([{ blob }]) => ask(connection, "storage/look", { blob })),
    /** `take` names the permissions of the archive to import. */
    importAll: (file: Blob, take: string[]): Promise<Imported | Failure> =>
      withFiles([{ path: "", file }], ([{ blob }]) => ask(connection, "storage/import", { blob, take })),
  };
}

/** Return the actions that ask models. Each press grants a ticket. */
function paidActions(kernel: ReturnType<typeof kernelActions>, tickets: ModelTickets) {
  const inChat = async <Result extends { chat_id: string } | Failure>(
    chat: string | null,
    call: (granted: { ticket?: string }) => Promise<Result>,
  ) => {
    const granted = await tickets.grantChat(chat);
    const answer = await call(granted);
    if (granted.ticket && !isFailure(answer)) tickets.noteChat(answer.chat_id);
    return answer;
  };
  return {
    tryModel: async (given: TryModelGiven) => kernel.tryModel({ ...given, ...(await tickets.grant("", given.id)) }),
    tryEmbeddingModel: async () => kernel.tryEmbeddingModel(await tickets.grantEmbedding()),
    /** Search by meaning at a press; `searchByMeaning` continues. */
    beginSearchByMeaning: async (given: { text: string }, signal: AbortSignal) =>
      kernel.searchByMeaning({ ...given, ...(await tickets.grantEmbedding()) }, signal),
    startRun: async (given: StartRunGiven) =>
      kernel.startRun({ ...given, ...(await tickets.grant(AGENT, given.model ?? undefined)) }),
    startTeam: async (given: StartTeamGiven) => kernel.startTeam({ ...given, ...(await tickets.grant(AGENT)) }),
    resumeTeam: async (given: ResumeTeamGiven) => kernel.resumeTeam({ ...given, ...(await tickets.grant(AGENT)) }),
    retryTask: async (given: RetryTaskGiven) => kernel.retryTask({ ...given, ...(await tickets.grant(AGENT)) }),
    runAutomation: async (given: RunAutomationGiven) =>
      kernel.runAutomation({ ...given, ...(await tickets.grant(AGENT)) }),
    followUp: async (given: FollowUpGiven) => kernel.followUp({ ...given, ...(await tickets.grant(AGENT)) }),
    /** Ask a model that costs money, at a press; `askFollowUp` asks the others. */
    payFollowUp: async (given: { message: string }) =>
      kernel.askFollowUp({ ...given, ...(await tickets.grant(AGENT)) }),
    retryRun: async (given: RetryRunGiven) => kernel.retryRun({ ...given, ...(await tickets.grant(AGENT)) }),
    goOn: async (given: GoOnGiven) => kernel.goOn({ ...given, ...(await tickets.grant(AGENT)) }),
    sendChat: (given: SendChatGiven) =>
      inChat(given.chat_id ?? null, (granted) => kernel.sendChat({ ...given, ...granted })),
    retryChat: (given: RetryChatGiven) =>
      inChat(given.chat_id, (granted) => kernel.retryChat({ ...given, ...granted })),
    editChat: (given: EditChatGiven) => inChat(given.chat_id, (granted) => kernel.editChat({ ...given, ...granted })),
  };
}

/** Return wrappers for calls that pass files. The kernel has another origin, so files go along with the call, by id. */
function blobPassing(blobs: Blobs) {
  return {
    async withFiles<Result>(files: Upload[], call: (given: { path: string; blob: string }[]) => Promise<Result>) {
      const given = files.map(({ path, file }) => ({ path, blob: blobs.offer(file) }));
      try {
        return await call(given);
      } finally {
        for (const { blob } of given) blobs.withdraw(blob);
      }
    },
    async withBlob<Result extends { blob: string }>(called: Promise<Result | Failure>) {
      const answer = await called;
      return isFailure(answer) ? answer : { ...answer, blob: await blobs.take(answer.blob) };
    },
  };
}
