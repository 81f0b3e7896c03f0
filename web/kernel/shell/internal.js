// Names of the commands that rewritten nodes call; their first argument is the rewriter's id.
export const FORK = "__gemini_fork";
export const COLLECT = "__gemini_collect";
export const EVALUATE = "__gemini_eval";
export const SOURCE = "__gemini_source";
export const ASK = "__gemini_ask";
export const FOLDERS = "__gemini_folders";
export const KEEP = "__gemini_keep";
export const LEAVE = "__gemini_leave";
export const REFER = "__gemini_refer";
export const RETURN = "__gemini_return";
/** The first command of what `bash` and `sh` run, where the functions of the terminal's shell are unknown. */
export const OWN_SHELL = "__gemini_sh";
export const OURS = "__gemini_";
export const REPLACED = new Set(["trap", "wait", "jobs", "kill", "fg", "bg", "disown"]);

/** The variable that tells a Python command where its output goes; its value is a route. */
export const LIVE = "__GEMINI_LIVE";

/** The variable that tells a command how many lines its reader takes. */
export const LINES = "__GEMINI_LINES";
