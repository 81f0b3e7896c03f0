// Node's modules by name, each created on first use. builtins.ts fills it, since some of them load modules themselves.
export const builtins: Record<string, () => unknown> = {};
