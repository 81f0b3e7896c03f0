/** Draws figures of plotly. The script runs in a frame without an origin or a network. */

import { newPlot } from "plotly.js-cartesian-dist-min";
import { serve } from "./frame.ts";

// A frame without an origin can neither download nor send.
const NOT_HERE = ["toImage", "downloadJson", "sendChartToCloud"];
const CONFIG = { responsive: true, displaylogo: false, modeBarButtonsToRemove: NOT_HERE };

serve(async (place, text) => {
  const { data = [], layout = {} } = JSON.parse(text);
  await newPlot(place, data, layout, CONFIG);
  return Number(layout.height) || 0;
});
