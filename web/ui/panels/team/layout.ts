// The places of a team's tasks and edges in its graph, in pixels.

import { Graph, layout } from "@dagrejs/dagre";

/** The size of a task. Two fit side by side into a narrow panel. */
export const WIDTH = 132;
export const HEIGHT = 76;
const SPACE = { rankdir: "TB", nodesep: 10, ranksep: 48, marginx: 6, marginy: 8 };

type Point = { x: number; y: number };

/** `delegated`: only drawn, since the leader has added the task */
export type Edge = { from: string; to: string; points: Point[]; middle: Point; delegated: boolean };

/** `places` has the middles of tasks */
export type Layout = { width: number; height: number; places: Map<string, Point>; edges: Edge[] };

/**
 * Lay out tasks in layers: each below those that must be done before it.
 *
 * @param tasks - the first one is the leader's; edges have no cycles
 */
export function laidOut(tasks: { id: string; after: string[] }[]): Layout {
  const graph = new Graph();
  graph.setGraph({ ...SPACE });
  const [leader] = tasks;
  const known = new Set(tasks.map(({ id }) => id));
  for (const { id } of tasks) graph.setNode(id, { width: WIDTH, height: HEIGHT });
  for (const { id, after } of tasks) {
    const before = after.filter((each) => known.has(each));
    for (const each of before) graph.setEdge(each, id, { delegated: false });
    if (before.length === 0 && id !== leader.id) graph.setEdge(leader.id, id, { delegated: true });
  }
  layout(graph);
  const places = new Map(tasks.map(({ id }) => [id, pointOf(graph.node(id))]));
  const edges = graph.edges().map(({ v, w }) => {
    const { points, delegated } = graph.edge({ v, w });
    return {
      from: v,
      to: w,
      points: points.map(pointOf),
      middle: pointOf(points[Math.floor(points.length / 2)]),
      delegated,
    };
  });
  const { width = 0, height = 0 } = graph.graph();
  return { width, height, places, edges };
}

function pointOf({ x = 0, y = 0 }: Partial<Point>) {
  return { x: Math.round(x), y: Math.round(y) };
}

/**
 * Return the task that an arrow key leads to: up and down to the nearest one of the next layer, else to the next in the
 * same one.
 */
export function neighbour(places: Map<string, Point>, from: string, key: string) {
  const at = places.get(from);
  if (at === undefined) return null;
  const vertical = key === "ArrowUp" || key === "ArrowDown";
  const sign = key === "ArrowUp" || key === "ArrowLeft" ? -1 : 1;
  const along = ({ x, y }: Point) => sign * (vertical ? y - at.y : x - at.x);
  const aside = ({ x, y }: Point) => Math.abs(vertical ? x - at.x : y - at.y);
  const reached = [...places].filter(([, place]) => along(place) > 0 && (vertical || aside(place) === 0));
  reached.sort(([, one], [, other]) => along(one) - along(other) || aside(one) - aside(other));
  return reached[0]?.[0] ?? null;
}
