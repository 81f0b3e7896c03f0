// The package has no types.
declare module "plotly.js-cartesian-dist-min" {
  export function newPlot(place: HTMLElement, data: object[], layout: object, config: object): Promise<unknown>;
}
