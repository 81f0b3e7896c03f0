/** Requests to the documents of tabs, and their answers. */

import type { Words } from "../consent/consent.ts";

/** what every request of Python's has */
export interface Asked {
  tab: string;
  words?: Words;
  signal?: AbortSignal;
}

/** the owner of a power, in a bundle of its own */
export interface Owner {
  ask(asked: object, page: object): Promise<unknown>;
}

/** what a document's script answers; of actions, whether they had an effect */
export type Answer = ({ success?: boolean; at?: Point; downloads?: unknown[] } & object) | null;
export type Point = { x: number; y: number };

/** called with the answer to each request to a document's script */
export type Watcher = (tab: string, method: string, result: Answer) => void;
