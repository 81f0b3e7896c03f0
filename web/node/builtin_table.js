// Node's modules by name, each created on first use. builtins.js fills it, since some of them load modules themselves.
/** @type {Record<string, () => any>} */
export const builtins = {};
