/** The choice of the width of a user's pages. */

import { byId } from "../../lib/elements.ts";
import { loadSaved, save } from "../../../shared/local_state.ts";

export interface Device {
  id: string;
  name: string;
  /** of its screen, in CSS pixels */
  width: number;
}

/** Widths of common devices, upright. */
const DEVICES: Device[] = [
  { id: "phone", name: "Phone", width: 390 },
  { id: "tablet", name: "Tablet", width: 820 },
  { id: "desktop", name: "Desktop", width: 1280 },
];
const SAVED = "browser-device";

export class DeviceChoice {
  #field = byId("browser-device", HTMLSelectElement);
  chosen: Device | null;

  /** @param onChange - called when the user has chosen another */
  constructor(onChange: () => void) {
    const options = DEVICES.map(({ id, name, width }) => new Option(`${name} (${width.toLocaleString()} px)`, id));
    this.#field.replaceChildren(new Option("Full width", ""), ...options);
    this.#field.value = loadSaved(SAVED, "");
    // A name that is no longer listed.
    if (this.#field.selectedIndex === -1) this.#field.value = "";
    this.chosen = this.#find();
    this.#field.addEventListener("change", () => {
      this.chosen = this.#find();
      save(SAVED, this.#field.value || undefined);
      onChange();
    });
  }

  /** @param isUsable - false for this page and the pages of agents, which have a width of their own */
  render(isUsable: boolean) {
    this.#field.hidden = !isUsable;
  }

  #find() {
    return DEVICES.find(({ id }) => id === this.#field.value) ?? null;
  }
}
