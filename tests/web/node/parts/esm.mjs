export default function hello() { return 'hello'; }
export const named = 'N', other = { x: 1 };
export let counter = 0;
export function inc() { counter += 1; }
export * from './more.mjs';
export { default as aliased } from './more.mjs';
