// The commands that are our own; each may leave a call to just-git.
import { answer } from "./answers.js";
import { bisect } from "./bisect.js";
import { archive } from "./archive.js";
import { checkAttr } from "./check_attr.js";
import { checkIgnore } from "./check_ignore.js";
import { commit } from "./commit.js";
import { diffFiles, diffIndex, diffTree } from "./compare_commands.js";
import { config } from "./config.js";
import { commitTree, updateIndex, writeTree } from "./index_commands.js";
import { mv } from "./moves.js";
import { catFile, hashObject, lsTree } from "./object_commands.js";
import { takeDiffOptions } from "./diff_options.js";
import { formatPatch } from "./format_patch.js";
import { am } from "./patches.js";
import { mergeBase, showRef, symbolicRef, updateRef } from "./plumbing.js";
import { revList } from "./rev_list.js";
import { revParse_ } from "./rev_parse.js";
import { status } from "./status.js";
import { apply } from "./three_way.js";
import { fsck } from "./fsck.js";
import { lsRemote } from "./ls_remote.js";
import { notes } from "./notes.js";
import { branch, forEachRef, tag } from "./refs.js";
import { log } from "./log.js";
import { credential } from "./remotes.js";
import { worktree } from "./worktree.js";

/** @type {Record<string, import("./repository.js").Command>} */
export const COMMANDS = {
  am,
  apply,
  bisect,
  branch,
  "cat-file": catFile,
  archive,
  "check-attr": checkAttr,
  "check-ignore": checkIgnore,
  commit,
  config,
  "commit-tree": commitTree,
  credential,
  "diff-files": diffFiles,
  "diff-index": diffIndex,
  "diff-tree": diffTree,
  "for-each-ref": forEachRef,
  "format-patch": formatPatch,
  fsck,
  "hash-object": hashObject,
  "ls-remote": lsRemote,
  "ls-tree": lsTree,
  "merge-base": mergeBase,
  mv,
  notes,
  "rev-list": revList,
  "rev-parse": revParse_,
  "show-ref": showRef,
  status,
  "symbolic-ref": symbolicRef,
  tag,
  "update-index": updateIndex,
  "update-ref": updateRef,
  version: async () => answer("git version 2.39.5\n"),
  whatchanged: (args, call) => log(["--no-merges", ...(takeDiffOptions(args, call.settings).options.formats.size ? [] : ["--raw"]), ...args], call),
  worktree,
  "write-tree": writeTree,
};
