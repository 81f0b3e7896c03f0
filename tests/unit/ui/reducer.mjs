// Runs the page's reducer outside a page: reads lines of JSON with events, and prints the state for each.

import { createInterface } from "node:readline";

const { initialState, reduce } = await import(process.argv[2]);

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(JSON.parse(line).reduce(reduce, initialState)));
}
