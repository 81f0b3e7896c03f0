// Sets the files of a file input, as if a user had selected them.

import * as dom from "../dom.ts";
import { InvalidArguments } from "../errors.ts";
import { fireEdit, realmOf } from "./events.ts";

/** `data` is base64 */
export type FileData = { name: string; type?: string; data: string };

export function isFileInput(element: Element): element is HTMLInputElement {
  return dom.isNamed(element, "input") && element.type === "file";
}

/**
 * Set the files, with the events of an edit.
 * Throws InvalidArguments.
 */
export function setFiles(input: HTMLInputElement, files: FileData[]) {
  if (files.length > 1 && !input.multiple) {
    throw new InvalidArguments(`The input takes one file, not ${files.length}.`, { hint: "Pass one file." });
  }
  input.files = transferOf(input, files).files;
  fireEdit(input);
}

/** Return a transfer with the files, in the realm of an element. */
export function transferOf(element: Element, files: FileData[]) {
  const realm = realmOf(element);
  const transfer = new realm.DataTransfer();
  for (const { name, type = "", data } of files) {
    transfer.items.add(new realm.File([bytesOf(data, name)], name, { type }));
  }
  return transfer;
}

function bytesOf(data: string, name: string) {
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  } catch {
    throw new InvalidArguments(`The data of ${JSON.stringify(name)} isn't base64.`, {
      hint: "Pass {name, type, data} with data in base64.",
    });
  }
}
