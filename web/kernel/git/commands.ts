// The commands that are our own; each may leave a call to just-git.
import { answer } from "./answers.ts";
import { bisect } from "./bisect.ts";
import { archive } from "./archive.ts";
import { checkAttr } from "./check_attr.ts";
import { checkIgnore } from "./check_ignore.ts";
import { commit } from "./commit.ts";
import { diffFiles, diffIndex, diffTree } from "./compare_commands.ts";
import { config } from "./config.ts";
import { commitTree, updateIndex, writeTree } from "./index_commands.ts";
import { mv } from "./moves.ts";
import { catFile, hashObject, lsTree } from "./object_commands.ts";
import { takeDiffOptions } from "./diff_options.ts";
import { formatPatch } from "./format_patch.ts";
import { am } from "./patches.ts";
import { mergeBase, showRef, symbolicRef, updateRef } from "./plumbing.ts";
import { revList } from "./rev_list.ts";
import { revParse_ } from "./rev_parse.ts";
import { status } from "./status.ts";
import { apply } from "./three_way.ts";
import { fsck } from "./fsck.ts";
import { lsRemote } from "./ls_remote.ts";
import { notes } from "./notes.ts";
import { branch, forEachRef, tag } from "./refs.ts";
import { log } from "./log.ts";
import { credential } from "./remotes.ts";
import type { Command } from "./repository.ts";
import { worktree } from "./worktree.ts";

export const COMMANDS: Record<string, Command> = {
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
  whatchanged: (args, call) =>
    log(
      ["--no-merges", ...(takeDiffOptions(args, call.settings).options.formats.size ? [] : ["--raw"]), ...args],
      call,
    ),
  worktree,
  "write-tree": writeTree,
};
