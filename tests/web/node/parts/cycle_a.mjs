import { b } from './cycle_b.mjs';
export function a() { return `a${b()}`; }
export const value = 1;
