// The commands that are our own; each may leave a call to just-git.
import { answer } from "./repository/answers.ts";
import { bisect } from "./commands/bisect.ts";
import { archive } from "./commands/archive.ts";
import { checkAttr } from "./commands/check_attr.ts";
import { checkIgnore } from "./commands/check_ignore.ts";
import { commit } from "./commands/commit.ts";
import { diffFiles, diffIndex, diffTree } from "./commands/compare_commands.ts";
import { config } from "./commands/config.ts";
import { commitTree, updateIndex, writeTree } from "./commands/index_commands.ts";
import { mv } from "./commands/moves.ts";
import { catFile, hashObject, lsTree } from "./commands/object_commands.ts";
import { takeDiffOptions } from "./differences/diff_options.ts";
import { formatPatch } from "./commands/format_patch.ts";
import { am } from "./commands/patches.ts";
import { mergeBase, showRef, symbolicRef, updateRef } from "./commands/plumbing.ts";
import { revList } from "./commands/rev_list.ts";
import { revParse_ } from "./commands/rev_parse.ts";
import { status } from "./commands/status.ts";
import { apply } from "./commands/three_way.ts";
import { fsck } from "./commands/fsck.ts";
import { lsRemote } from "./commands/ls_remote.ts";
import { notes } from "./commands/notes.ts";
import { branch, forEachRef, tag } from "./commands/refs.ts";
import { log } from "./commands/log.ts";
import { credential } from "./commands/remotes.ts";
import type { Command } from "./repository/repository.ts";
import { worktree } from "./commands/worktree.ts";
import { tableOf } from "../tables.ts";

export const COMMANDS: Record<string, Command> = tableOf({
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
});
