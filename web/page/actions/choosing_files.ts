// Chooses files: in a file input, in the one behind a widget, or by dropping them.

import * as dom from "../dom.ts";
import { InvalidArguments, Unsupported } from "../errors.ts";
import { askToLeave } from "./consent.ts";
import { fire } from "./events.ts";
import { chooserOf } from "./file_choosers.ts";
import { isFileInput, setFiles, transferOf, type FileData } from "./files.ts";
import type { Given } from "./actions.ts";
import type { InputDevices } from "./input_devices.ts";
import { hitAt, localPoint } from "./places.ts";
import { enabled, ready, tagOf, type Place } from "./ready.ts";

/** @param options - a target */
export async function chooseFiles(
  devices: InputDevices,
  files: FileData[],
  { consented, ...options }: Given,
): Promise<object> {
  const found = devices.page.resolve(options);
  const input = inputOf(found);
  if (!Array.isArray(files) || files.some((one) => typeof one?.name !== "string" || typeof one?.data !== "string")) {
    throw new InvalidArguments("`files` must be a list of {name, type, data}.", {
      hint: "`data` is the content in base64.",
    });
  }
  if (input) {
    enabled(input);
    return devices.perform(options, async () => set(input, files));
  }
  const place = await ready(devices.page, { ...options, element: found }, options);
  askToLeave(hitAt(place.point) ?? found, consented);
  return devices.perform(options, async () => {
    const chosen = await chooserOf(found, () => devices.press(place), options.signal);
    if (chosen) return set(chosen, files);
    if (drop(place, files)) return () => ({ value: namesOf(files) });
    throw new Unsupported(`${tagOf(found)} takes no files.`, {
      hint: "Use an input of type file, or the button that opens a file chooser.",
    });
  });
}

/** Return the file input that an element is, labels or contains. */
function inputOf(element: Element): HTMLInputElement | null {
  const control: Element = dom.propertiesOf(element).control ?? element;
  if (isFileInput(control)) return control;
  const inner = dom.querySelectorAll<HTMLInputElement>(element, "input[type=file]");
  return inner.length === 1 ? inner[0] : null;
}

function set(input: HTMLInputElement, files: FileData[]) {
  setFiles(input, files);
  return () => ({ success: true, value: namesOf(files) });
}

function namesOf(files: FileData[]) {
  return files.map(({ name }) => name).join(", ");
}

/**
 * Drop files on an element.
 * @returns whether it accepted them
 */
function drop({ element, point }: Place, files: FileData[]): boolean {
  const dataTransfer = transferOf(element, files);
  const { x, y } = localPoint(dom.ownerDocument(element), point);
  const send = (type: string) => fire(element, "DragEvent", type, { clientX: x, clientY: y, dataTransfer });
  send("dragenter");
  if (send("dragover")) {
    send("dragleave");
    return false;
  }
  send("drop");
  return true;
}
