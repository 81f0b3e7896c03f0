/**
 * The frame's side of a chart: it gets a specification from the page that contains the frame, draws it, and reports its
 * height or why it can't be drawn (web/ui/panels/python/chart.ts is the other side).
 */

/** @param draw - returns the chart's height in pixels; 0 if it has the frame's */
export function serve(draw: (place: HTMLElement, text: string) => Promise<number>) {
  const place = document.createElement("div");
  place.id = "chart";
  document.body.append(place);
  const report = (answer: { ready: true } | { height: number } | { failed: string }) => parent.postMessage(answer, "*");
  // The sender doesn't matter: nothing here is worth protecting from another specification.
  addEventListener("message", async ({ data }) => {
    if (typeof data?.specification !== "string") return;
    try {
      report({ height: await draw(place, data.specification) });
    } catch (error) {
      report({ failed: error instanceof Error ? error.message : String(error) });
    }
  });
  report({ ready: true });
}
