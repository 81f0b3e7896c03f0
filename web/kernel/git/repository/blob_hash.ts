// The hash of a file's content, as git names it (gitformat-loose(5)).
import { encode } from "../../bytes.ts";

export async function blobHash(content: Uint8Array): Promise<string> {
  const head = encode(`blob ${content.length}\0`);
  const whole = new Uint8Array(head.length + content.length);
  whole.set(head);
  whole.set(content, head.length);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-1", whole));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
