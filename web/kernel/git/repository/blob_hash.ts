// The hash of an object, as git names it (gitformat-loose(5)).
import { concat, encode, hex } from "../../bytes.ts";

export async function objectHash(type: string, content: Uint8Array): Promise<string> {
  const whole = concat([encode(`${type} ${content.length}\0`), content]);
  // No part of it is shared between threads.
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-1", whole as Uint8Array<ArrayBuffer>)));
}

/** @param content - of a file */
export const blobHash = (content: Uint8Array): Promise<string> => objectHash("blob", content);
