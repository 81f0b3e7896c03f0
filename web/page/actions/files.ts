// Sets the files of a file input, as if a user had selected them.

import * as dom from "../dom.js";
import { InvalidArguments } from "../errors.js";
import { fireChange, fireInput, realmOf } from "./events.js";

/** @typedef {{ name: string, type?: string, data: string }} FileData `data` is base64 */

/** @param {Element} element */
export function isFileInput(element) {
  return dom.localName(element) === "input" && /** @type {HTMLInputElement} */ (element).type === "file";
}

/**
 * Set the files, with the events of an edit.
 * @param {HTMLInputElement} input
 * @param {FileData[]} files
 * Throws InvalidArguments.
 */
export function setFiles(input, files) {
  if (files.length > 1 && !input.multiple) {
    throw new InvalidArguments(`The input takes one file, not ${files.length}.`, { hint: "Pass one file." });
  }
  input.files = transferOf(input, files).files;
  fireInput(input);
  fireChange(input);
}

/** Return a transfer with the files, in the realm of an element. @param {Element} element @param {FileData[]} files */
export function transferOf(element, files) {
  const realm = realmOf(element);
  const transfer = new realm.DataTransfer();
  for (const { name, type = "", data } of files) {
    transfer.items.add(new realm.File([bytesOf(data, name)], name, { type }));
  }
  return transfer;
}

/** @param {string} data @param {string} name */
function bytesOf(data, name) {
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  } catch {
    throw new InvalidArguments(`The data of ${JSON.stringify(name)} isn't base64.`, { hint: "Pass {name, type, data} with data in base64." });
  }
}
