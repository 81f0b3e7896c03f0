/** Presses on the tabs of panels. */

const STRIP = ".dv-tabs-container";

/** Call `listener` with a panel's id when a user presses its tab in the dock's element. */
export function onTabPressed(root: HTMLElement, listener: (id: string) => void) {
  let pressed: string | null = null;
  root.addEventListener("pointerdown", ({ target }) => {
    pressed = tabAt(target);
  });
  root.addEventListener("click", ({ target }) => {
    // Tabs can move while one is pressed, as a name grows or a new tab comes. Then the strip gets the click.
    const isOfStrip = target instanceof Element && target.matches(STRIP);
    const id = isOfStrip ? pressed : tabAt(target);
    pressed = null;
    if (id !== null) listener(id);
  });
}

/** Return the id of the panel whose tab a place is in. */
function tabAt(target: EventTarget | null): string | null {
  const tab = target instanceof Element ? target.closest<HTMLElement>("[data-tab-panel-id]") : null;
  return tab?.dataset.tabPanelId ?? null;
}
