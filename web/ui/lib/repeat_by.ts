/** Lists in templates. */

import { repeat } from "lit/directives/repeat.js";

/** Draw rows. An element stays the same as long as its row has the same value under `key`. */
export function repeatBy<Row>(rows: Iterable<Row>, key: keyof Row, draw: (row: Row, index: number) => unknown) {
  return repeat(rows, (row) => row[key], draw);
}
