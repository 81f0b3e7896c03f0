/**
 * The areas of the dock, and the groups of panels in each. A group belongs to the area of its first panel, and stays in
 * it. The groups of a closed area are hidden, and take no room.
 */

import type { DockviewApi, DockviewGroupPanel } from "dockview";
import type { Area } from "./panel_kind.ts";

/** The areas with a set length, and its side. Documents take the rest. */
const LENGTHS: Partial<Record<Area, "width" | "height">> = { side: "width", agent: "width", below: "height" };

/** The areas of terminals are next to each other, and open and close together. */
const OF_TERMINALS: Area[] = ["below", "own"];

type Length = { width?: number; height?: number };

/** the length of a hidden group, and the size of the dock at that time */
interface Hidden {
  length: Length;
  whole: { width: number; height: number };
}

export class Areas {
  #ofGroup = new Map<string, Area>();
  /** the group that was used last in each area */
  #used = new Map<Area, DockviewGroupPanel>();
  /** the lengths of hidden groups */
  #hidden = new Map<DockviewGroupPanel, Hidden>();
  api: DockviewApi;
  ofPanel: (id: string) => Area;

  /** @param ofPanel - returns the area in which a panel opens */
  constructor(api: DockviewApi, ofPanel: (id: string) => Area) {
    this.api = api;
    this.ofPanel = ofPanel;
    api.onDidRemoveGroup((group) => {
      this.#ofGroup.delete(group.id);
      this.#hidden.delete(group);
    });
    api.onDidActiveGroupChange((group) => this.#note(group));
    api.onDidLayoutChange(() => {
      this.hideAgain();
      this.#mark();
    });
  }

  /** Return a docked group's area; null while it floats. */
  of(group: DockviewGroupPanel): Area | null {
    if (group.api.location.type !== "grid") return null;
    const known = this.#ofGroup.get(group.id);
    const [first] = group.panels;
    if (known !== undefined || !first) return known ?? null;
    const area = this.ofPanel(first.id);
    this.#ofGroup.set(group.id, area);
    return area;
  }

  /** Return an area's groups, the one that was used last in front. */
  groups(area: Area): DockviewGroupPanel[] {
    const found = this.api.groups.filter((group) => this.of(group) === area);
    const used = this.#used.get(area);
    return used && found.includes(used) ? [used, ...found.filter((group) => group !== used)] : found;
  }

  /** Return the groups that open and close with an area. */
  openingWith(area: Area): DockviewGroupPanel[] {
    const areas = OF_TERMINALS.includes(area) ? OF_TERMINALS : [area];
    return areas.flatMap((each) => this.groups(each));
  }

  isOpen(area: Area) {
    return this.groups(area).some(({ api }) => api.isVisible);
  }

  /** Return the lengths of the groups whose area has a set one. */
  lengths(): [DockviewGroupPanel, Length][] {
    return this.api.groups.flatMap((group): [DockviewGroupPanel, Length][] => {
      const side = LENGTHS[this.of(group) ?? "document"];
      if (side === undefined || !group.api.isVisible) return [];
      return [[group, { [side]: group.api[side] }]];
    });
  }

  /** Act, and then give the groups the lengths that they had before. */
  keepingLengths(act: () => void) {
    const before = this.lengths();
    act();
    for (const [group, size] of before) if (group.panels.length > 0 && group.api.isVisible) group.api.setSize(size);
  }

  /** Show or hide groups. Other areas keep their lengths. */
  setVisible(groups: DockviewGroupPanel[], visible: boolean) {
    const whole = { width: this.api.width, height: this.api.height };
    if (!visible)
      for (const [group, length] of this.lengths())
        if (groups.includes(group)) this.#hidden.set(group, { length, whole });
    this.keepingLengths(() => groups.forEach(({ api }) => api.setVisible(visible)));
    if (!visible) return;
    for (const group of groups) {
      const hidden = this.#hidden.get(group);
      this.#hidden.delete(group);
      if (hidden) group.api.setSize(scaled(hidden, whole));
    }
  }

  /** Hide what dockview shows again as it splits the group next to it. */
  hideAgain() {
    for (const group of this.api.groups) {
      const isShown = group.element.closest(".dv-view")?.classList.contains("visible");
      if (group.api.location.type === "grid" && !group.api.isVisible && isShown)
        this.keepingLengths(() => group.api.setVisible(false));
    }
  }

  save(): Record<string, Area> {
    return Object.fromEntries(this.#ofGroup);
  }

  restore(saved: Record<string, Area>) {
    this.#ofGroup = new Map(Object.entries(saved));
    this.#mark();
  }

  #note(group: DockviewGroupPanel | undefined) {
    const area = group && this.of(group);
    if (group && area) this.#used.set(area, group);
  }

  /** Name the areas for style sheets. */
  #mark() {
    for (const group of this.api.groups) {
      const area = this.of(group);
      if (area === null) delete group.element.dataset.area;
      else group.element.dataset.area = area;
    }
  }
}

/** Return a hidden group's length in a dock that may have another size now. */
function scaled({ length, whole }: Hidden, now: Hidden["whole"]): Length {
  const { width, height } = length;
  if (width !== undefined) return { width: Math.round((width * now.width) / whole.width) };
  return height === undefined ? {} : { height: Math.round((height * now.height) / whole.height) };
}
