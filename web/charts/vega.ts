/**
 * Draws charts of Vega and Vega-Lite, which Altair makes. The script runs in a frame without an origin or a network. An
 * interpreter evaluates expressions, because the frame's policy allows no code made of text.
 */

import { loader, parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile } from "vega-lite";
import { serve } from "./frame.ts";

const NO_NETWORK = "charts here load no data by address: put the data into the chart";

serve(async (place, text) => {
  const given = JSON.parse(text);
  const isLite = String(given.$schema).includes("/vega-lite/");
  const specification = isLite ? compile(given).spec : given;
  let refused = false;
  const refuse = () => {
    refused = true;
    return Promise.reject(new Error(NO_NETWORK));
  };
  const view = new View(parse(specification, undefined, { ast: true }), {
    expr: expressionInterpreter,
    loader: { ...loader(), load: refuse },
    renderer: "svg",
    container: place,
    hover: true,
  });
  await view.runAsync();
  // Vega only logs it, and draws nothing.
  if (refused) throw new Error(NO_NETWORK);
  return place.querySelector("svg")?.height.baseVal.value ?? 0;
});
