// Reads a table or grid as rows.

import * as dom from "./dom.ts";
import { Unsupported } from "./errors.ts";
import { rootsBelow } from "./composed.ts";
import { oneLine } from "./short_texts.ts";

type TableRows = { columns: string[]; rows: string[][]; start: number; total: number; next: number | null };

const TABLES = "table, [role=table], [role=grid], [role=treegrid]";
const HEADERS = "th[scope=col], thead th, [role=columnheader]";
const CELLS = ":is(td, th, [role=cell], [role=gridcell], [role=rowheader], [role=columnheader])";
const ROWS = ":is(tr, [role=row])";
const LONGEST_CELL = 300;
const DEFAULT_COUNT = 50;
const MOST_SPAN = 100;

/**
 * Return rows of the table that an element is, contains or is in; of grids that draw only some rows, those that are drawn.
 * @param part - rows from `start`, counted from 0
 * @returns `next` is the start of the next part, `total` counts rows that aren't drawn, too
 * Throws Unsupported.
 */
export function tableRows(
  element: Element,
  { start = 0, count = DEFAULT_COUNT }: { start?: number; count?: number },
): TableRows {
  const table = dom.closest(element, TABLES) ?? tableIn(element);
  if (!table)
    throw new Unsupported("There is no table or grid here.", {
      hint: "Pass the ref of a table, or of an element in one.",
    });
  const all = Array.from(dom.querySelectorAll(table, ROWS)).filter(
    (row) => dom.closest(row, TABLES) === table && dom.checkVisibility(row),
  );
  const heads = all.filter(isHead);
  const body = all.filter((row) => !isHead(row));
  const columns = heads.slice(-1).flatMap(cellsOf);
  const part = body.slice(start, start + count);
  const declared = Number(dom.getAttribute(table, "aria-rowcount")) - heads.length;
  return {
    columns,
    rows: part.map(cellsOf),
    start,
    total: Math.max(body.length, Number.isFinite(declared) ? declared : 0),
    next: start + part.length < body.length ? start + part.length : null,
  };
}

function tableIn(element: Element) {
  for (const root of rootsBelow(element)) {
    const found = dom.querySelector(root, TABLES);
    if (found) return found;
  }
  return null;
}

function isHead(row: Element) {
  if (dom.closest(row, "thead")) return true;
  const cells = Array.from(dom.querySelectorAll(row, CELLS));
  return (
    cells.length > 0 &&
    cells.every(
      (cell) =>
        dom.matches(cell, HEADERS) || (dom.localName(cell) === "th" && dom.getAttribute(cell, "scope") !== "row"),
    )
  );
}

/** @returns a cell that spans columns stands in the first */
function cellsOf(row: Element): string[] {
  const cells = Array.from(dom.querySelectorAll(row, CELLS)).filter((cell) => dom.closest(cell, ROWS) === row);
  const ordered = cells.every((cell) => dom.hasAttribute(cell, "aria-colindex"))
    ? cells.sort(
        (one, other) =>
          Number(dom.getAttribute(one, "aria-colindex")) - Number(dom.getAttribute(other, "aria-colindex")),
      )
    : cells;
  return ordered.flatMap((cell) => {
    const span = Math.min(MOST_SPAN, Math.max(1, Reflect.get(cell, "colSpan") || 1));
    return [textOf(cell), ...Array(span - 1).fill("")];
  });
}

function textOf(cell: Element) {
  const field = dom.querySelector<HTMLInputElement>(cell, "input, select, textarea");
  const value =
    field === null || field.type === "password" ? "" : field.type === "checkbox" ? String(field.checked) : field.value;
  const text = oneLine(dom.innerText(cell) || dom.textContent(cell) || value);
  return (text || value).slice(0, LONGEST_CELL);
}
