/** The keys and commands of the area below: Ctrl+J and Ctrl+` open and close it, Ctrl+Alt+J makes it larger. */

import { IS_MAC } from "../../page/shortcuts.ts";
import { controlAlt, onControlAlt } from "../lib/chords.ts";
import { commands, MOD } from "../lib/commands.ts";
import { byId } from "../lib/elements.ts";
import { onTrustedKey } from "../lib/trusted.ts";
import type { Workbench } from "./workbench.ts";

/** Shares of the workbench's height. */
const USUAL = 0.28;
const LARGE_FROM = 0.5;
const LARGE = 0.7;

export function connectBelow(workbench: Workbench) {
  commands.add(
    {
      id: "toggle-below",
      title: "Show or hide the terminal",
      keywords: "panel below bottom console toggle",
      shortcut: `${MOD}+J Ctrl+\``,
      run: () => workbench.toggleBelow(),
    },
    {
      id: "grow-below",
      title: "Enlarge the terminal, or make it smaller",
      keywords: "panel below bottom height grow shrink",
      shortcut: controlAlt("J"),
      available: () => !workbench.isNarrow,
      run: () => grow(workbench),
    },
  );
  const button = byId("status-below", HTMLButtonElement);
  const draw = () => button.setAttribute("aria-expanded", String(workbench.isBelowOpen));
  button.addEventListener("click", () => workbench.toggleBelow());
  workbench.onChange(draw);
  draw();
  // Before a terminal, which takes most keys.
  onTrustedKey(
    (event) => {
      if (!toggles(event) || document.querySelector("dialog:modal")) return;
      event.preventDefault();
      event.stopPropagation();
      workbench.toggleBelow();
    },
    { capture: true },
  );
  onControlAlt("J", () => grow(workbench));
}

/** Give the area below most of the height, or its usual height. */
function grow(workbench: Workbench) {
  if (workbench.isNarrow) return;
  if (!workbench.isBelowOpen) workbench.toggleBelow();
  const { dock } = workbench;
  const front = dock.frontOf("below");
  const now = front === undefined ? null : dock.place(front);
  if (front === undefined || now === null) return;
  const whole = dock.root.clientHeight;
  dock.size(front, { height: Math.round(whole * (now.height > whole * LARGE_FROM ? USUAL : LARGE)) });
}

/** Return whether a key opens or closes the area below. */
function toggles(event: KeyboardEvent) {
  const { code, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (shiftKey || altKey) return false;
  if (code === "Backquote") return ctrlKey && !metaKey;
  return code === "KeyJ" && (IS_MAC ? metaKey && !ctrlKey : ctrlKey && !metaKey);
}
