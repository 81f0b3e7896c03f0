// The commands that are our own; each may leave a call to just-git.
import { answer } from "./answers.js";
import { bisect } from "./bisect.js";
import { checkAttr } from "./check_attr.js";
import { commit } from "./commit.js";
import { config } from "./config.js";
import { mv } from "./moves.js";
import { catFile, hashObject, lsTree } from "./object_commands.js";
import { am, apply, formatPatch } from "./patches.js";
import { mergeBase, showRef, symbolicRef, updateRef } from "./plumbing.js";
import { revList } from "./rev_list.js";
import { revParse_ } from "./rev_parse.js";
import { status } from "./status.js";
import { branch, forEachRef, tag } from "./refs.js";
import { credential } from "./remotes.js";
import { worktree } from "./worktree.js";

/** @type {Record<string, import("./repository.js").Command>} */
export const COMMANDS = {
  am,
  apply,
  bisect,
  branch,
  "cat-file": catFile,
  "check-attr": checkAttr,
  commit,
  config,
  credential,
  "for-each-ref": forEachRef,
  "format-patch": formatPatch,
  "hash-object": hashObject,
  "ls-tree": lsTree,
  "merge-base": mergeBase,
  mv,
  "rev-list": revList,
  "rev-parse": revParse_,
  "show-ref": showRef,
  status,
  "symbolic-ref": symbolicRef,
  tag,
  "update-ref": updateRef,
  version: async () => answer("git version 2.39.5\n"),
  worktree,
};
