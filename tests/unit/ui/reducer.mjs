// Runs the page's reducer outside of a page: a line of JSON with events comes in, one with the state goes out.

import { createInterface } from "node:readline";

const { initialState, reduce } = await import(process.argv[2]);

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(JSON.parse(line).reduce(reduce, initialState)));
}
