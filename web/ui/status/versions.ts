/**
 * The notice of a page and a companion of different releases. They work together as far as both know a method; files
 * and settings stay, whichever is updated.
 */

import type { Limitation } from "../../generated/types.ts";

const NUMBER = /^\d+(\.\d+)*/;

interface Options {
  page: string;
  /** null: before companions reported it; "0": it runs from a source tree, whose page is its own */
  companion: string | null;
  inExtension: boolean;
}

/** @returns null if both are of one release, or if it isn't known */
export function differentVersions({ page, companion, inExtension }: Options): Limitation | null {
  if (companion === page || companion === "0") return null;
  const isPageOlder = companion !== null && isOlder(page, companion);
  const named = companion === null ? "an older one" : companion;
  const update = inExtension
    ? "Update the extension in the browser's list of extensions."
    : "Reload this page; if that changes nothing, close its other tabs first.";
  return {
    what: "All that the newer release has",
    why: `This page is of release ${page}, the companion of ${named}. They work together, but the older one lacks what is new.`,
    how: isPageOlder
      ? `${update} Files and settings stay.`
      : "Update the companion (pip install --upgrade 'control-surface[companion]', or uvx control-surface@latest), and start it again. Files and settings stay.",
  };
}

/** Return whether release `a` precedes `b`: by its numbers, and a pre-release precedes its release. */
function isOlder(a: string, b: string) {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [x, y] = [left[at] ?? 0, right[at] ?? 0];
    if (x !== y) return x < y;
  }
  return a.length > b.length;
}

function numbersOf(version: string) {
  return (NUMBER.exec(version)?.[0] ?? "0").split(".").map(Number);
}
