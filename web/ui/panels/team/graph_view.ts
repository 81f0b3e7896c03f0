/** The graph of a team's tasks: a button for each, and lines from each to those that come after it. */

import { expect } from "../../lib/elements.ts";
import { html, nothing, svg } from "lit";
import { styleMap } from "lit/directives/style-map.js";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { ListTeamsResult } from "../../../generated/types.ts";
import { HEIGHT, laidOut, neighbour, WIDTH, type Edge, type Layout } from "./layout.ts";
import { firstLine } from "../../lib/format.ts";
import { labelOf, price, stateOf, waitOf } from "./texts.ts";

type Task = ListTeamsResult["teams"][number]["tasks"][number];

/** what a user does in the graph */
interface Acts {
  select: (task: string) => void;
  link: (task: string, after: string) => void;
  unlink: (task: string, after: string) => void;
}

const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];

export class GraphView {
  /** The layout, as long as tasks and edges are the same. */
  #key = "";
  #layout: Layout = { width: 0, height: 0, places: new Map(), edges: [] };
  team: string;
  acts: Acts;

  constructor(team: string, acts: Acts) {
    this.team = team;
    this.acts = acts;
  }

  /**
   * @param colors - of agents
   * @param blocked - whether edges can't be changed now
   */
  draw(tasks: Task[], colors: Map<string, string>, selected: string | null, blocked: boolean) {
    const key = JSON.stringify(tasks.map(({ id, after }) => [id, after]));
    if (key !== this.#key) {
      this.#key = key;
      this.#layout = laidOut(tasks);
    }
    const { width, height, edges } = this.#layout;
    const byId = new Map(tasks.map((task) => [task.id, task]));
    const first = selected !== null && byId.has(selected) ? selected : tasks[0].id;
    const node = (task: Task) => this.#node(task, tasks, colors, task.id === selected, task.id === first, blocked);
    return html`<div class="team-graph" role="group" aria-label="Tasks" data-team-graph=${this.team} @keydown=${this.#moved}>
      <div class="team-graph-area" style=${styleMap({ width: `${width}px`, height: `${height}px` })}>
        <svg width=${width} height=${height} aria-hidden="true">
          <defs><marker id=${`arrow-${this.team}`} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
            <path d="M0 0 8 4 0 8z"></path></marker></defs>
          ${edges.map((edge) => this.#line(edge))}<path class="team-graph-drag" hidden></path></svg>
        ${repeatBy(tasks, "id", node)}
        ${blocked ? nothing : edges.map((edge) => this.#cut(edge, byId))}</div></div>`;
  }

  #line({ points, delegated }: Edge) {
    const [start, ...rest] = points;
    const path = `M${start.x} ${start.y}${rest.map(({ x, y }) => `L${x} ${y}`).join("")}`;
    return svg`<path class="team-edge" d=${path} data-delegated=${delegated} marker-end=${`url(#arrow-${this.team})`}></path>`;
  }

  #node(
    task: Task,
    tasks: Task[],
    colors: Map<string, string>,
    isSelected: boolean,
    isFirst: boolean,
    blocked: boolean,
  ) {
    const { x, y } = this.#layout.places.get(task.id) ?? { x: 0, y: 0 };
    const { status, sign, words } = stateOf(task);
    const place = {
      left: `${x - WIDTH / 2}px`,
      top: `${y - HEIGHT / 2}px`,
      width: `${WIDTH}px`,
      height: `${HEIGHT}px`,
    };
    const canPrecede = !blocked && task.id !== tasks[0].id && tasks.some(({ status: other }) => other === "waiting");
    return html`<div class="team-node" style=${styleMap(place)} data-node=${task.id} data-status=${status}>
      <button type="button" class="team-node-button" aria-pressed=${isSelected} tabindex=${isFirst ? 0 : -1}
        aria-label=${labelOf(task, tasks)} @click=${() => this.acts.select(task.id)}>
        <span class="team-node-agent"><span class="team-color" style=${styleMap({ background: colors.get(task.agent) ?? "transparent" })}></span>
          ${task.agent}</span>
        <span class="team-node-state"><span class="team-sign">${sign}</span> ${words}${waitOf(task)}${price(task.cost)}</span>
        <span class="team-node-brief">${firstLine(task.brief)}</span></button>
      ${
        canPrecede
          ? html`<span class="team-port" title="Drag to a task that comes after this one"
        @pointerdown=${(event: PointerEvent) => this.#drag(event, task.id)}></span>`
          : nothing
      }</div>`;
  }

  /** A button in the middle of an edge that can be removed. */
  #cut({ from, to, middle, delegated }: Edge, byId: Map<string, Task>) {
    const [before, after] = [byId.get(from), byId.get(to)];
    if (delegated || before === undefined || after?.status !== "waiting") return nothing;
    const label = `Remove: ${after.agent} waits for ${before.agent}, ${firstLine(before.brief)}`;
    return html`<button type="button" class="team-cut" data-action="unlink_tasks" data-from=${from} data-to=${to} title="Remove"
      aria-label=${label} style=${styleMap({ left: `${middle.x}px`, top: `${middle.y}px` })}
      @click=${() => this.acts.unlink(to, from)}>×</button>`;
  }

  #moved = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const node = event.target instanceof HTMLElement ? event.target.closest(".team-node") : null;
    if (!(node instanceof HTMLElement) || !ARROWS.includes(event.key)) return;
    event.preventDefault();
    const next = neighbour(this.#layout.places, node.dataset.node ?? "", event.key);
    const button = next === null ? null : event.currentTarget.querySelector(`[data-node="${next}"] button`);
    if (button instanceof HTMLElement) button.focus();
  };

  /** Draw a line from a task to the pointer, until it is dropped on another one. */
  #drag(event: PointerEvent, from: string) {
    const port = expect(event.currentTarget, HTMLElement);
    const area = port.closest(".team-graph-area");
    const line = area?.querySelector(".team-graph-drag");
    if (!area || !line) return;
    event.preventDefault();
    port.setPointerCapture(event.pointerId);
    const dragging = new AbortController();
    const { x, y } = this.#layout.places.get(from) ?? { x: 0, y: 0 };
    const move = ({ clientX, clientY }: PointerEvent) => {
      const { left, top } = area.getBoundingClientRect();
      line.setAttribute("d", `M${x} ${y + HEIGHT / 2}L${clientX - left} ${clientY - top}`);
      line.removeAttribute("hidden");
    };
    const end = () => {
      line.setAttribute("hidden", "");
      dragging.abort();
    };
    port.addEventListener("pointermove", move, dragging);
    port.addEventListener("pointercancel", end, dragging);
    port.addEventListener(
      "pointerup",
      ({ clientX, clientY }) => {
        end();
        const node = document.elementFromPoint(clientX, clientY)?.closest("[data-node]");
        const to = node instanceof HTMLElement ? (node.dataset.node ?? from) : from;
        if (to !== from && area.contains(node ?? null)) this.acts.link(to, from);
      },
      dragging,
    );
  }
}
